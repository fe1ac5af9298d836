#include "stop.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <mutex>
#include <thread>

#include "config_text.h"
#include "daemon_exit_code.h"
#include "heartbeat.h"
#include "signals.h"

namespace cuzk {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPoll{50};
constexpr std::chrono::seconds kPhaseGrace{20};     // for a phase to end once proofs are given up
constexpr std::chrono::seconds kCallGrace{5};       // for clients to read their last answer
constexpr std::chrono::milliseconds kAtOnce{2000};  // after a second signal

// Ends the process without waiting for anybody's work. Sockets of this process are found stale by the next one.
[[noreturn]] void end_now(DaemonLog& log, const std::string& why, int exit_code) {
  log.write(LogLevel::warning, why + "; unfinished jobs stay in the journal");
  log.close();
  ::_exit(exit_code);
}

// Closes the parts in a thread of its own, so that the caller can listen for signals meanwhile.
class Closing {
 public:
  Closing(RunningDaemon daemon, std::chrono::milliseconds grace)
      : daemon_(std::move(daemon)), closer_([this, grace] { close(grace); }) {}
  ~Closing() {
    closer_.join();
    if (hurry_.joinable()) hurry_.join();
  }
  Closing(const Closing&) = delete;
  Closing& operator=(const Closing&) = delete;

  bool is_done() const noexcept { return is_done_; }
  // Tells the engine to wait for nothing more. At most once.
  void hurry() {
    hurry_ = std::thread([this] {
      const std::lock_guard guard(engine_mutex_);
      if (daemon_.engine != nullptr) daemon_.engine->shut_down(std::chrono::milliseconds(0));
    });
  }

 private:
  void close(std::chrono::milliseconds grace) {
    daemon_.engine->shut_down(grace);
    daemon_.grpc->shut_down(kCallGrace);
    if (daemon_.http != nullptr) daemon_.http->shut_down();
    daemon_.http.reset();
    daemon_.grpc.reset();
    {
      const std::lock_guard guard(engine_mutex_);
      daemon_.engine.reset();
    }
    is_done_ = true;
  }

  RunningDaemon daemon_;
  std::mutex engine_mutex_;  // held while the engine must not go away
  std::atomic<bool> is_done_ = false;
  std::thread closer_;
  std::thread hurry_;
};

}  // namespace

int stop_daemon(const DaemonConfig& config, const ServiceManager& manager, DaemonLog& log,
                RunningDaemon daemon) {
  manager.stopping();
  log.write(LogLevel::info, "stopping: " + status_line(daemon.engine->status()) + "; waits up to " +
                                print_duration(config.drain_timeout) + " for running proofs");
  Clock::time_point deadline = Clock::now() + config.drain_timeout + kPhaseGrace + kCallGrace;
  bool is_urgent = false;
  {
    Closing closing(std::move(daemon), config.drain_timeout);
    while (!closing.is_done()) {
      const std::optional<int> signal = wait_for_signal(kPoll);
      if (signal && *signal != SIGHUP && !is_urgent) {
        is_urgent = true;
        deadline = Clock::now() + kAtOnce;
        log.write(LogLevel::warning, "a second signal: stopping at once");
        closing.hurry();
      }
      if (Clock::now() < deadline) continue;
      if (is_urgent) end_now(log, "stopped at once", kExitCutOff);
      end_now(log, "a phase did not end in time", kExitSuccess);
    }
  }
  log.write(LogLevel::info, "stopped");
  return kExitSuccess;
}

}  // namespace cuzk
