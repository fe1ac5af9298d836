#include "engine/prove_stage.h"

#include <algorithm>

#include "engine/guarded.h"
#include "engine/test_blinding.h"

namespace cuzk {
namespace {

constexpr unsigned kMaxFaults = 2;     // of one partition
constexpr unsigned kMaxShortages = 5;  // of one partition, the waits between them doubling from 0.2 s
constexpr auto kFirstRetry = std::chrono::milliseconds(200);
constexpr unsigned kMaxFaultsInARow = 3;  // of one worker, if there is another
constexpr unsigned kMaxPreemptions = 3;   // of one partition

double ms_between(EngineTime begin, EngineTime end) {
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

// Tells the engine of the phases of one partition, and the backend whether to stop.
class PhaseRecorder final : public ProveObserver {
 public:
  PhaseRecorder(EngineCore& core, WorkerRecord& worker, const JobPtr& job, unsigned index)
      : core_(core), worker_(worker), job_(job), index_(index), partition_(job->partition_number(index)) {}

  void phase_started(ProvePhase phase) override {
    const EngineTime now = EngineClock::now();
    const std::lock_guard lock(core_.mutex);
    worker_.phase = prove_phase_name(phase);
    core_.start_span(*job_, worker_.phase, partition_, worker_.index, now);
  }
  void phase_finished(ProvePhase phase, double) override {
    const EngineTime now = EngineClock::now();
    const std::lock_guard lock(core_.mutex);
    worker_.phase.clear();
    core_.end_span(*job_, prove_phase_name(phase), partition_, now);
    explained_ms_ += job_->spans.back().ms;
  }
  bool stop_requested() const override { return job_->stop || core_.cut || gives_way(); }

  double explained_ms() const noexcept { return explained_ms_; }

 private:
  // To a critical job, if this partition would make it wait for long: known from the last one of its circuit, else by what it has
  // taken so far.
  bool gives_way() const {
    if (job_->priority == Priority::critical) return false;
    const EngineTime now = EngineClock::now();
    const std::lock_guard lock(core_.mutex);
    if (job_->partitions[index_].preemptions >= kMaxPreemptions) return false;
    const auto last = worker_.last_prove_ms.find(job_->circuit);
    const double elapsed_ms = ms_between(begin_, now);
    const double left_ms = last == worker_.last_prove_ms.end() ? elapsed_ms : last->second - elapsed_ms;
    const auto limit = static_cast<double>(core_.config.preempt_above.count());
    return left_ms > limit && core_.scheduler.critical_waits(core_.view(worker_, now), now);
  }

  EngineCore& core_;
  WorkerRecord& worker_;
  const JobPtr& job_;
  const unsigned index_;
  const int partition_;
  const EngineTime begin_ = EngineClock::now();
  double explained_ms_ = 0;
};

Result<Blinding> blinding_of(const JobRecord& job, unsigned partition) {
  if (job.test_blinding) return test_blinding(partition);
  return Blinding::random();
}

}  // namespace

void ProveStage::start(WorkerRecord& worker, const JobPtr& job, unsigned partition,
                       const std::shared_ptr<const PreparedVerifyingKey>& key, EngineTime begin) {
  const std::lock_guard lock(core_.mutex);
  const int number = job->partition_number(partition);
  worker.job = job;
  worker.partition = number;
  core_.begin(*job, begin);
  core_.span(*job, "wait", number, -1, job->partitions[partition].waits_since, begin);
  if (job->state < JobState::proving) core_.set_state(*job, JobState::proving);
  core_.to_commit.push_back({job, partition, job->held, key});
  core_.work.notify_all();
}

void ProveStage::run(WorkerRecord& worker, const JobPtr& job, unsigned partition) {
  std::optional<SrsLease> lease = core_.srs->lease(worker.index, *job->circuit);
  const std::shared_ptr<const Constraints> constraints = core_.srs->constraints(*job->circuit);
  if (!lease || constraints == nullptr) {
    // Evicted at the last moment.
    const std::lock_guard lock(core_.mutex);
    core_.scheduler.set_state({job->key, partition}, Scheduler::State::ready);
    return core_.settle(job);
  }
  const EngineTime begin = EngineClock::now();
  start(worker, job, partition, constraints->key, begin);
  PhaseRecorder recorder(core_, worker, job, partition);
  ProveTimings timings(&recorder);
  const Result<Proof> proof = guarded("worker " + std::to_string(worker.index), [&]() -> Result<Proof> {
    CUZK_ASSIGN(const Blinding blinding, blinding_of(*job, partition));
    return worker.backend->prove(lease->circuit(), job->partitions[partition].witness->witness, blinding,
                                 timings);
  });
  const EngineTime end = EngineClock::now();

  const std::lock_guard lock(core_.mutex);
  const double spent_ms = ms_between(begin, end);
  const double overhead_ms = std::max(0.0, spent_ms - recorder.explained_ms());
  const auto overhead = std::chrono::duration_cast<EngineClock::duration>(
      std::chrono::duration<double, std::milli>(overhead_ms));
  core_.span(*job, "overhead", job->partition_number(partition), worker.index, end - overhead, end);
  job->timings.prove += spent_ms;
  job->last_return = end;
  job->partitions[partition].waits_since = end;
  worker.busy_ms += spent_ms;
  worker.job = nullptr;
  worker.partition = -1;
  worker.phase.clear();
  if (proof.is_ok()) {
    ++worker.proofs;
    worker.last_prove_ms[job->circuit] = spent_ms;
    core_.scheduler.set_state({job->key, partition}, Scheduler::State::verifying);
    core_.to_verify.push_back({job, partition, worker.index, proof.value(), constraints, end});
  } else {
    settle_failure(worker, job, partition, proof.status());
  }
  core_.work.notify_all();
}

void ProveStage::settle_failure(WorkerRecord& worker, const JobPtr& job, unsigned partition,
                                const Status& status) {
  const PartitionKey key{job->key, partition};
  const std::string message =
      "partition " + std::to_string(job->partition_number(partition)) + ": " + status.message();
  switch (status.code()) {
    case StatusCode::cancelled:
      settle_cancelled(job, partition);
      break;
    case StatusCode::invalid_argument:
    case StatusCode::not_satisfied:
      core_.scheduler.set_state(key, Scheduler::State::pending);
      core_.fail(job, {status.code(), "r1cs_eval", message, false, {}});
      break;
    case StatusCode::resource_exhausted:
      settle_shortage(worker, job, partition, status.with_context(message));
      break;
    case StatusCode::unavailable:
      core_.scheduler.prove_again(key, worker.index, {});
      core_.retire(worker, status.message());
      break;
    default:
      settle_fault(core_, worker, job, partition, {status.code(), "prove", message, true, {}});
      break;
  }
  core_.settle(job);
}

void ProveStage::settle_cancelled(const JobPtr& job, unsigned partition) {
  const bool gave_way = !job->stop && !core_.cut;
  core_.scheduler.set_state({job->key, partition},
                            gave_way ? Scheduler::State::ready : Scheduler::State::pending);
  if (!gave_way) return core_.drop_witness(*job, partition);
  ++job->partitions[partition].preemptions;
  core_.events.note(EngineObserver::Level::info, "job " + job->id + ": partition " +
                                                     std::to_string(job->partition_number(partition)) +
                                                     " gives way to a critical job and starts again");
}

void ProveStage::settle_shortage(WorkerRecord& worker, const JobPtr& job, unsigned partition,
                                 const Status& status) {
  const unsigned shortages = ++job->partitions[partition].shortages;
  const PartitionKey key{job->key, partition};
  if (shortages >= kMaxShortages) {
    core_.scheduler.set_state(key, Scheduler::State::pending);
    return core_.fail(job, {status.code(), "prove", status.message(), true, {}});
  }
  ++core_.retries;
  core_.events.note(EngineObserver::Level::warning, "job " + job->id + ": tried again later on worker " +
                                                        std::to_string(worker.index) + ": " +
                                                        status.message());
  core_.scheduler.prove_again(key, worker.index, EngineClock::now() + kFirstRetry * (1U << (shortages - 1)));
}

void settle_fault(EngineCore& core, WorkerRecord& worker, const JobPtr& job, unsigned partition,
                  const JobError& error) {
  const PartitionKey key{job->key, partition};
  ++worker.faults;
  ++worker.faults_in_a_row;
  core.events.note(EngineObserver::Level::error,
                   "job " + job->id + ", worker " + std::to_string(worker.index) + ": " + error.message);
  if (++job->partitions[partition].faults >= kMaxFaults) {
    core.scheduler.set_state(key, Scheduler::State::pending);
    core.fail(job, error);
  } else {
    ++core.retries;
    core.scheduler.prove_again(key, worker.index, {});
  }
  const bool has_other =
      std::any_of(core.workers.begin(), core.workers.end(),
                  [&](const WorkerRecord& other) { return other.usable && &other != &worker; });
  const DeviceStatus device = worker.backend->device_status();
  if (!device.usable) {
    core.retire(worker, device.unusable_because);
  } else if (has_other && worker.faults_in_a_row >= kMaxFaultsInARow) {
    core.retire(worker, "its last " + std::to_string(worker.faults_in_a_row) + " proofs were wrong");
  }
  if (!core.has_usable_worker()) core.fail_unserved(job);
}

}  // namespace cuzk
