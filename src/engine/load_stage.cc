#include "engine/load_stage.h"

#include <algorithm>

#include "engine/circuit_id.h"

namespace cuzk {
namespace {

// A shortage that none of our own proofs explains passes when another program gives its memory back: tries after 0.25 s, 0.5 s, ...,
// in all about 8 s.
constexpr auto kFirstRetry = std::chrono::milliseconds(250);
constexpr unsigned kMaxAttempts = 6;

}  // namespace

void LoadStage::run(WorkerRecord& worker, const JobPtr& job) {
  const CircuitParameters& circuit = *job->circuit;
  const EngineTime begin = EngineClock::now();
  {
    const std::lock_guard lock(core_.mutex);
    if (job->stop || job->is_closing) return;  // since the worker decided
    worker.loading = &circuit;
    core_.begin(*job, begin);
    core_.start_span(*job, "srs_load", -1, worker.index, begin);
  }
  const SrsLoad load = core_.srs->load(worker.index, circuit);
  const EngineTime end = EngineClock::now();
  const std::lock_guard lock(core_.mutex);
  worker.loading = nullptr;
  if (load.outcome == SrsLoad::Outcome::resident) {
    tell(*job, worker, load, begin, end);
    worker.blocked.erase(&circuit);
    core_.update_blocked();
  } else {
    // The time of the first try is part of the wait.
    core_.drop_span(*job, "srs_load", -1);
    settle_failure(worker, circuit, load);
  }
  core_.work.notify_all();
}

void LoadStage::tell(JobRecord& job, const WorkerRecord& worker, const SrsLoad& load, EngineTime begin,
                     EngineTime end) {
  const double waited_ms = std::chrono::duration<double, std::milli>(end - begin).count();
  const double record_ms = load.was_resident ? 0 : load.record_ms;
  core_.drop_span(job, "srs_load", -1);
  if (job.is_closing) {
    // What was reported of it stays.
    if (!load.was_resident) core_.metrics.phase("record", job.kind, record_ms);
    return core_.metrics.phase("srs_load", job.kind, waited_ms - record_ms);
  }
  const auto recorded = begin + std::chrono::duration_cast<EngineClock::duration>(
                                    std::chrono::duration<double, std::milli>(record_ms));
  if (!load.was_resident) core_.span(job, "record", -1, -1, begin, recorded);
  core_.span(job, "srs_load", -1, worker.index, recorded, end);
  job.timings.srs += waited_ms;
}

void LoadStage::settle_failure(WorkerRecord& worker, const CircuitParameters& circuit, const SrsLoad& load) {
  const StatusCode code = load.status.code();
  const std::string& message = load.status.message();
  core_.events.note(EngineObserver::Level::warning, circuit_id(circuit) + " cannot be loaded on worker " +
                                                        std::to_string(worker.index) + ": " + message);
  switch (load.outcome) {
    case SrsLoad::Outcome::resident:
      return;
    case SrsLoad::Outcome::parameters:
      return core_.fail_circuit(circuit, {StatusCode::unavailable, "srs_load", message, false, {}});
    case SrsLoad::Outcome::device_lost:
      return core_.retire(worker, message);
    case SrsLoad::Outcome::never_fits: {
      // Another worker may have more memory: its next view says so.
      if (!core_.fits_elsewhere(worker, circuit))
        core_.fail_circuit(circuit, {code, "srs_load", message, false, {}});
      return;
    }
    case SrsLoad::Outcome::no_memory:
    case SrsLoad::Outcome::device_full:
    case SrsLoad::Outcome::device_error:
      return settle_shortage(worker, circuit, load);
  }
}

void LoadStage::settle_shortage(WorkerRecord& worker, const CircuitParameters& circuit, const SrsLoad& load) {
  drop_orphans();
  WorkerRecord::Blocked& blocked = worker.blocked[&circuit];
  if (load.outcome == SrsLoad::Outcome::no_memory && others_hold_memory()) {
    blocked.retry_at = EngineClock::now() + kFirstRetry / 5;
  } else {
    blocked.retry_at = EngineClock::now() + kFirstRetry * (1U << std::min(blocked.attempts, kMaxAttempts));
    ++blocked.attempts;
  }
  const bool is_hopeless = blocked.attempts >= kMaxAttempts && !core_.is_served(circuit);
  if (is_hopeless) worker.blocked.erase(&circuit);
  core_.update_blocked();
  if (is_hopeless)
    core_.fail_circuit(circuit, {load.status.code(), "srs_load", load.status.message(), true, {}});
}

// Whether memory will be given back by work of ours.
bool LoadStage::others_hold_memory() const {
  return std::any_of(core_.open.begin(), core_.open.end(), [&](const auto& entry) {
    const JobRecord& job = *entry.second;
    return job.is_closing || std::any_of(job.partitions.begin(), job.partitions.end(),
                                         [](const PartitionRecord& p) { return p.witness != nullptr; });
  });
}

// Witnesses of circuits that no worker has loaded would hold the memory that the load needs.
void LoadStage::drop_orphans() {
  CircuitSet orphaned;
  for (const CircuitParameters* circuit : core_.scheduler.wanted()) {
    if (!core_.is_served(*circuit)) orphaned.insert(circuit);
  }
  for (const PartitionKey& key : core_.scheduler.ready_of(orphaned)) {
    core_.scheduler.set_state(key, Scheduler::State::pending);
    core_.drop_witness(*core_.open.at(key.job), key.partition);
  }
}

}  // namespace cuzk
