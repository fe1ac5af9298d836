// What a proof spends its time on, phase by phase, and who wants to know while it happens.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "base/stopwatch.h"

namespace cuzk {

enum class ProvePhase : std::size_t {
  prep_msm,   // the witness in the order of the queries
  r1cs_eval,  // a = A w, b = B w, c = C w, and whether a * b = c
  ntt,        // the quotient h
  msm_h,
  msm_l,
  msm_a,
  msm_b_g1,
  msm_b_g2,
  assemble,
};
inline constexpr std::size_t kNumProvePhases = 9;

// "r1cs_eval" and so on: the names in logs and JSON.
const char* prove_phase_name(ProvePhase phase) noexcept;

// Told of each phase by the thread that proves.
class ProveObserver {
 public:
  virtual ~ProveObserver() = default;
  virtual void phase_started(ProvePhase phase) = 0;
  virtual void phase_finished(ProvePhase phase, double ms) = 0;
  // Asked between phases: whether the proof is to be given up.
  virtual bool stop_requested() const { return false; }
};

// Milliseconds per phase of one proof; a phase that a backend does not have stays 0.
class ProveTimings {
 public:
  // `observer` may be null; it must outlive the proof.
  explicit ProveTimings(ProveObserver* observer = nullptr) noexcept : observer_(observer) {}
  double ms(ProvePhase phase) const noexcept { return ms_[static_cast<std::size_t>(phase)]; }
  double total_ms() const noexcept;

  // For backends, between phases: cancelled if the observer wants the proof to be given up.
  Status check_stop() const;

  // For backends. clear() forgets the times of an earlier proof, add() counts one stretch of a phase.
  void clear() noexcept { ms_ = {}; }
  void start(ProvePhase phase) {
    if (observer_ != nullptr) observer_->phase_started(phase);
  }
  void add(ProvePhase phase, double ms) {
    ms_[static_cast<std::size_t>(phase)] += ms;
    if (observer_ != nullptr) observer_->phase_finished(phase, ms);
  }

 private:
  std::array<double, kNumProvePhases> ms_{};
  ProveObserver* observer_;
};

// Counts its own lifetime as one stretch of a phase.
class [[nodiscard]] PhaseTimer {
 public:
  PhaseTimer(ProveTimings& timings, ProvePhase phase) : timings_(timings), phase_(phase) {
    timings.start(phase);
  }
  ~PhaseTimer() { timings_.add(phase_, stopwatch_.elapsed_ms()); }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  ProveTimings& timings_;
  ProvePhase phase_;
  Stopwatch stopwatch_;
};

// Told how far a long operation (loading parameters, a setup) has come, by the thread that runs it.
class ProgressObserver {
 public:
  virtual ~ProgressObserver() = default;
  // `done` of `total` units (points) of the named step, done <= total; the last call of a step has done = total.
  virtual void progress(std::string_view step, std::uint64_t done, std::uint64_t total) = 0;
};

}  // namespace cuzk
