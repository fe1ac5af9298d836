#include "groth16/prove_timings.h"

#include <numeric>

namespace cuzk {

const char* prove_phase_name(ProvePhase phase) noexcept {
  constexpr std::array<const char*, kNumProvePhases> kNames = {
      "prep_msm", "r1cs_eval", "ntt", "msm_h", "msm_l", "msm_a", "msm_b_g1", "msm_b_g2", "assemble"};
  return kNames[static_cast<std::size_t>(phase)];
}

double ProveTimings::total_ms() const noexcept {
  return std::accumulate(ms_.begin(), ms_.end(), 0.0);
}

Status ProveTimings::check_stop() const {
  if (observer_ == nullptr || !observer_->stop_requested()) return Status::ok();
  return {StatusCode::cancelled, "the proof was given up between two phases"};
}

}  // namespace cuzk
