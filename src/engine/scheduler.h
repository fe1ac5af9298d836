// Scheduler: which piece of work is next, for the threads that synthesize and for each worker. It knows states and times, no
// threads and no data, so every rule below is tested without either.
//
// Order among jobs:
// - critical jobs first, in order of acceptance. A worker that has the circuit of one does not start anything else while its
//   witness is being made, so such a job waits for the partition that runs and for nothing more;
// - then by level: the priority, plus one for each age step for which the job was not served. Equal levels: the higher priority.
//   A job that got ahead of a higher priority by its age gets every other turn of a worker at most;
// - among equal priorities the order of acceptance, but a job whose circuit the worker has loaded goes before one that would need a
//   load, until that one has waited for an age step;
// - a load that would evict another circuit waits while jobs of no lower priority want what is loaded.
// A worker takes work that is ready rather than wait for work that goes first and is not.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "engine/proof_request.h"

namespace cuzk {

// A job within the engine; ascending in order of acceptance.
using JobKey = std::uint64_t;
using CircuitSet = std::set<const CircuitParameters*>;

struct PartitionKey {
  JobKey job = 0;
  unsigned partition = 0;  // the index among the job's proofs
};

// Not thread-safe.
class Scheduler {
 public:
  using Clock = std::chrono::steady_clock;

  struct Options {
    Clock::duration age_step = std::chrono::minutes(1);
    unsigned max_circuits =
        30;                  // partitions that hold a witness; one is kept for critical jobs if there are two
    unsigned max_ahead = 2;  // of one circuit, partitions whose witness is being made or waits for a worker
  };
  enum class State { pending, synthesizing, ready, proving, verifying, done };

  explicit Scheduler(Options options) : options_(options) {}

  void add(JobKey job, Priority priority, const CircuitParameters* circuit, unsigned partitions,
           Clock::time_point accepted);
  void remove(JobKey job) { jobs_.erase(job); }
  // No further partition of it is started.
  void stop(JobKey job);
  // This worker takes no more tasks.
  void forget_worker(int worker);
  // Only jobs that have begun go on.
  void start_no_new_jobs() { only_begun_ = true; }

  struct HostTask {
    enum class Kind { validate, synthesize };
    Kind kind;
    PartitionKey key;
  };
  // The next task for a thread of the host; it counts as begun. `loaded`: circuits whose constraints are there.
  std::optional<HostTask> take_host_task(const CircuitSet& loaded, bool critical_only, Clock::time_point now);
  void validated(JobKey job) { jobs_.at(job).is_valid = jobs_.at(job).is_validating = true; }

  struct WorkerView {
    int index = 0;
    CircuitSet resident;
    CircuitSet fits;     // not resident, and could be without evicting anything
    CircuitSet refused;  // can never be resident here, or are not to be tried yet
    CircuitSet blocked;  // lacked memory when last tried
    // Idle or loading workers, other than this one, that have a circuit or are about to.
    std::map<const CircuitParameters*, std::vector<int>> served_elsewhere;
    CircuitSet others_can_take;  // another usable worker has it, or could
  };
  struct WorkerTask {
    enum class Kind { prove, load };
    Kind kind;
    const CircuitParameters* circuit;
    PartitionKey key;  // for a load: the job that it is for
  };
  std::optional<WorkerTask> take_worker_task(const WorkerView& worker, Clock::time_point now);
  // Whether a critical job has a partition ready that this worker could prove at once.
  bool critical_waits(const WorkerView& worker, Clock::time_point now) const;

