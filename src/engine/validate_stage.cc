#include "engine/validate_stage.h"

#include "engine/guarded.h"

namespace cuzk {

JobError findings_error(std::vector<InputFinding> findings) {
  std::string message = findings.front().text;
  if (findings.size() > 1) message += " (and " + std::to_string(findings.size() - 1) + " more findings)";
  return {StatusCode::invalid_argument, "validate", std::move(message), false, std::move(findings)};
}

void ValidateStage::run(const JobPtr& job) {
  const EngineTime begin = EngineClock::now();
  {
    const std::lock_guard lock(core_.mutex);
    core_.span(*job, "queue", -1, -1, job->queued_since, begin);
    job->timings.queue += job->spans.back().ms;
    core_.start_span(*job, "validate", -1, -1, begin);
  }
  using Findings = std::vector<InputFinding>;
  Result<Findings> findings =
      guarded("validation", [&]() -> Result<Findings> { return job->input().validate(false); });
  const EngineTime end = EngineClock::now();
  const std::lock_guard lock(core_.mutex);
  core_.end_span(*job, "validate", -1, end);
  core_.scheduler.validated(job->key);
  job->queued_since = end;
  for (PartitionRecord& partition : job->partitions) partition.waits_since = end;
  if (!findings.is_ok()) {
    core_.fail(job, {findings.status().code(), "validate", findings.status().message(), true, {}});
  } else if (!findings.value().empty()) {
    core_.fail(job, findings_error(std::move(findings).value()));
  }
  core_.settle(job);
  core_.work.notify_all();
}

}  // namespace cuzk
