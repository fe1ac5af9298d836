// SlowWire: a wire between a client and a daemon of which a test decides how fast it is, or that it is cut without anybody being told.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

namespace cuzk {

class SlowWire {
 public:
  enum class Pace {
    trickle,  // 1000 bytes each 5 ms from the client, everything from the daemon
    full,
    silent,  // nothing, either way; both ends stay open
  };

  // Listens on a free port and carries the first connection to 127.0.0.1:`port`. Failures throw.
  SlowWire(int port, Pace pace);
  // Closes both ends.
  ~SlowWire();
  SlowWire(const SlowWire&) = delete;
  SlowWire& operator=(const SlowWire&) = delete;

  // For a DaemonClient.
  std::string address() const { return "127.0.0.1:" + std::to_string(own_port_); }
  void set_pace(Pace pace) { pace_ = pace; }
  // Bytes that have gone to the daemon.
  std::uint64_t carried() const { return carried_; }

 private:
  void run(int port);
  void carry(int from, int to, bool is_upward);
  bool send_all(int to, const char* data, std::size_t size) const;

  std::atomic<Pace> pace_;
  std::atomic<bool> is_over_ = false;
  std::atomic<std::uint64_t> carried_ = 0;
  int listener_ = -1;
  int own_port_ = 0;
  std::thread thread_;
};

}  // namespace cuzk
