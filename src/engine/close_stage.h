// The last stage: the outcome of a job goes into the journal, and only then to those who wait for it.
#pragma once

#include "engine/engine_core.h"

namespace cuzk {

class CloseStage {
 public:
  explicit CloseStage(EngineCore& core) : core_(core) {}
  void run(const JobPtr& job);
  // Lets go of finished jobs that are old or too many. The mutex is held.
  void forget_old();

 private:
  JobSnapshot settle(const JobPtr& job);  // the outcome, not yet to be seen
  void write(const JobSnapshot& job);
  void report(const JobPtr& job, const JobSnapshot& outcome);

  EngineCore& core_;
};

}  // namespace cuzk
