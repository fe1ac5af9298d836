// The stage `synthesize`: the witness of one partition, within the memory budget.
#pragma once

#include "engine/engine_core.h"

namespace cuzk {

class SynthesizeStage {
 public:
  explicit SynthesizeStage(EngineCore& core) : core_(core) {}
  // The scheduler has given out this partition. Waits for memory. False if it was put back because something else needs the memory more:
  // not to be tried again at once.
  bool run(const JobPtr& job, unsigned partition);

 private:
  Result<std::shared_ptr<HeldWitness>> make(const JobPtr& job, unsigned partition,
                                            const Constraints& constraints);
  void wait_for_memory(const JobPtr& job, bool waits);
  void start(const JobPtr& job, unsigned partition, EngineTime begin);
  void finish(const JobPtr& job, unsigned partition, Result<std::shared_ptr<HeldWitness>> made);

  EngineCore& core_;
};

}  // namespace cuzk
