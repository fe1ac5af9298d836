// The two kinds of progress that the libraries report, shown by one Progress.
#pragma once

#include <string>

#include "groth16/prove_timings.h"
#include "progress.h"

namespace cuzk {

// Of a long step with a known number of units: loading parameters, a setup.
class LoadProgress final : public ProgressObserver {
 public:
  explicit LoadProgress(Progress& progress) : progress_(progress) {}
  void progress(std::string_view step, std::uint64_t done, std::uint64_t total) override {
    progress_.update(std::string(step), done, total);
  }

 private:
  Progress& progress_;
};

// Of the phases of all partitions of a job, as one bar.
class PhaseProgress final : public ProveObserver {
 public:
  PhaseProgress(Progress& progress, std::size_t partition, std::size_t num_partitions)
      : progress_(progress), done_(partition * kNumProvePhases), total_(num_partitions * kNumProvePhases) {}
  void phase_started(ProvePhase) override { progress_.update("proving", done_, total_); }
  void phase_finished(ProvePhase, double) override { progress_.update("proving", ++done_, total_); }

 private:
  Progress& progress_;
  std::size_t done_;
  const std::size_t total_;
};

}  // namespace cuzk
