// EngineImpl: wires the stages to threads, and answers questions about jobs.
//
// Threads: one for each worker, those that validate and synthesize (one of them for critical jobs only), one that commits to
// statements and verifies, one that closes jobs, one that gives memory back, one that tells the observer, and one that preloads and
// warms up until all is ready.
#pragma once

#include <thread>

#include "engine/close_stage.h"
#include "engine/engine_core.h"
#include "engine/load_stage.h"
#include "engine/preload_stage.h"
#include "engine/prove_stage.h"
#include "engine/submission.h"
#include "engine/synthesize_stage.h"
#include "engine/validate_stage.h"
#include "engine/verify_stage.h"

namespace cuzk {

class EngineImpl final : public Engine {
 public:
  EngineImpl(EngineConfig config, std::vector<std::unique_ptr<Backend>> backends,
             std::unique_ptr<Journal> journal, EngineObserver* observer);
  ~EngineImpl() override;

  Status start();

  Result<MessageMemory> reserve_message(std::uint64_t bytes) override;
  void count_refused(ProofKind kind, StatusCode code) override;
  Result<Submitted> submit(ProofRequest request, MessageMemory memory) override;
  Result<Submitted> submit(std::shared_ptr<const ProofInput> input, Priority priority,
                           JobOptions options) override;
  std::uint32_t retry_after_ms() const override { return submission_.retry_after_ms(); }
  Result<JobSnapshot> await(const std::string& job_id, std::optional<std::chrono::milliseconds> timeout,
                            const std::function<bool()>& stop_waiting) override;
  Result<JobSnapshot> find(const std::string& job_id) override;
  std::vector<JobSnapshot> list(std::size_t limit) override;
  Status watch(const std::string& job_id, const std::function<bool(const JobSnapshot&)>& receive) override;
  Result<std::unique_ptr<Subscription>> subscribe(const std::string& job_id,
                                                  std::function<void(JobEvent)> told) override;
  Result<bool> cancel(const std::string& job_id) override;
  Result<std::vector<InputFinding>> validate(const ProofRequest& request, MessageMemory memory) override;
  Result<bool> preload(const std::string& circuit_id) override;
  Result<std::optional<std::uint64_t>> evict(const std::string& circuit_id) override;
  void drain() override;
  void undrain() override;
  bool wait_idle(std::chrono::milliseconds timeout) override;
  void shut_down(std::chrono::milliseconds grace) override;
  EngineStatus status() const override;
  MetricsSnapshot metrics() const override { return core_.metrics.snapshot(); }

 private:
  void host_loop(bool critical_only);
  void worker_loop(WorkerRecord& worker);
  void verify_loop();
  void close_loop();
  void housekeep();
  JobPtr find_open_or_remembered(const std::string& job_id) const;  // the mutex is held
  JobSnapshot snapshot(const JobRecord& job, bool with_spans, bool with_proof) const;
  Result<JobSnapshot> find_in_journal(const std::string& job_id) const;
  // The mutex is held.
  void tell_abandoned();
  std::vector<WorkerStatus> worker_status() const;

  mutable EngineCore core_;
  mutable Submission submission_;
  ValidateStage validate_stage_{core_};
  SynthesizeStage synthesize_stage_{core_};
  LoadStage load_stage_{core_};
  ProveStage prove_stage_{core_};
  VerifyStage verify_stage_{core_};
  CloseStage close_stage_{core_};
  PreloadStage preload_stage_{core_};
  std::atomic<bool> verifying_stopped_{false};
  std::vector<std::thread> makers_;  // of work for the two below
  std::thread verifier_, closer_;
};

}  // namespace cuzk