  // Moves of a partition; the job must be there.
  void set_state(PartitionKey key, State state);
  // Back among the ready ones, not to be taken before `not_before`, and not by worker `avoid` if another one can take it within an age
  // step.
  void prove_again(PartitionKey key, int avoid, Clock::time_point not_before);
  State state(PartitionKey key) const { return jobs_.at(key.job).partitions[key.partition].state; }
  bool has(JobKey job) const { return jobs_.contains(job); }
  // Partitions that a thread has in its hands, the validation counted as one.
  unsigned in_hand(JobKey job) const;
  // Whether a worker has yet to take, or has, a partition of it.
  bool needs_worker(JobKey job) const;
  bool has_begun(JobKey job) const { return jobs_.at(job).has_begun; }
  // Ready partitions of these circuits.
  std::vector<PartitionKey> ready_of(const CircuitSet& circuits) const;
  // Circuits that unfinished jobs need.
  CircuitSet wanted() const;
  // A load for these circuits waits for memory: nothing that comes after their jobs is synthesized.
  void set_blocked(CircuitSet blocked) { blocked_ = std::move(blocked); }
  // A witness of this job waits for memory, or no longer does. Meanwhile no worker is kept free for the job: what others have ready is what gives
  // memory back.
  void set_short_of_memory(JobKey job, bool is_short);
  // Jobs that come before this one; 0 if it has begun.
  unsigned position(JobKey job) const;

 private:
  struct Partition {
    State state = State::pending;
    int avoid = -1;  // the worker that failed
    Clock::time_point not_before{};
  };
  struct Job {
    Priority priority;
    const CircuitParameters* circuit;
    Clock::time_point unserved_since;
    std::vector<Partition> partitions;
    // Partitions in each state: a job may have thousands, and is asked for each decision.
    std::array<unsigned, 6> counts{};
    unsigned short_of_memory = 0;
    bool was_put_back = false;  // its last witness was given up
    bool has_retries = false;   // a partition of it has or had a worker to avoid
    bool is_validating = false;
    bool is_valid = false;
    bool is_stopped = false;
    bool has_begun = false;

    bool is_critical() const noexcept { return priority == Priority::critical; }
    void move(Partition& partition, State state) noexcept;
    unsigned count(State state) const noexcept { return counts[static_cast<std::size_t>(state)]; }
    // Not yet with a worker.
    unsigned unclaimed() const noexcept;
  };
  using Entry = std::pair<const JobKey, Job>;

  bool is_open(const Job& job) const noexcept { return !job.is_stopped && (!only_begun_ || job.has_begun); }
  Clock::duration unserved(const Job& job, Clock::time_point now) const { return now - job.unserved_since; }
  long level(const Job& job, Clock::time_point now) const;
  bool goes_before(const Entry& a, const Entry& b, Clock::time_point now) const;
  unsigned unclaimed_of(const CircuitParameters* circuit) const;
  // Whether these workers can take all that is left of a circuit.
  bool are_enough(const std::vector<int>& workers, const CircuitParameters* circuit) const;
  // The first of the jobs whose load waits for memory.
  const Entry* first_blocked(Clock::time_point now) const;
  // What the synthesis of a partition depends on, of all jobs together.
  struct Ahead {
    unsigned witnesses = 0;                               // made or being made, and not done with
    std::map<const CircuitParameters*, unsigned> queued;  // of those, the ones without a worker
  };
  Ahead ahead() const;
  bool may_synthesize(const Job& job, const CircuitSet& loaded, const Ahead& ahead) const;
  std::optional<unsigned> ready_partition(const Job& job, const WorkerView& worker,
                                          Clock::time_point now) const;
  bool may_load(const Job& job, const WorkerView& worker, Clock::time_point now) const;
  bool is_usable(const Job& job, const WorkerView& worker, Clock::time_point now) const;
  // Critical partitions that this worker could prove and whose witness is being made, or is made next.
  unsigned soon_ready(const WorkerView& worker, Clock::time_point now) const;
  Entry* critical_choice(const WorkerView& worker, Clock::time_point now);
  Entry* champion(Priority priority, const WorkerView& worker, Clock::time_point now);
  Entry* ordinary_choice(const WorkerView& worker, Clock::time_point now);
  WorkerTask begin(Entry& entry, const WorkerView& worker, Clock::time_point now);

  const Options options_;
  std::map<JobKey, Job> jobs_;
  CircuitSet blocked_;
  std::set<int> holding_;              // workers kept free for critical jobs
  std::map<int, bool> promoted_last_;  // whether a worker's last turn went to a job ahead by age
  bool only_begun_ = false;
};

}  // namespace cuzk
