// EngineCore: what the stages of the engine share, and the moves of a job from one to the next.
//
// One mutex guards jobs, scheduler and workers; it is held for moments only, never while something is computed, read, written or
// given back. Locks are taken in the order core, SrsManager, MemoryBudget. A job ends in two steps: its outcome is settled when no
// thread has anything of it in hand, and it is reported once the journal has it (close_stage.h).
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/engine.h"
#include "engine/event_queue.h"
#include "engine/job_record.h"
#include "engine/memory_budget.h"
#include "engine/metrics.h"
#include "engine/releaser.h"
#include "engine/scheduler.h"
#include "engine/srs_manager.h"

namespace cuzk {

using JobPtr = std::shared_ptr<JobRecord>;

struct WorkerRecord {
  int index = 0;
  std::unique_ptr<Backend> backend;
  std::unique_ptr<MemoryBudget> memory;  // null for the processor
  // Guarded by the core's mutex:
  bool usable = true;
  std::string unusable_because;
  bool is_idle = true;
  const CircuitParameters* loading = nullptr;
  JobPtr job;  // in progress
  int partition = -1;
  std::string phase;
  std::uint64_t proofs = 0, faults = 0;
  unsigned faults_in_a_row = 0;
  double busy_ms = 0;
  std::map<const CircuitParameters*, double> last_prove_ms;
  // Loads that found no memory.
  struct Blocked {
    EngineTime retry_at;
    unsigned attempts = 0;
  };
  std::map<const CircuitParameters*, Blocked> blocked;
};

// A partition whose statement can be committed to while a worker proves it.
struct StatementItem {
  JobPtr job;
  unsigned partition;
  std::shared_ptr<const HeldInput> held;
  std::shared_ptr<const PreparedVerifyingKey> key;
};

// A proof on its way to be verified.
struct ProofItem {
  JobPtr job;
  unsigned partition;
  int worker;
  Proof proof;
  std::shared_ptr<const Constraints> constraints;
  EngineTime returned;
};

struct EngineCore {
  EngineCore(EngineConfig config, std::vector<std::unique_ptr<Backend>> backends,
             std::unique_ptr<Journal> journal, EngineObserver* observer);

  const EngineConfig config;
  const std::unique_ptr<Journal> journal;  // null: none
  const std::int64_t started_at_ms = unix_time_ms();
  const EngineTime started = EngineClock::now();
  EventQueue events;
  Metrics metrics;
  MemoryBudget host;
  std::vector<WorkerRecord> workers;  // fixed number
  std::unique_ptr<SrsManager> srs;    // after what it uses

  std::mutex mutex;
  std::condition_variable work;  // something may be there to do, or a job has ended
  Scheduler scheduler;
  JobKey next_key = 1;
  std::uint64_t next_listener = 1;
  std::map<JobKey, JobPtr> open;                       // not final
  std::unordered_map<std::string, JobPtr> by_id;       // open, and finished ones that are remembered
  std::unordered_map<std::string, JobPtr> by_request;  // the last job of each request id, likewise
  std::deque<JobPtr> finished;                         // oldest first
  std::deque<StatementItem> to_commit;
  std::deque<ProofItem> to_verify;
  std::deque<JobPtr> to_close;
  std::map<ProofKind, KindCounts> counts;
  std::uint32_t being_submitted = 0;
  std::set<std::string> requests_being_submitted;
  std::uint64_t message_bytes = 0;  // reserved for inputs
  std::uint64_t self_check_failures = 0, retries = 0, recovered_jobs = 0;
  double typical_job_ms = 0;                                                     // a running mean
  std::string not_ready_because = "starting: preload and warm-up are not done";  // empty: ready
  bool is_draining = false;
  bool is_shutting_down = false;
  std::atomic<bool> cut{false};         // give up what is in hand at the next phase boundary
  std::atomic<bool> stopping{false};    // threads end
  std::atomic<bool> load_waits{false};  // for host or device memory
  Releaser releaser;                    // the last member: its thread uses those above

  // All below: the mutex is held.

  void span(JobRecord& job, const std::string& phase, int partition, int worker, EngineTime begin,
            EngineTime end);
  void start_span(JobRecord& job, const std::string& phase, int partition, int worker, EngineTime begin);
  // Turns the running span of this phase and partition into one that has ended.
  void end_span(JobRecord& job, const std::string& phase, int partition, EngineTime end);
  // Forgets it instead.
  void drop_span(JobRecord& job, const std::string& phase, int partition);
  void touch(JobRecord& job);  // wakes those who watch it
  // Tells listeners for the last time.
  void end_listeners(JobRecord& job, JobEvent event);
  // unavailable if this process will not go on with the job.
  Status abandoned(const JobRecord& job) const;
  void set_state(JobRecord& job, JobState state);
  // The job has left the queue.
  void begin(JobRecord& job, EngineTime now);

  // The job will end failed, or cancelled, once nothing of it is in hand. The first call counts.
  void fail(const JobPtr& job, JobError error);
  void cancel(const JobPtr& job);
  // A thread has put down something of this job.
  void settle(const JobPtr& job);
  // Closes the job if all partitions are there.
  void finish_partition(const JobPtr& job);
  // Every open job of this circuit.
  void fail_circuit(const CircuitParameters& circuit, const JobError& error);
  // No worker is left for it.
  void fail_unserved(const JobPtr& job);
  void drop_witness(JobRecord& job, unsigned partition);

  void retire(WorkerRecord& worker, const std::string& reason);
  bool has_usable_worker() const;
  bool is_served(const CircuitParameters& circuit) const;  // by a usable worker
  Scheduler::WorkerView view(const WorkerRecord& worker, EngineTime now);
  // Whether a usable worker other than this one could ever hold it.
  bool fits_elsewhere(const WorkerRecord& worker, const CircuitParameters& circuit);
  void update_blocked();
};

// Spans are told to observers with these.
JobSnapshot light_snapshot(const JobRecord& job);

}  // namespace cuzk
