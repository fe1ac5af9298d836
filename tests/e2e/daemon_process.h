// DaemonProcess: a cuzk-daemon of its own for a test, on free ports and in a scratch folder, whose log is read as it is written.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace cuzk {

// Nothing it does may take longer.
inline constexpr std::chrono::seconds kDaemonPatience{60};

class DaemonProcess {
 public:
  // Starts `cuzk-daemon` with these arguments and extra NAME=VALUE settings, and does not wait for it.
  explicit DaemonProcess(const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment = {});
  // Kills it if it still runs.
  ~DaemonProcess();
  DaemonProcess(const DaemonProcess&) = delete;
  DaemonProcess& operator=(const DaemonProcess&) = delete;

  pid_t pid() const noexcept { return pid_; }
  // The first line of its standard error that contains `text`, waited for; nothing if it ended, or `timeout` passed, without one.
  std::optional<std::string> wait_for_line(const std::string& text,
                                           std::chrono::milliseconds timeout = kDaemonPatience);
  void send(int signal) const;
  // The exit code, or 128 + signal; nothing if it still runs after `timeout`.
  std::optional<int> wait_for_exit(std::chrono::milliseconds timeout = kDaemonPatience);
  // All of standard error so far.
  std::string log() const;
  // From the line "gRPC listens on ..., port N" and "HTTP listens on ..., port N"; 0 if there is none.
  int grpc_port();
  int http_port();

 private:
  void read_log();
  int port_of(const std::string& line_begin);

  pid_t pid_ = -1;
  int log_fd_ = -1;
  std::optional<int> exit_code_;
  mutable std::mutex mutex_;
  std::condition_variable grown_;
  std::string log_;
  bool is_closed_ = false;
  std::thread reader_;
};

// The program's path.
std::string daemon_program();
// Flags for a daemon that disturbs nobody: free ports, journal and cache in `folder`, parameters from `params_dir`, the processor, two threads,
// no warm-up.
std::vector<std::string> quiet_daemon_flags(const std::string& folder, const std::string& params_dir);

}  // namespace cuzk
