#include "engine/close_stage.h"

#include <thread>

namespace cuzk {
namespace {

constexpr unsigned kWriteAttempts = 4;
constexpr auto kFirstRetry = std::chrono::milliseconds(50);
constexpr std::size_t kRememberedJobs = 1024;  // older ones are in the journal

JobState final_state(const JobRecord& job) {
  if (job.is_cancelled) return JobState::cancelled;
  return job.error ? JobState::failed : JobState::completed;
}

}  // namespace

void CloseStage::run(const JobPtr& job) {
  const EngineTime begin = EngineClock::now();
  const JobSnapshot outcome = settle(job);
  if (core_.journal != nullptr && job->is_journaled) {
    write(outcome);
    const std::lock_guard lock(core_.mutex);
    core_.span(*job, "journal", -1, -1, begin, EngineClock::now());
  }
  report(job, outcome);
}

JobSnapshot CloseStage::settle(const JobPtr& job) {
  const std::lock_guard lock(core_.mutex);
  const EngineTime now = EngineClock::now();
  job->finished_at_ms = unix_time_ms();
  job->timings.total = job->ms_since_accepted(now);
  const JobState before = job->state;
  job->state = final_state(*job);
  JobSnapshot outcome = job->snapshot(true, true);
  job->state = before;
  return outcome;
}

// A proof that cannot be written is still given out: it is valid, and after a restart the job is merely proved again.
void CloseStage::write(const JobSnapshot& job) {
  for (unsigned attempt = 0; attempt < kWriteAttempts; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(kFirstRetry * (1U << attempt));
    const Status written = core_.journal->finish(job);
    if (written.is_ok()) return;
    core_.events.note(EngineObserver::Level::error,
                      "job " + job.job_id + " cannot be written to the journal: " + written.message());
  }
}

void CloseStage::report(const JobPtr& job, const JobSnapshot& outcome) {
  const std::lock_guard lock(core_.mutex);
  const EngineTime now = EngineClock::now();
  if (job->last_return && outcome.state == JobState::completed)
    core_.span(*job, "finish", -1, -1, *job->last_return, now);
  const auto unexplained = std::chrono::duration_cast<EngineClock::duration>(
      std::chrono::duration<double, std::milli>(job->unexplained_ms(now)));
  core_.span(*job, "overhead", -1, -1, now - unexplained, now);
  job->timings.total = job->ms_since_accepted(now);
  KindCounts& counts = core_.counts[job->kind];
  --(job->has_begun ? counts.in_progress : counts.pending);
  if (outcome.state == JobState::completed) {
    ++counts.completed;
    core_.metrics.completed(job->kind, job->timings.queue, job->timings.total);
    const double work_ms = job->timings.total - job->timings.queue;
    core_.typical_job_ms += (work_ms - core_.typical_job_ms) / 8;
  } else if (outcome.state == JobState::cancelled) {
    ++counts.cancelled;
  } else {
    ++counts.failed;
    core_.metrics.failed(job->kind, status_code_name(job->error->code));
  }
  core_.scheduler.remove(job->key);
  core_.open.erase(job->key);
  core_.finished.push_back(job);
  core_.message_bytes -= job->held->memory.bytes();
  core_.releaser.release(std::move(job->held), [&core = core_, job](double ms) {
    const std::lock_guard relock(core.mutex);
    const EngineTime end = EngineClock::now();
    core.span(*job, "release", -1, -1,
              end - std::chrono::duration_cast<EngineClock::duration>(
                        std::chrono::duration<double, std::milli>(ms)),
              end);
    core.work.notify_all();
  });
  job->held = nullptr;
  core_.set_state(*job, outcome.state);
  core_.end_listeners(*job, JobEvent::ended);
  forget_old();
  core_.work.notify_all();
}

void CloseStage::forget_old() {
  const auto keep = core_.config.keep_results;
  const std::int64_t oldest =
      unix_time_ms() - std::chrono::duration_cast<std::chrono::milliseconds>(keep).count();
  while (!core_.finished.empty() &&
         (core_.finished.size() > kRememberedJobs || core_.finished.front()->finished_at_ms < oldest)) {
    const JobPtr& job = core_.finished.front();
    core_.by_id.erase(job->id);
    const auto request = core_.by_request.find(job->request_id);
    if (request != core_.by_request.end() && request->second == job) core_.by_request.erase(request);
    core_.finished.pop_front();
  }
}

}  // namespace cuzk
