#include "progress_monitor.h"

#include <algorithm>

namespace cuzk {
namespace {

// Everything that changes when work goes on.
std::string picture_of(const EngineStatus& status, std::uint64_t num_events) {
  std::string picture = std::to_string(num_events) + (status.ready ? " ready" : " not ready");
  for (const WorkerStatus& worker : status.workers) {
    picture += "|" + worker.job_id + "/" + std::to_string(worker.partition) + "/" + worker.phase + "/" +
               std::to_string(worker.proofs);
  }
  return picture;
}

}  // namespace

bool has_work(const EngineStatus& status) {
  const bool has_worker = std::ranges::any_of(status.workers, &WorkerStatus::usable);
  return std::ranges::any_of(status.kinds, [&](const KindCounts& kind) {
    return kind.in_progress > 0 || (kind.pending > 0 && has_worker);
  });
}

bool ProgressMonitor::is_alive(const EngineStatus& status, std::uint64_t num_events, Time time) {
  std::string picture = picture_of(status, num_events);
  if (!has_work(status) || picture != last_picture_) {
    last_picture_ = std::move(picture);
    last_progress_ = time;
  }
  return stall_timeout_ == std::chrono::milliseconds(0) || time - last_progress_ <= stall_timeout_;
}

}  // namespace cuzk
