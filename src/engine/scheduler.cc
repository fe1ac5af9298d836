#include "engine/scheduler.h"

#include <algorithm>

namespace cuzk {

void Scheduler::Job::move(Partition& partition, State state) noexcept {
  --counts[static_cast<std::size_t>(partition.state)];
  ++counts[static_cast<std::size_t>(state)];
  partition.state = state;
}

unsigned Scheduler::Job::unclaimed() const noexcept {
  return count(State::pending) + count(State::synthesizing) + count(State::ready);
}

void Scheduler::add(JobKey job, Priority priority, const CircuitParameters* circuit, unsigned partitions,
                    Clock::time_point accepted) {
  jobs_.emplace(job, Job{.priority = priority,
                         .circuit = circuit,
                         .unserved_since = accepted,
                         .partitions = std::vector<Partition>(partitions),
                         .counts = {partitions}});
}

void Scheduler::stop(JobKey job) {
  Job& stopped = jobs_.at(job);
  stopped.is_stopped = true;
  for (Partition& partition : stopped.partitions) {
    if (partition.state == State::ready) stopped.move(partition, State::pending);
  }
}

void Scheduler::forget_worker(int worker) {
  holding_.erase(worker);
  promoted_last_.erase(worker);
}

void Scheduler::set_state(PartitionKey key, State state) {
  Job& job = jobs_.at(key.job);
  Partition& partition = job.partitions[key.partition];
  if (partition.state == State::synthesizing) job.was_put_back = state == State::pending;
  job.move(partition, state);
}

void Scheduler::prove_again(PartitionKey key, int avoid, Clock::time_point not_before) {
  set_state(key, State::ready);
  Job& job = jobs_.at(key.job);
  job.has_retries = true;
  Partition& partition = job.partitions[key.partition];
  partition.avoid = avoid;
  partition.not_before = not_before;
}

unsigned Scheduler::in_hand(JobKey job) const {
  const Job& asked = jobs_.at(job);
  return asked.count(State::synthesizing) + asked.count(State::proving) + asked.count(State::verifying) +
         (asked.is_validating && !asked.is_valid ? 1 : 0);
}

bool Scheduler::needs_worker(JobKey job) const {
  const Job& asked = jobs_.at(job);
  return asked.unclaimed() + asked.count(State::proving) > 0;
}

std::vector<PartitionKey> Scheduler::ready_of(const CircuitSet& circuits) const {
  std::vector<PartitionKey> keys;
  for (const auto& [key, job] : jobs_) {
    if (job.count(State::ready) == 0 || !circuits.contains(job.circuit)) continue;
    for (unsigned i = 0; i < job.partitions.size(); ++i) {
      if (job.partitions[i].state == State::ready) keys.push_back({key, i});
    }
  }
  return keys;
}

CircuitSet Scheduler::wanted() const {
  CircuitSet circuits;
  for (const auto& [key, job] : jobs_) {
    if (is_open(job) && job.unclaimed() > 0) circuits.insert(job.circuit);
  }
  return circuits;
}

unsigned Scheduler::position(JobKey key) const {
  const auto found = jobs_.find(key);
  if (found == jobs_.end() || found->second.has_begun) return 0;
  const auto ahead = std::count_if(jobs_.begin(), jobs_.end(), [&](const Entry& other) {
    if (other.first == key || other.second.is_stopped) return false;
    if (other.second.has_begun) return true;
    if (other.second.priority != found->second.priority)
      return other.second.priority > found->second.priority;
    return other.first < key;
  });
  return static_cast<unsigned>(ahead);
}

long Scheduler::level(const Job& job, Clock::time_point now) const {
  return static_cast<long>(job.priority) + static_cast<long>(unserved(job, now) / options_.age_step);
}

bool Scheduler::goes_before(const Entry& a, const Entry& b, Clock::time_point now) const {
  if (a.second.is_critical() != b.second.is_critical()) return a.second.is_critical();
  if (a.second.priority != b.second.priority) {
    const long level_a = level(a.second, now), level_b = level(b.second, now);
    return level_a != level_b ? level_a > level_b : a.second.priority > b.second.priority;
  }
  return a.first < b.first;
}

unsigned Scheduler::unclaimed_of(const CircuitParameters* circuit) const {
  unsigned sum = 0;
  for (const auto& [key, job] : jobs_) {
    if (job.circuit == circuit && is_open(job)) sum += job.unclaimed();
  }
  return sum;
}

bool Scheduler::are_enough(const std::vector<int>& workers, const CircuitParameters* circuit) const {
  if (unclaimed_of(circuit) > workers.size()) return false;
  const auto may_take = [&](const Partition& partition) {
    return partition.state != State::ready ||
           std::any_of(workers.begin(), workers.end(), [&](int worker) { return worker != partition.avoid; });
  };
  return std::all_of(jobs_.begin(), jobs_.end(), [&](const Entry& entry) {
    const Job& job = entry.second;
    return job.circuit != circuit || !job.has_retries || !is_open(job) ||
           std::all_of(job.partitions.begin(), job.partitions.end(), may_take);
  });
}

const Scheduler::Entry* Scheduler::first_blocked(Clock::time_point now) const {
  if (blocked_.empty()) return nullptr;
  const Entry* first = nullptr;
  for (const Entry& entry : jobs_) {
    const Job& job = entry.second;
    if (!is_open(job) || job.unclaimed() == 0 || !blocked_.contains(job.circuit)) continue;
    if (first == nullptr || goes_before(entry, *first, now)) first = &entry;
  }
  return first;
}

Scheduler::Ahead Scheduler::ahead() const {
  Ahead ahead;
  for (const auto& [key, job] : jobs_) {
    ahead.witnesses +=
        static_cast<unsigned>(job.partitions.size()) - job.count(State::pending) - job.count(State::done);
    ahead.queued[job.circuit] += job.count(State::synthesizing) + job.count(State::ready);
  }
  return ahead;
}

void Scheduler::set_short_of_memory(JobKey job, bool is_short) {
  unsigned& count = jobs_.at(job).short_of_memory;
  is_short ? ++count : --count;
}

bool Scheduler::may_synthesize(const Job& job, const CircuitSet& loaded, const Ahead& ahead) const {
  if (!job.is_valid || !is_open(job) || !loaded.contains(job.circuit) || job.count(State::pending) == 0)
    return false;
  if (job.is_critical()) return ahead.witnesses < options_.max_circuits;
  const unsigned limit = std::max(1U, options_.max_circuits - 1);
  return ahead.queued.at(job.circuit) < options_.max_ahead && ahead.witnesses < limit;
}

std::optional<Scheduler::HostTask> Scheduler::take_host_task(const CircuitSet& loaded, bool critical_only,
                                                             Clock::time_point now) {
  Entry* unchecked = nullptr;
  Entry* next = nullptr;
  const Entry* const waits_for_memory = first_blocked(now);
  const Ahead all_ahead = ahead();
  const auto take_first = [&](Entry*& best, Entry& entry) {
    if (best == nullptr || goes_before(entry, *best, now)) best = &entry;
  };
  for (Entry& entry : jobs_) {
    Job& job = entry.second;
    if (!is_open(job) || (critical_only && !job.is_critical())) continue;
    if (!job.is_validating) take_first(unchecked, entry);
    if (may_synthesize(job, loaded, all_ahead)) take_first(next, entry);
  }
  if (next != nullptr && waits_for_memory != nullptr && goes_before(*waits_for_memory, *next, now))
    next = nullptr;
  // A check takes milliseconds, so it goes before work of the same priority.
  if (unchecked != nullptr && (next == nullptr || unchecked->second.priority >= next->second.priority)) {
    unchecked->second.is_validating = true;
    return HostTask{HostTask::Kind::validate, {unchecked->first, 0}};
  }
  if (next == nullptr) return std::nullopt;
  auto& partitions = next->second.partitions;
  const auto partition = std::find_if(partitions.begin(), partitions.end(),
                                      [](const Partition& p) { return p.state == State::pending; });
  next->second.move(*partition, State::synthesizing);
  next->second.has_begun = true;
  return HostTask{HostTask::Kind::synthesize,
                  {next->first, static_cast<unsigned>(partition - partitions.begin())}};
}

std::optional<unsigned> Scheduler::ready_partition(const Job& job, const WorkerView& worker,
                                                   Clock::time_point now) const {
  for (unsigned i = 0; job.count(State::ready) > 0 && i < job.partitions.size(); ++i) {
    const Partition& partition = job.partitions[i];
    const bool is_left_to_others = partition.avoid == worker.index &&
                                   worker.others_can_take.contains(job.circuit) &&
                                   unserved(job, now) < options_.age_step;
    if (partition.state == State::ready && !is_left_to_others && partition.not_before <= now) return i;
  }
  return std::nullopt;
}

bool Scheduler::may_load(const Job& job, const WorkerView& worker, Clock::time_point now) const {
  if (worker.refused.contains(job.circuit)) return false;
  const auto elsewhere = worker.served_elsewhere.find(job.circuit);
  if (elsewhere != worker.served_elsewhere.end() && are_enough(elsewhere->second, job.circuit)) return false;
  const bool wants_resident = std::any_of(jobs_.begin(), jobs_.end(), [&](const Entry& other) {
    return is_open(other.second) && worker.resident.contains(other.second.circuit) &&
           other.second.priority >= job.priority && other.second.unclaimed() > 0;
  });
  if (worker.blocked.contains(job.circuit)) {
    // What is ready frees memory when it is done.
    return std::none_of(jobs_.begin(), jobs_.end(), [&](const Entry& other) {
      return worker.resident.contains(other.second.circuit) &&
             ready_partition(other.second, worker, now).has_value();
    });
  }
  return job.is_critical() || worker.fits.contains(job.circuit) || !wants_resident ||
         unserved(job, now) >= options_.age_step;
}

bool Scheduler::is_usable(const Job& job, const WorkerView& worker, Clock::time_point now) const {
  if (!is_open(job) || !job.is_valid || job.unclaimed() == 0) return false;
  if (worker.resident.contains(job.circuit)) return ready_partition(job, worker, now).has_value();
  return may_load(job, worker, now);
}

// Not those that lack memory, wait behind a load that does, or would be one witness too many: the work of other jobs is what gives
// these back, and a worker that is kept free does none.
unsigned Scheduler::soon_ready(const WorkerView& worker, Clock::time_point now) const {
  unsigned being_made = 0, next = 0;
  const Entry* const waits_for_memory = first_blocked(now);
  for (const Entry& entry : jobs_) {
    const Job& job = entry.second;
    if (!job.is_critical() || !is_open(job) || !worker.resident.contains(job.circuit)) continue;
    if (job.short_of_memory > 0 || job.was_put_back) continue;
    being_made += job.count(State::synthesizing);
    const bool is_behind = waits_for_memory != nullptr && goes_before(*waits_for_memory, entry, now);
    if (!is_behind) next += job.count(State::pending);
  }
  if (next == 0) return being_made;
  const unsigned witnesses = ahead().witnesses;
  return being_made + std::min(next, options_.max_circuits - std::min(options_.max_circuits, witnesses));
}

Scheduler::Entry* Scheduler::critical_choice(const WorkerView& worker, Clock::time_point now) {
  const auto chosen = std::find_if(jobs_.begin(), jobs_.end(), [&](const Entry& entry) {
    return entry.second.is_critical() && is_usable(entry.second, worker, now);
  });
  return chosen == jobs_.end() ? nullptr : &*chosen;
}

bool Scheduler::critical_waits(const WorkerView& worker, Clock::time_point now) const {
  return std::any_of(jobs_.begin(), jobs_.end(), [&](const Entry& entry) {
    const Job& job = entry.second;
    return job.is_critical() && is_open(job) && worker.resident.contains(job.circuit) &&
           ready_partition(job, worker, now).has_value();
  });
}

Scheduler::Entry* Scheduler::champion(Priority priority, const WorkerView& worker, Clock::time_point now) {
  Entry* first = nullptr;
  for (Entry& entry : jobs_) {
    const Job& job = entry.second;
    if (job.priority != priority || !is_usable(job, worker, now)) continue;
    if (worker.resident.contains(job.circuit)) {
      const bool overdue = first != nullptr && unserved(first->second, now) >= options_.age_step;
      return overdue ? first : &entry;
    }
    if (first == nullptr) first = &entry;
  }
  return first;
}

Scheduler::Entry* Scheduler::ordinary_choice(const WorkerView& worker, Clock::time_point now) {
  Entry* highest = nullptr;
  Entry* best = nullptr;
  for (const Priority priority : {Priority::high, Priority::normal, Priority::low}) {
    Entry* const entry = champion(priority, worker, now);
    if (entry == nullptr) continue;
    if (highest == nullptr) highest = entry;
    if (best == nullptr || level(entry->second, now) > level(best->second, now)) best = entry;
  }
  bool& promoted_last = promoted_last_[worker.index];
  if (best != highest && promoted_last) best = highest;
  promoted_last = best != highest;
  return best;
}

Scheduler::WorkerTask Scheduler::begin(Entry& entry, const WorkerView& worker, Clock::time_point now) {
  auto& [key, job] = entry;
  job.has_begun = true;
  if (!worker.resident.contains(job.circuit)) return {WorkerTask::Kind::load, job.circuit, {key, 0}};
  const unsigned partition = *ready_partition(job, worker, now);
  job.unserved_since = now;
  job.move(job.partitions[partition], State::proving);
  return {WorkerTask::Kind::prove, job.circuit, {key, partition}};
}

std::optional<Scheduler::WorkerTask> Scheduler::take_worker_task(const WorkerView& worker,
                                                                 Clock::time_point now) {
  holding_.erase(worker.index);
  if (Entry* const critical = critical_choice(worker, now)) return begin(*critical, worker, now);
  if (holding_.size() < soon_ready(worker, now)) {
    holding_.insert(worker.index);
    return std::nullopt;
  }
  Entry* const choice = ordinary_choice(worker, now);
  if (choice == nullptr) return std::nullopt;
  return begin(*choice, worker, now);
}

}  // namespace cuzk
