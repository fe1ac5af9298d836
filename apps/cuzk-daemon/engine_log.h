// What the engine reports, as lines of the log: each change of a job, each CUZK_TIMING, each note.
#pragma once

#include <atomic>
#include <cstdint>

#include "daemon_log.h"
#include "engine/engine.h"

namespace cuzk {

class EngineLog final : public EngineObserver {
 public:
  // `log` must outlive this object. `timing`: whether spans are written.
  EngineLog(DaemonLog& log, bool timing) : log_(log), timing_(timing) {}

  void span_ended(const JobSnapshot& job, const PhaseSpan& span) override;
  void job_changed(const JobSnapshot& job) override;
  void note(Level level, const std::string& text) override;

  // How often anything was reported; a sign of life.
  std::uint64_t num_events() const noexcept { return events_; }

 private:
  DaemonLog& log_;
  const bool timing_;
  std::atomic<std::uint64_t> events_ = 0;
};

// "CUZK_TIMING phase=ntt partition=3 gpu=0 ms=412.7"; partition and gpu only where they apply.
std::string timing_line(const PhaseSpan& span);
// What a line says of a job in its state, without its id.
std::string describe_job(const JobSnapshot& job);

}  // namespace cuzk
