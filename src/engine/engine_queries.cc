// Questions and orders from outside: jobs, parameters, status.
#include <algorithm>

#include "engine/circuit_id.h"
#include "engine/engine_impl.h"
#include "engine/guarded.h"
#include "engine/memory_limit.h"

namespace cuzk {
namespace {

constexpr auto kAskEvery = std::chrono::milliseconds(100);
// A clock that counts nanoseconds cannot be set on by much more than 200 years.
constexpr std::chrono::milliseconds kLongestWait = std::chrono::hours(24 * 365);

std::chrono::milliseconds bounded(std::chrono::milliseconds time) {
  return std::clamp(time, std::chrono::milliseconds(0), kLongestWait);
}

Status unknown_job(const std::string& job_id) {
  return {StatusCode::not_found, "job " + job_id.substr(0, 64) + " is unknown or forgotten"};
}

// Listeners are called with the mutex held, so once it is taken here none is running.
class Listening final : public Subscription {
 public:
  Listening(EngineCore& core, JobPtr job, std::uint64_t id) : core_(core), job_(std::move(job)), id_(id) {}
  ~Listening() override {
    const std::lock_guard lock(core_.mutex);
    job_->listeners.erase(id_);
  }

 private:
  EngineCore& core_;
  const JobPtr job_;
  const std::uint64_t id_;
};

}  // namespace

Result<MessageMemory> EngineImpl::reserve_message(std::uint64_t bytes) {
  return guarded("a message", [&] { return submission_.reserve_message(bytes); });
}

void EngineImpl::count_refused(ProofKind kind, StatusCode code) {
  core_.metrics.refused(kind, status_code_name(code));
}

Result<Submitted> EngineImpl::submit(ProofRequest request, MessageMemory memory) {
  return submission_.submit(std::move(request), std::move(memory));
}

Result<Submitted> EngineImpl::submit(std::shared_ptr<const ProofInput> input, Priority priority,
                                     JobOptions options) {
  return submission_.submit(std::move(input), priority, options);
}

JobPtr EngineImpl::find_open_or_remembered(const std::string& job_id) const {
  const auto found = core_.by_id.find(job_id);
  return found == core_.by_id.end() ? nullptr : found->second;
}

JobSnapshot EngineImpl::snapshot(const JobRecord& job, bool with_spans, bool with_proof) const {
  JobSnapshot snapshot = job.snapshot(with_spans, with_proof);
  if (!is_final(job.state)) snapshot.queue_position = core_.scheduler.position(job.key);
  return snapshot;
}

Result<JobSnapshot> EngineImpl::find_in_journal(const std::string& job_id) const {
  if (core_.journal == nullptr) return unknown_job(job_id);
  CUZK_ASSIGN(std::optional<JobSnapshot> job, core_.journal->find(job_id));
  if (!job) return unknown_job(job_id);
  return *std::move(job);
}

Result<JobSnapshot> EngineImpl::await(const std::string& job_id,
                                      std::optional<std::chrono::milliseconds> timeout,
                                      const std::function<bool()>& stop_waiting) {
  const EngineTime begin = EngineClock::now();
  if (timeout) timeout = bounded(*timeout);
  std::unique_lock lock(core_.mutex);
  const JobPtr job = find_open_or_remembered(job_id);
  if (job == nullptr) {
    lock.unlock();
    return find_in_journal(job_id);
  }
  while (!is_final(job->state)) {
    CUZK_TRY(core_.abandoned(*job));
    const auto waited = EngineClock::now() - begin;
    if (timeout && waited >= *timeout) break;
    if (stop_waiting) {
      lock.unlock();
      const bool stop = stop_waiting();
      lock.lock();
      if (stop) break;
    }
    auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(kAskEvery);
    if (timeout) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*timeout - waited);
      wait = std::min(wait, left);
    }
    if (!is_final(job->state)) job->changed.wait_for(lock, wait);
  }
  return snapshot(*job, true, true);
}

Result<JobSnapshot> EngineImpl::find(const std::string& job_id) {
  {
    const std::lock_guard lock(core_.mutex);
    if (const JobPtr job = find_open_or_remembered(job_id)) return snapshot(*job, true, true);
  }
  return find_in_journal(job_id);
}

