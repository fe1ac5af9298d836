// ProgressMonitor: whether an engine that has work still gets on with it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "engine/engine_status.h"

namespace cuzk {

// One thread.
class ProgressMonitor {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `stall_timeout` zero: nothing ever counts as stalled.
  ProgressMonitor(std::chrono::milliseconds stall_timeout, Time start)
      : stall_timeout_(stall_timeout), last_progress_(start) {}

  // False if there has been work since stall_timeout and nothing of it has moved: no worker changed job, partition or phase, and
  // `num_events` (EngineLog) stayed the same.
  bool is_alive(const EngineStatus& status, std::uint64_t num_events, Time time);

 private:
  const std::chrono::milliseconds stall_timeout_;
  Time last_progress_;
  std::string last_picture_;
};

// Work in progress, or waiting with a worker that could take it.
bool has_work(const EngineStatus& status);

}  // namespace cuzk
