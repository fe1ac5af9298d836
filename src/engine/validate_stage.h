// The stage `validate`: whether the vanilla proofs of a job hold, before anything is spent on them.
#pragma once

#include "engine/engine_core.h"

namespace cuzk {

class ValidateStage {
 public:
  explicit ValidateStage(EngineCore& core) : core_(core) {}
  // The scheduler has given out the validation of this job. Uses the global thread pool.
  void run(const JobPtr& job);

 private:
  EngineCore& core_;
};

// The error of an input with these findings; at least one.
JobError findings_error(std::vector<InputFinding> findings);

}  // namespace cuzk