std::vector<JobSnapshot> EngineImpl::list(std::size_t limit) {
  std::vector<JobSnapshot> jobs, done;
  {
    const std::lock_guard lock(core_.mutex);
    for (const auto& [key, job] : core_.open) jobs.push_back(snapshot(*job, true, false));
    for (auto job = core_.finished.rbegin(); job != core_.finished.rend() && done.size() < limit; ++job)
      done.push_back(snapshot(**job, false, false));
  }
  std::stable_sort(jobs.begin(), jobs.end(), [](const JobSnapshot& a, const JobSnapshot& b) {
    return a.queue_position < b.queue_position;
  });
  if (done.size() < limit && core_.journal != nullptr) {
    Result<std::vector<JobSnapshot>> older = core_.journal->recent(limit);
    for (std::size_t i = 0; older.is_ok() && i < older.value().size() && done.size() < limit; ++i) {
      const JobSnapshot& job = older.value()[i];
      const auto is_same = [&](const JobSnapshot& known) { return known.job_id == job.job_id; };
      if (std::none_of(done.begin(), done.end(), is_same) && std::none_of(jobs.begin(), jobs.end(), is_same))
        done.push_back(job);
    }
  }
  jobs.insert(jobs.end(), std::make_move_iterator(done.begin()), std::make_move_iterator(done.end()));
  return jobs;
}

Status EngineImpl::watch(const std::string& job_id, const std::function<bool(const JobSnapshot&)>& receive) {
  std::unique_lock lock(core_.mutex);
  const JobPtr job = find_open_or_remembered(job_id);
  if (job == nullptr) {
    lock.unlock();
    CUZK_ASSIGN(const JobSnapshot found, find_in_journal(job_id));
    receive(found);
    return Status::ok();
  }
  for (;;) {
    const std::uint64_t seen = job->version;
    const JobSnapshot current = snapshot(*job, true, true);
    lock.unlock();
    if (!receive(current) || is_final(current.state)) return Status::ok();
    lock.lock();
    while (job->version == seen) {
      CUZK_TRY(core_.abandoned(*job));
      job->changed.wait_for(lock, kAskEvery);
    }
  }
}

Result<std::unique_ptr<Subscription>> EngineImpl::subscribe(const std::string& job_id,
                                                            std::function<void(JobEvent)> told) {
  {
    const std::lock_guard lock(core_.mutex);
    if (const JobPtr job = find_open_or_remembered(job_id)) {
      if (!is_final(job->state) && core_.abandoned(*job).is_ok()) {
        const std::uint64_t id = core_.next_listener++;
        job->listeners.emplace(id, std::move(told));
        return std::unique_ptr<Subscription>(std::make_unique<Listening>(core_, job, id));
      }
      told(is_final(job->state) ? JobEvent::ended : JobEvent::abandoned);
      return std::unique_ptr<Subscription>(std::make_unique<Subscription>());
    }
  }
  CUZK_TRY(find_in_journal(job_id).status());
  told(JobEvent::ended);
  return std::unique_ptr<Subscription>(std::make_unique<Subscription>());
}

Result<bool> EngineImpl::cancel(const std::string& job_id) {
  {
    const std::lock_guard lock(core_.mutex);
    if (const JobPtr job = find_open_or_remembered(job_id)) {
      if (is_final(job->state) || job->is_closing) {
        return invalid_argument("job " + job_id + " is " +
                                (is_final(job->state) ? job_state_name(job->state) : "about to end"));
      }
      const bool was_running = job->has_begun;
      core_.cancel(job);
      return was_running;
    }
  }
  CUZK_ASSIGN(const JobSnapshot job, find_in_journal(job_id));
  return invalid_argument("job " + job_id + " is " + job_state_name(job.state));
}

Result<std::vector<InputFinding>> EngineImpl::validate(const ProofRequest& request, MessageMemory memory) {
  CUZK_TRY(submission_.fit_memory(memory, request.memory_bytes()));
  return guarded("validation", [&]() -> Result<std::vector<InputFinding>> {
    CUZK_ASSIGN(const std::unique_ptr<ProofInput> input, parse_request(request));
    return input->validate(false);
  });
}

