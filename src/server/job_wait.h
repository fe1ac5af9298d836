// JobWait: waiting for a job's end without a thread. It ends once: with the job, when its time is up, when the engine shuts down, or
// when it is given up. Internal to the gRPC service.
#pragma once

#include <grpcpp/alarm.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "engine/engine.h"
#include "server/task_pool.h"

namespace cuzk {

// Thread-safe.
class JobWait : public std::enable_shared_from_this<JobWait> {
 public:
  // The job as it is; is_timeout if it is not final. Failures: engine.find()'s; unavailable if the engine shuts down.
  using Done = std::function<void(Result<JobSnapshot> job, bool is_timeout)>;

  // `done` is called once, by a thread of `pool`, unless give_up() came first. No timeout: waits for ever.
  static std::shared_ptr<JobWait> start(Engine& engine, TaskPool& pool, const std::string& job_id,
                                        std::optional<std::chrono::milliseconds> timeout, Done done);
  // Frees everything at once. Not from within `done`.
  void give_up();

 private:
  enum class Reason { ended, abandoned, timeout };

  JobWait(Engine& engine, TaskPool& pool, std::string job_id, Done done);
  void subscribe();
  void set_timer(std::chrono::milliseconds timeout);
  void end(Reason reason);
  Result<JobSnapshot> outcome(Reason reason);
  // What is to be called, for the one who ends the wait; nothing for all others.
  Done take_done();

  Engine& engine_;
  TaskPool& pool_;
  const std::string job_id_;
  std::mutex mutex_;  // never held while the engine calls
  Done done_;
  std::unique_ptr<Subscription> subscription_;
  std::unique_ptr<grpc::Alarm> timer_;
};

}  // namespace cuzk
