#include "heartbeat.h"

#include <algorithm>

namespace cuzk {
namespace {

constexpr std::chrono::milliseconds kLongestInterval{1000};
constexpr std::chrono::milliseconds kShortestInterval{50};
constexpr std::chrono::seconds kStartExtension{60};

// Two chances within the watchdog's time, as sd_watchdog_enabled(3) advises.
std::chrono::milliseconds interval_for(const ServiceManager& manager) {
  if (!manager.watchdog_interval()) return kLongestInterval;
  const auto half = std::chrono::duration_cast<std::chrono::milliseconds>(*manager.watchdog_interval() / 2);
  return std::clamp(half, kShortestInterval, kLongestInterval);
}

}  // namespace

std::string status_line(const EngineStatus& status) {
  std::uint64_t running = 0, queued = 0;
  for (const KindCounts& kind : status.kinds) {
    running += kind.in_progress;
    queued += kind.pending;
  }
  const std::string state = status.draining ? "draining"
                            : status.ready  ? "ready"
                                            : "not ready (" + status.not_ready_because + ")";
  return state + ", " + std::to_string(running) + " running, " + std::to_string(queued) + " queued";
}

Heartbeat::Heartbeat(const ServiceManager& manager, const Engine& engine, const EngineLog& observer,
                     DaemonLog& log, std::chrono::milliseconds stall_timeout)
    : manager_(manager),
      engine_(engine),
      observer_(observer),
      log_(log),
      monitor_(stall_timeout, std::chrono::steady_clock::now()),
      interval_(interval_for(manager)),
      thread_([this] { work(); }) {}

Heartbeat::~Heartbeat() {
  {
    const std::lock_guard guard(mutex_);
    is_stopping_ = true;
  }
  stopped_.notify_one();
  thread_.join();
}

void Heartbeat::work() {
  std::unique_lock lock(mutex_);
  while (!is_stopping_) {
    lock.unlock();
    beat();
    lock.lock();
    stopped_.wait_for(lock, interval_, [&] { return is_stopping_; });
  }
}

void Heartbeat::beat() {
  const EngineStatus status = engine_.status();
  report_ready(status);
  if (std::string line = status_line(status); line != last_status_) {
    manager_.status(line);
    last_status_ = std::move(line);
  }
  const bool is_alive = monitor_.is_alive(status, observer_.num_events(), std::chrono::steady_clock::now());
  if (!is_alive && !is_stalled_) {
    log_.write(LogLevel::error, "no progress for longer than daemon.stall_timeout: " + status_line(status));
  }
  is_stalled_ = !is_alive;
  if (is_alive) manager_.keep_alive();
}

void Heartbeat::report_ready(const EngineStatus& status) {
  if (is_ready_) return;
  if (!status.ready) return manager_.extend_start(kStartExtension);
  is_ready_ = true;
  manager_.ready();
  log_.write(LogLevel::info, "ready");
}

}  // namespace cuzk
