// The stage `srs_load`: makes a circuit resident on a worker for the jobs that wait for it, and settles what becomes of them if
// that fails.
#pragma once

#include "engine/engine_core.h"

namespace cuzk {

class LoadStage {
 public:
  explicit LoadStage(EngineCore& core) : core_(core) {}
  // Loads on the thread of `worker` for `job`.
  void run(WorkerRecord& worker, const JobPtr& job);

 private:
  // The mutex is held.
  void tell(JobRecord& job, const WorkerRecord& worker, const SrsLoad& load, EngineTime begin,
            EngineTime end);
  void settle_failure(WorkerRecord& worker, const CircuitParameters& circuit, const SrsLoad& load);
  void settle_shortage(WorkerRecord& worker, const CircuitParameters& circuit, const SrsLoad& load);
  bool others_hold_memory() const;
  void drop_orphans();

  EngineCore& core_;
};

}  // namespace cuzk
