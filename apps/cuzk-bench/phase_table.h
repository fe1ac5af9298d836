// The times of each phase over many partitions, and the memory that a circuit was planned to take and took.
#pragma once

#include <array>
#include <optional>

#include "command.h"
#include "groth16/backend.h"
#include "samples.h"

namespace cuzk {

class PhaseTable {
 public:
  void add(const ProveTimings& timings);
  // Phase name -> summary, and "sum"; a phase that was never measured is left out.
  Report report() const;

 private:
  std::array<Samples, kNumProvePhases> phases_;
  Samples sum_;
};

// Planned figures; on a device also what was taken, by the driver, and the difference in percent of the plan.
Report memory_report(const MemoryPlan& plan, bool on_device, std::optional<std::uint64_t> free_before,
                     std::optional<std::uint64_t> free_after);

}  // namespace cuzk
