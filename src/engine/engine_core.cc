#include "engine/engine_core.h"

#include <algorithm>

#include "engine/circuit_id.h"
#include "engine/memory_limit.h"

namespace cuzk {
namespace {

constexpr std::array kKinds = {ProofKind::porep, ProofKind::winning, ProofKind::window, ProofKind::update,
                               ProofKind::update_poseidon};

std::uint64_t host_limit(const EngineConfig& config) {
  if (config.host_memory_limit_bytes > 0) return config.host_memory_limit_bytes;
  return allowed_memory_bytes() / 10 * 9;
}

std::vector<WorkerRecord> make_workers(std::vector<std::unique_ptr<Backend>> backends,
                                       std::uint64_t reserve) {
  std::vector<WorkerRecord> workers(backends.size());
  for (std::size_t i = 0; i < backends.size(); ++i) {
    workers[i].index = static_cast<int>(i);
    workers[i].backend = std::move(backends[i]);
    const DeviceStatus device = workers[i].backend->device_status();
    workers[i].usable = device.usable;
    workers[i].unusable_because = device.unusable_because;
    if (device.total_bytes == 0) continue;
    workers[i].memory = std::make_unique<MemoryBudget>(
        "memory of device " + std::to_string(i), device.total_bytes - std::min(device.total_bytes, reserve));
  }
  return workers;
}

CircuitSet pinned_circuits(const std::vector<std::string>& ids) {
  CircuitSet circuits;
  for (const std::string& id : ids) {
    if (const auto found = find_circuit(id); found.is_ok()) circuits.insert(found.value());
  }
  return circuits;
}

Scheduler::Options scheduler_options(const EngineConfig& config, std::size_t workers) {
  const unsigned circuits = std::max(1U, config.max_circuits);
  return {.age_step = config.age_step,
          .max_circuits = circuits,
          .max_ahead = std::min(circuits, static_cast<unsigned>(workers) + 2)};
}

}  // namespace

JobSnapshot light_snapshot(const JobRecord& job) {
  return job.snapshot(false, false);
}

EngineCore::EngineCore(EngineConfig engine_config, std::vector<std::unique_ptr<Backend>> backends,
                       std::unique_ptr<Journal> the_journal, EngineObserver* observer)
    : config(std::move(engine_config)),
      journal(std::move(the_journal)),
      events(observer),
      host("host memory", host_limit(config)),
      workers(make_workers(std::move(backends), config.device_memory_reserve_bytes)),
      scheduler(scheduler_options(config, workers.size())) {
  std::vector<SrsManager::Device> devices;
  for (const WorkerRecord& worker : workers) devices.push_back({worker.backend.get(), worker.memory.get()});
  srs = std::make_unique<SrsManager>(
      config.params_dir, config.circuit_cache_dir, host, std::move(devices), pinned_circuits(config.pin),
      [this](bool is_warning, const std::string& text) {
        events.note(is_warning ? EngineObserver::Level::warning : EngineObserver::Level::info, text);
      },
      observer == nullptr
          ? SrsManager::Progress()
          : [observer](const std::string& id, std::string_view step, std::uint64_t done,
                       std::uint64_t total) { observer->load_progress(id, step, done, total); });
  for (const ProofKind kind : kKinds) counts[kind].kind = kind;
}

void EngineCore::span(JobRecord& job, const std::string& phase, int partition, int worker, EngineTime begin,
                      EngineTime end) {
  const PhaseSpan& added = job.add_span(phase, partition, worker, begin, end);
  metrics.phase(phase, job.kind, added.ms);
  events.span_ended(light_snapshot(job), added);
  touch(job);
}

void EngineCore::start_span(JobRecord& job, const std::string& phase, int partition, int worker,
                            EngineTime begin) {
  job.running.push_back({phase, partition, worker, begin});
  touch(job);
}

void EngineCore::end_span(JobRecord& job, const std::string& phase, int partition, EngineTime end) {
  const auto found = std::find_if(job.running.begin(), job.running.end(), [&](const RunningSpan& span) {
    return span.phase == phase && span.partition == partition;
  });
  if (found == job.running.end()) return;
  const RunningSpan ended = *found;
  job.running.erase(found);
  span(job, ended.phase, ended.partition, ended.worker, ended.start, end);
}

void EngineCore::drop_span(JobRecord& job, const std::string& phase, int partition) {
  std::erase_if(job.running,
                [&](const RunningSpan& span) { return span.phase == phase && span.partition == partition; });
}

void EngineCore::touch(JobRecord& job) {
  ++job.version;
  job.changed.notify_all();
  for (const auto& [id, told] : job.listeners) told(JobEvent::changed);
}

void EngineCore::end_listeners(JobRecord& job, JobEvent event) {
  for (const auto& [id, told] : std::exchange(job.listeners, {})) told(event);
}

Status EngineCore::abandoned(const JobRecord& job) const {
  if (!is_shutting_down || is_final(job.state)) return Status::ok();
  if (job.has_begun && !cut) return Status::ok();
  return unavailable("the prover is shutting down; job " + job.id +
                     (job.is_journaled ? " is kept and runs after the next start" : " is given up"));
}

void EngineCore::set_state(JobRecord& job, JobState state) {
  if (job.state == state) return;
  job.state = state;
  events.job_changed(light_snapshot(job));
  touch(job);
}

void EngineCore::begin(JobRecord& job, EngineTime now) {
  if (job.has_begun) return;
  job.has_begun = true;
  ++counts[job.kind].in_progress;
  --counts[job.kind].pending;
  span(job, "queue", -1, -1, job.queued_since, now);
  job.timings.queue += job.spans.back().ms;
}

void EngineCore::fail(const JobPtr& job, JobError error) {
  if (job->stop || job->is_closing) return;
  job->error = std::move(error);
  job->stop = true;
  scheduler.stop(job->key);
  update_blocked();
  settle(job);
}

void EngineCore::cancel(const JobPtr& job) {
  if (job->stop || job->is_closing) return;
  job->is_cancelled = true;
  job->stop = true;
  scheduler.stop(job->key);
  update_blocked();
  settle(job);
}

void EngineCore::settle(const JobPtr& job) {
  if (!job->stop || job->is_closing) return;
  for (unsigned i = 0; i < job->partitions.size(); ++i) {
    const Scheduler::State state = scheduler.state({job->key, i});
    if (state == Scheduler::State::pending || state == Scheduler::State::ready) drop_witness(*job, i);
  }
  if (scheduler.in_hand(job->key) > 0) return;
  job->is_closing = true;
  to_close.push_back(job);
  work.notify_all();
}

void EngineCore::finish_partition(const JobPtr& job) {
  if (job->stop) return settle(job);
  if (job->partitions_done < job->partitions.size() || job->is_closing) return;
  update_blocked();
  job->is_closing = true;
  to_close.push_back(job);
  work.notify_all();
}

void EngineCore::fail_circuit(const CircuitParameters& circuit, const JobError& error) {
  const std::map<JobKey, JobPtr> jobs = open;
  for (const auto& [key, job] : jobs) {
    if (job->circuit == &circuit) fail(job, error);
  }
}

void EngineCore::drop_witness(JobRecord& job, unsigned partition) {
  auto& witness = job.partitions[partition].witness;
  if (witness == nullptr) return;
  releaser.release(std::move(witness), [this](double) { work.notify_all(); });
  witness = nullptr;
}

void EngineCore::retire(WorkerRecord& worker, const std::string& reason) {
  if (!worker.usable) return;
  worker.usable = false;
  worker.unusable_because = reason;
  scheduler.forget_worker(worker.index);
  worker.blocked.clear();
  update_blocked();
  events.note(EngineObserver::Level::error, "worker " + std::to_string(worker.index) + " leaves: " + reason);
  if (!has_usable_worker()) {
    const std::map<JobKey, JobPtr> jobs = open;
    for (const auto& [key, job] : jobs) {
      if (scheduler.needs_worker(key)) fail_unserved(job);
    }
  }
  work.notify_all();
}

bool EngineCore::has_usable_worker() const {
  return std::any_of(workers.begin(), workers.end(), [](const WorkerRecord& w) { return w.usable; });
}

bool EngineCore::is_served(const CircuitParameters& circuit) const {
  return std::any_of(workers.begin(), workers.end(), [&](const WorkerRecord& worker) {
    return worker.usable && srs->serves(worker.index, circuit);
  });
}

Scheduler::WorkerView EngineCore::view(const WorkerRecord& worker, EngineTime now) {
  const CircuitSet wanted = scheduler.wanted();
  Scheduler::WorkerView view = srs->view(worker.index, wanted);
  for (const auto& [circuit, blocked] : worker.blocked) {
    view.blocked.insert(circuit);
    if (now < blocked.retry_at) view.refused.insert(circuit);
  }
  // What fits nowhere any more is tried all the same: the load says why, and fails the jobs that wait for it.
  std::erase_if(view.refused, [&](const CircuitParameters* circuit) {
    return !worker.blocked.contains(circuit) && !fits_elsewhere(worker, *circuit);
  });
  for (const WorkerRecord& other : workers) {
    if (other.index == worker.index || !other.usable) continue;
    const CircuitSet refused = srs->view(other.index, wanted).refused;
    for (const CircuitParameters* circuit : wanted) {
      const bool serves = other.loading == circuit || (other.is_idle && srs->serves(other.index, *circuit));
      if (serves) view.served_elsewhere[circuit].push_back(other.index);
      if (!refused.contains(circuit)) view.others_can_take.insert(circuit);
    }
  }
  return view;
}

bool EngineCore::fits_elsewhere(const WorkerRecord& worker, const CircuitParameters& circuit) {
  return std::any_of(workers.begin(), workers.end(), [&](const WorkerRecord& other) {
    return other.usable && other.index != worker.index &&
           !srs->view(other.index, {&circuit}).refused.contains(&circuit);
  });
}

void EngineCore::fail_unserved(const JobPtr& job) {
  const auto reason = std::find_if(workers.begin(), workers.end(), [](const WorkerRecord& worker) {
    return !worker.unusable_because.empty();
  });
  fail(job, {StatusCode::unavailable,
             "prove",
             "no usable worker is left" + (reason == workers.end() ? "" : ": " + reason->unusable_because),
             true,
             {}});
}

void EngineCore::update_blocked() {
  const CircuitSet wanted = scheduler.wanted();
  CircuitSet blocked;
  for (WorkerRecord& worker : workers) {
    std::erase_if(worker.blocked, [&](const auto& entry) { return !wanted.contains(entry.first); });
    for (const auto& [circuit, state] : worker.blocked) {
      // Where another worker has it, nobody has to make room for this load.
      if (!is_served(*circuit)) blocked.insert(circuit);
    }
  }
  load_waits = !blocked.empty();
  scheduler.set_blocked(std::move(blocked));
}

}  // namespace cuzk
