// What the engine reports, as lines of the log: each change of a job, each CUZK_TIMING, each note.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "daemon_log.h"
#include "engine/engine.h"

namespace cuzk {

class EngineLog final : public EngineObserver {
 public:
  // `log` must outlive this object. `timing`: whether spans are written. `backends`: the name of each worker's.
  EngineLog(DaemonLog& log, bool timing, std::vector<std::string> backends)
      : log_(log), timing_(timing), backends_(std::move(backends)) {}

  void span_ended(const JobSnapshot& job, const PhaseSpan& span) override;
  void job_changed(const JobSnapshot& job) override;
  void note(Level level, const std::string& text) override;

  // How often anything was reported; a sign of life.
  std::uint64_t num_events() const noexcept { return events_; }

 private:
  DaemonLog& log_;
  const bool timing_;
  const std::vector<std::string> backends_;
  std::atomic<std::uint64_t> events_ = 0;
};

// What a line says of a job in its state, without its id.
std::string describe_job(const JobSnapshot& job);

}  // namespace cuzk
