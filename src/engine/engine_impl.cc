// Threads: how they start, what each does in turn, how they end. The questions: engine_queries.cc.
#include "engine/engine_impl.h"

#include <algorithm>

namespace cuzk {
namespace {

// Wakes threads that wait for time to pass or for memory.
constexpr auto kPollEvery = std::chrono::milliseconds(50);
constexpr auto kHousekeepingEvery = std::chrono::minutes(10);
// Synthesis itself spreads over the global thread pool; a second thread covers its serial parts.
constexpr unsigned kSynthesizers = 2;

}  // namespace

EngineImpl::EngineImpl(EngineConfig config, std::vector<std::unique_ptr<Backend>> backends,
                       std::unique_ptr<Journal> journal, EngineObserver* observer)
    : core_(std::move(config), std::move(backends), std::move(journal), observer), submission_(core_) {}

Status EngineImpl::start() {
  if (!core_.has_usable_worker())
    return unavailable("no backend is usable: " + core_.workers.front().unusable_because);
  if (core_.journal != nullptr) {
    CUZK_ASSIGN(std::vector<JournalEntry> entries, core_.journal->recover());
    submission_.recover(std::move(entries));
  }
  for (WorkerRecord& worker : core_.workers) makers_.emplace_back([this, &worker] { worker_loop(worker); });
  for (unsigned i = 0; i < kSynthesizers; ++i) makers_.emplace_back([this] { host_loop(false); });
  makers_.emplace_back([this] { host_loop(true); });
  makers_.emplace_back([this] { preload_stage_.run(); });
  verifier_ = std::thread([this] { verify_loop(); });
  closer_ = std::thread([this] { close_loop(); });
  return Status::ok();
}

EngineImpl::~EngineImpl() {
  {
    const std::lock_guard lock(core_.mutex);
    core_.is_shutting_down = true;
    core_.cut = true;
    core_.stopping = true;
    tell_abandoned();
  }
  core_.work.notify_all();
  for (std::thread& thread : makers_) thread.join();
  // What was proved is verified, what was verified is written.
  {
    const std::lock_guard lock(core_.mutex);
    core_.work.notify_all();
  }
  if (verifier_.joinable()) verifier_.join();
  verifying_stopped_ = true;
  core_.work.notify_all();
  if (closer_.joinable()) closer_.join();
}

void EngineImpl::host_loop(bool critical_only) {
  std::unique_lock lock(core_.mutex);
  while (!core_.stopping) {
    const auto task =
        core_.cut ? std::nullopt
                  : core_.scheduler.take_host_task(core_.srs->loaded(), critical_only, EngineClock::now());
    if (!task) {
      core_.work.wait_for(lock, kPollEvery);
      continue;
    }
    const JobPtr job = core_.open.at(task->key.job);
    lock.unlock();
    bool is_done = true;
    if (task->kind == Scheduler::HostTask::Kind::validate) {
      validate_stage_.run(job);
    } else {
      is_done = synthesize_stage_.run(job, task->key.partition);
    }
    lock.lock();
    // Whatever the news: threads that put witnesses back would wake one another without end.
    if (!is_done) core_.work.wait_for(lock, kPollEvery, [this] { return core_.stopping.load(); });
  }
}

void EngineImpl::worker_loop(WorkerRecord& worker) {
  std::unique_lock lock(core_.mutex);
  while (!core_.stopping && worker.usable) {
    const EngineTime now = EngineClock::now();
    const auto task =
        core_.cut ? std::nullopt : core_.scheduler.take_worker_task(core_.view(worker, now), now);
    if (!task) {
      worker.is_idle = true;
      core_.work.wait_for(lock, kPollEvery);
      continue;
    }
    worker.is_idle = false;
    const JobPtr job = core_.open.at(task->key.job);
    lock.unlock();
    if (task->kind == Scheduler::WorkerTask::Kind::load) {
      load_stage_.run(worker, job);
    } else {
      prove_stage_.run(worker, job, task->key.partition);
    }
    lock.lock();
  }
  if (worker.usable) return;
  lock.unlock();
  core_.srs->forget_worker(worker.index);
}

void EngineImpl::verify_loop() {
  const auto is_proving = [](const WorkerRecord& worker) { return worker.job != nullptr; };
  std::unique_lock lock(core_.mutex);
  for (;;) {
    if (!core_.to_verify.empty()) {
      ProofItem item = std::move(core_.to_verify.front());
      core_.to_verify.pop_front();
      lock.unlock();
      verify_stage_.run(std::move(item));
      lock.lock();
    } else if (!core_.to_commit.empty()) {
      StatementItem item = std::move(core_.to_commit.front());
      core_.to_commit.pop_front();
      lock.unlock();
      verify_stage_.commit(std::move(item));
      lock.lock();
    } else {
      if (core_.stopping && std::none_of(core_.workers.begin(), core_.workers.end(), is_proving)) return;
      core_.work.wait_for(lock, kPollEvery);
    }
  }
}

void EngineImpl::close_loop() {
  EngineTime housekept = EngineClock::now();
  std::unique_lock lock(core_.mutex);
  for (;;) {
    core_.work.wait_for(lock, kPollEvery, [&] { return verifying_stopped_ || !core_.to_close.empty(); });
    if (!core_.to_close.empty()) {
      const JobPtr job = core_.to_close.front();
      core_.to_close.pop_front();
      lock.unlock();
      close_stage_.run(job);
      lock.lock();
    } else if (verifying_stopped_) {
      return;
    }
    if (EngineClock::now() - housekept < kHousekeepingEvery) continue;
    housekept = EngineClock::now();
    close_stage_.forget_old();
    lock.unlock();
    housekeep();
    lock.lock();
  }
}

void EngineImpl::housekeep() {
  if (core_.journal == nullptr) return;
  const auto keep = std::chrono::duration_cast<std::chrono::milliseconds>(core_.config.keep_results);
  const Result<std::uint64_t> forgotten = core_.journal->forget_before(unix_time_ms() - keep.count());
  if (!forgotten.is_ok()) {
    core_.events.note(EngineObserver::Level::warning,
                      "old jobs cannot be removed from the journal: " + forgotten.status().message());
  }
}

}  // namespace cuzk
