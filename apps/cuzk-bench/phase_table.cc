#include "phase_table.h"

#include "proof_bench.h"

namespace cuzk {

void PhaseTable::add(const ProveTimings& timings) {
  for (std::size_t i = 0; i < kNumProvePhases; ++i) phases_[i].add(timings.ms(static_cast<ProvePhase>(i)));
  sum_.add(timings.total_ms());
}

Report PhaseTable::report() const {
  Report report = Report::object();
  for (std::size_t i = 0; i < kNumProvePhases; ++i) {
    if (phases_[i].sum() > 0) report[prove_phase_name(static_cast<ProvePhase>(i))] = phases_[i].summary();
  }
  report["sum"] = sum_.summary();
  return report;
}

Report memory_report(const MemoryPlan& plan, bool on_device, std::optional<std::uint64_t> free_before,
                     std::optional<std::uint64_t> free_after) {
  Report report = {{"planned_host_bytes", plan.resident_host + plan.load_host + plan.prove_host}};
  if (!on_device) return report;
  report["planned_device_bytes"] = plan.resident_device;
  if (!free_before || !free_after || *free_before < *free_after) return report;
  const std::uint64_t taken = *free_before - *free_after;
  report["taken_device_bytes"] = taken;
  report["taken_over_plan_percent"] =
      100 * (static_cast<double>(taken) / static_cast<double>(plan.resident_device) - 1);
  return report;
}

// Products counted at the rates measured on an H200; "best" is with the algorithms that save products.
Report floors_of(const std::string& kind, const std::string& sector_size) {
  if (kind != "porep" || sector_size != "32GiB") return nullptr;
  const auto floor = [](int plain, int best) { return Report{{"plain", plain}, {"best", best}}; };
  return {{"source", "docs/results/floors-h200.md"},
          {"r1cs_eval", floor(30, 20)},
          {"ntt", floor(205, 115)},
          {"msm_h", floor(570, 385)},
          {"msm_l + msm_a + msm_b_g1", floor(66, 45)},
          {"msm_b_g2", floor(14, 10)},
          {"partition", floor(885, 570)}};
}

}  // namespace cuzk
