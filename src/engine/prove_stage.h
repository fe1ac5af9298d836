// The stage `prove`: one partition on the backend of one worker, and what becomes of the partition if the backend fails.
#pragma once

#include "engine/engine_core.h"

namespace cuzk {

class ProveStage {
 public:
  explicit ProveStage(EngineCore& core) : core_(core) {}
  // The scheduler has given out this partition, whose circuit is resident on `worker`.
  void run(WorkerRecord& worker, const JobPtr& job, unsigned partition);

 private:
  void start(WorkerRecord& worker, const JobPtr& job, unsigned partition,
             const std::shared_ptr<const PreparedVerifyingKey>& key, EngineTime begin);
  // The mutex is held.
  void settle_failure(WorkerRecord& worker, const JobPtr& job, unsigned partition, const Status& status);
  void settle_cancelled(const JobPtr& job, unsigned partition);
  void settle_shortage(WorkerRecord& worker, const JobPtr& job, unsigned partition, const Status& status);

  EngineCore& core_;
};

// A proof of this partition was wrong or could not be made; the worker may be at fault. Once it is tried again, elsewhere if there is
// another worker; then the job fails. The mutex is held.
void settle_fault(EngineCore& core, WorkerRecord& worker, const JobPtr& job, unsigned partition,
                  const JobError& error);

}  // namespace cuzk