Result<bool> EngineImpl::preload(const std::string& id) {
  CUZK_ASSIGN(const CircuitParameters* const circuit, find_circuit(id));
  const SrsLoad load = preload_stage_.load_everywhere(*circuit);
  if (load.outcome != SrsLoad::Outcome::resident) return load.status;
  return load.was_resident;
}

Result<std::optional<std::uint64_t>> EngineImpl::evict(const std::string& id) {
  CUZK_ASSIGN(const CircuitParameters* const circuit, find_circuit(id));
  const auto evicted = core_.srs->evict(*circuit);
  core_.work.notify_all();
  return evicted;
}

void EngineImpl::drain() {
  const std::lock_guard lock(core_.mutex);
  core_.is_draining = true;
}

void EngineImpl::undrain() {
  const std::lock_guard lock(core_.mutex);
  core_.is_draining = false;
}

void EngineImpl::tell_abandoned() {
  for (const auto& [key, job] : core_.open) {
    core_.touch(*job);
    if (!core_.abandoned(*job).is_ok()) core_.end_listeners(*job, JobEvent::abandoned);
  }
  core_.work.notify_all();
}

bool EngineImpl::wait_idle(std::chrono::milliseconds timeout) {
  std::unique_lock lock(core_.mutex);
  return core_.work.wait_for(lock, bounded(timeout),
                             [&] { return core_.open.empty() && core_.being_submitted == 0; });
}

void EngineImpl::shut_down(std::chrono::milliseconds grace) {
  std::unique_lock lock(core_.mutex);
  if (core_.is_shutting_down) core_.cut = true;
  core_.is_shutting_down = true;
  core_.scheduler.start_no_new_jobs();
  tell_abandoned();
  core_.work.wait_for(lock, bounded(grace), [&] {
    return core_.cut || std::none_of(core_.open.begin(), core_.open.end(),
                                     [](const auto& entry) { return entry.second->has_begun; });
  });
  core_.cut = true;
  tell_abandoned();
}

std::vector<WorkerStatus> EngineImpl::worker_status() const {
  std::vector<WorkerStatus> result;
  for (const WorkerRecord& worker : core_.workers) {
    const DeviceStatus device = worker.backend->device_status();
    WorkerStatus status;
    status.index = worker.index;
    status.backend = worker.backend->name();
    status.name = device.name;
    status.uuid = device.uuid;
    status.memory_total_bytes = device.total_bytes;
    status.memory_free_bytes = device.free_bytes;
    if (worker.memory != nullptr) status.memory = {worker.memory->used_bytes(), worker.memory->limit_bytes()};
    status.work_space_bytes = core_.srs->work_space_bytes(worker.index);
    const std::lock_guard lock(core_.mutex);
    status.usable = worker.usable;
    status.unusable_because = worker.unusable_because;
    if (worker.job != nullptr) {
      status.job_id = worker.job->id;
      status.job_kind = worker.job->kind;
      status.partition = worker.partition;
      status.phase = worker.phase;
    }
    status.proofs = worker.proofs;
    status.faults = worker.faults;
    status.busy_ms = worker.busy_ms;
    result.push_back(std::move(status));
  }
  return result;
}

EngineStatus EngineImpl::status() const {
  EngineStatus status;
  status.started_at_ms = core_.started_at_ms;
  status.uptime_ms = std::chrono::duration<double, std::milli>(EngineClock::now() - core_.started).count();
  status.host_memory = {core_.host.used_bytes(), core_.host.limit_bytes()};
  status.resident_set_bytes = resident_set_bytes();
  status.max_jobs = core_.config.max_jobs;
  status.workers = worker_status();
  status.circuits = core_.srs->status();
  const std::lock_guard lock(core_.mutex);
  status.not_ready_because = core_.not_ready_because;
  if (!core_.has_usable_worker())
    status.not_ready_because = "no usable worker is left: " + core_.workers.front().unusable_because;
  status.ready = status.not_ready_because.empty();
  status.draining = core_.is_draining || core_.is_shutting_down;
  for (const auto& [kind, counts] : core_.counts) status.kinds.push_back(counts);
  status.self_check_failures = core_.self_check_failures;
  status.retries = core_.retries;
  status.recovered_jobs = core_.recovered_jobs;
  return status;
}

}  // namespace cuzk
