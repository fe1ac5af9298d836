// ServiceManager: what systemd wants to hear from a service of Type=notify. One datagram a message to $NOTIFY_SOCKET, as sd_notify(3)
// describes it; without that variable every call does nothing.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace cuzk {

// Thread-safe.
class ServiceManager {
 public:
  // Reads $NOTIFY_SOCKET, $WATCHDOG_USEC and $WATCHDOG_PID.
  ServiceManager();

  bool is_present() const noexcept { return !socket_.empty(); }
  void ready() const { send("READY=1"); }
  void stopping() const { send("STOPPING=1"); }
  // One line for `systemctl status`.
  void status(const std::string& text) const { send("STATUS=" + text); }
  // The start takes at least this much longer.
  void extend_start(std::chrono::seconds time) const;
  void keep_alive() const { send("WATCHDOG=1"); }
  // How often keep_alive() must come; nothing if the watchdog is off or watches another process.
  std::optional<std::chrono::microseconds> watchdog_interval() const noexcept { return watchdog_; }

 private:
  void send(const std::string& message) const;

  std::string socket_;
  std::optional<std::chrono::microseconds> watchdog_;
};

}  // namespace cuzk
