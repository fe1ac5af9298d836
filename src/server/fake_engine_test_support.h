// FakeEngine: an Engine without proofs, for the tests of the servers. The test says what each call answers and when a job changes.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace cuzk {

// Thread-safe. As strict as the interface allows: subscribers are told under the engine's lock.
class FakeEngine final : public Engine {
 public:
  FakeEngine();

  // What calls answer. Set before the servers start, or from within a call.
  std::function<Result<Submitted>(ProofRequest&&)> on_submit;
  std::function<Result<bool>(const std::string&)> on_cancel, on_preload;
  std::function<Result<std::optional<std::uint64_t>>(const std::string&)> on_evict;
  std::function<Result<std::vector<InputFinding>>(const ProofRequest&)> on_validate;
  std::function<void()> on_lookup;   // before find() and list()
  std::function<void()> on_metrics;  // before metrics() answers; may be empty
  std::uint32_t retry_after = 1500;
  // What messages are reserved from, and status() says.
  MemoryBudget host{"host memory", std::uint64_t{1} << 40};

  // Adds a job or changes it; whoever waits for it is told.
  void put(JobSnapshot job);
  // As shut_down() does: every waiter is told that nothing more comes.
  void abandon();
  void set_status(const std::function<void(EngineStatus&)>& change);
  void set_metrics(MetricsSnapshot metrics);
  std::size_t num_subscribers() const;

  // Calls of count_refused().
  std::vector<std::pair<ProofKind, StatusCode>> refused() const;

  Result<MessageMemory> reserve_message(std::uint64_t bytes) override;
  void count_refused(ProofKind kind, StatusCode code) override;
  Result<Submitted> submit(ProofRequest request, MessageMemory memory) override;
  Result<Submitted> submit(std::shared_ptr<const ProofInput> input, Priority priority,
                           JobOptions options) override;
  std::uint32_t retry_after_ms() const override { return retry_after; }
  Result<JobSnapshot> await(const std::string& job_id, std::optional<std::chrono::milliseconds> timeout,
                            const std::function<bool()>& stop_waiting) override;
  Result<JobSnapshot> find(const std::string& job_id) override;
  std::vector<JobSnapshot> list(std::size_t limit) override;
  Status watch(const std::string& job_id, const std::function<bool(const JobSnapshot&)>& receive) override;
  Result<std::unique_ptr<Subscription>> subscribe(const std::string& job_id,
                                                  std::function<void(JobEvent)> told) override;
  Result<bool> cancel(const std::string& job_id) override { return on_cancel(job_id); }
  Result<std::vector<InputFinding>> validate(const ProofRequest& request, MessageMemory) override {
    return on_validate(request);
  }
  Result<bool> preload(const std::string& circuit_id) override { return on_preload(circuit_id); }
  Result<std::optional<std::uint64_t>> evict(const std::string& circuit_id) override {
    return on_evict(circuit_id);
  }
  void drain() override;
  void undrain() override;
  bool wait_idle(std::chrono::milliseconds timeout) override;
  void shut_down(std::chrono::milliseconds grace) override;
  EngineStatus status() const override;
  MetricsSnapshot metrics() const override;

 private:
  class FakeSubscription;
  struct Subscriber {
    std::string job_id;
    std::function<void(JobEvent)> told;
  };

  mutable std::mutex mutex_;
  std::vector<std::string> order_;  // of the jobs, as they were added
  std::map<std::string, JobSnapshot> jobs_;
  std::map<int, Subscriber> subscribers_;
  int next_subscriber_ = 0;
  EngineStatus status_;
  MetricsSnapshot metrics_;
  std::vector<std::pair<ProofKind, StatusCode>> refused_;
  std::atomic<std::uint64_t> in_flight_{0};
};

// A job of these states with everything filled in that the state implies.
JobSnapshot sample_job(const std::string& job_id, JobState state);

}  // namespace cuzk
