#include "engine/preload_stage.h"

#include <algorithm>
#include <new>

#include "engine/circuit_id.h"
#include "engine/warm_up.h"

namespace cuzk {
namespace {

constexpr auto kLookAgain = std::chrono::milliseconds(500);
// After a failure that does not show in the file: 1 s, 2 s, ...
constexpr auto kFirstRetry = std::chrono::seconds(1);
constexpr unsigned kMostDoublings = 5;

std::string joined(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + "; " + b;
}

}  // namespace

void PreloadStage::run() {
  for (;;) {
    std::string reason = preload_all();
    reason = joined(reason, warm_up_all());
    std::unique_lock lock(core_.mutex);
    if (core_.stopping) return;
    core_.not_ready_because = reason;
    if (reason.empty()) return;
    core_.work.wait_for(lock, kLookAgain, [this] { return core_.stopping.load(); });
    if (core_.stopping) return;
  }
}

SrsLoad PreloadStage::load_everywhere(const CircuitParameters& circuit) {
  SrsLoad best{.outcome = SrsLoad::Outcome::device_lost, .status = unavailable("no usable worker is left")};
  bool is_loaded = false, was_resident = true;
  for (WorkerRecord& worker : core_.workers) {
    {
      const std::lock_guard lock(core_.mutex);
      if (!worker.usable || core_.stopping) continue;
    }
    SrsLoad load = core_.srs->load(worker.index, circuit);
    if (load.outcome == SrsLoad::Outcome::resident) {
      is_loaded = true;
      was_resident = was_resident && load.was_resident;
      best = load;
      continue;
    }
    if (load.outcome == SrsLoad::Outcome::device_lost) {
      const std::lock_guard lock(core_.mutex);
      core_.retire(worker, load.status.message());
    }
    if (!is_loaded) best = load;
  }
  best.was_resident = is_loaded && was_resident;
  core_.work.notify_all();
  return best;
}

// Once for each new complaint: what lasts is not to fill the log.
void PreloadStage::note_failure(Task& task, const std::string& complaint) {
  if (task.complaint != complaint) core_.events.note(EngineObserver::Level::error, complaint);
  task.complaint = complaint;
}

bool PreloadStage::is_resident(const CircuitParameters& circuit) const {
  const std::lock_guard lock(core_.mutex);
  return std::any_of(core_.workers.begin(), core_.workers.end(), [&](const WorkerRecord& worker) {
    return worker.usable && core_.srs->is_resident(worker.index, circuit);
  });
}

bool PreloadStage::has_room(const CircuitParameters& circuit) const {
  const std::lock_guard lock(core_.mutex);
  return std::any_of(core_.workers.begin(), core_.workers.end(), [&](const WorkerRecord& worker) {
    return worker.usable && core_.srs->may_fit(worker.index, circuit);
  });
}

void PreloadStage::preload(const CircuitParameters& circuit, Task& task) {
  const std::string id = circuit_id(circuit);
  const bool is_first = task.attempts == 0;
  if (!is_first && is_resident(circuit)) {
    if (!task.complaint.empty()) core_.events.note(EngineObserver::Level::info, id + " is there now");
    task.complaint.clear();
    return;
  }
  if (!is_first) {
    // Costs a look at the file.
    const Status usable = core_.srs->check(circuit);
    if (!usable.is_ok()) return note_failure(task, id + " cannot be preloaded: " + usable.message());
    if (!has_room(circuit)) {
      return note_failure(task, id + " is not loaded: there is no room for it beside the circuits that are");
    }
    if (EngineClock::now() < task.retry_at) return;
  }
  const SrsLoad load = load_everywhere(circuit);
  task.retry_at = EngineClock::now() + kFirstRetry * (1U << std::min(task.attempts, kMostDoublings));
  ++task.attempts;
  if (load.outcome == SrsLoad::Outcome::resident) {
    task.complaint.clear();
  } else {
    note_failure(task, id + " cannot be preloaded: " + load.status.message());
  }
}

std::string PreloadStage::preload_all() {
  std::string reason;
  for (std::size_t i = 0; i < circuits_.size() && !core_.stopping; ++i)
    preload(*find_circuit(core_.config.preload[i]).value(), circuits_[i]);
  // A later one may have evicted an earlier one.
  for (std::size_t i = 0; i < circuits_.size(); ++i) {
    std::string complaint = circuits_[i].complaint;
    const std::string& id = core_.config.preload[i];
    if (complaint.empty() && !is_resident(*find_circuit(id).value()))
      complaint = id + " was loaded and has made room for another circuit";
    reason = joined(reason, complaint);
  }
  return reason;
}

std::string PreloadStage::warm_up_all() {
  if (!core_.config.warm_up) return {};
  std::string reason;
  bool is_any_warm = false;
  for (std::size_t i = 0; i < warm_ups_.size() && !core_.stopping; ++i) {
    Task& task = warm_ups_[i];
    {
      const std::lock_guard lock(core_.mutex);
      if (!core_.workers[i].usable) continue;
    }
    const bool is_due =
        task.attempts == 0 || (!task.complaint.empty() && EngineClock::now() >= task.retry_at);
    if (is_due) {
      const Status warm = warm_up(*core_.workers[i].backend);
      task.retry_at = EngineClock::now() + kFirstRetry * (1U << std::min(task.attempts, kMostDoublings));
      ++task.attempts;
      if (warm.is_ok()) {
        task.complaint.clear();
      } else {
        note_failure(task, "the warm-up of worker " + std::to_string(i) + " failed: " + warm.message());
      }
    }
    is_any_warm = is_any_warm || task.complaint.empty();
    reason = joined(reason, task.complaint);
  }
  return is_any_warm ? std::string() : reason;
}

}  // namespace cuzk
