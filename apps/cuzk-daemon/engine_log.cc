#include "engine_log.h"

#include <cstdio>

#include "timing_text.h"

namespace cuzk {
namespace {

std::string milliseconds(double ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", ms);
  return text;
}

std::string describe_request(const JobSnapshot& job) {
  std::string text = std::string(proof_kind_name(job.kind)) + " of " + std::to_string(job.sector_size >> 10) +
                     " KiB, miner " + std::to_string(job.miner_id);
  if (job.kind == ProofKind::porep || job.kind == ProofKind::update)
    text += ", sector " + std::to_string(job.sector_number);
  text += ", priority " + std::string(priority_name(job.priority)) + ", partitions " +
          std::to_string(job.partitions);
  if (!job.request_id.empty()) text += ", request " + job.request_id;
  return text;
}

std::string describe_times(const JobSnapshot& job) {
  const JobTimings& t = job.timings;
  return "total=" + milliseconds(t.total) + " ms (queue=" + milliseconds(t.queue) +
         " ms, srs=" + milliseconds(t.srs) + " ms, synth=" + milliseconds(t.synth) +
         " ms, prove=" + milliseconds(t.prove) + " ms)";
}

std::string describe_error(const JobError& error) {
  return std::string(status_code_name(error.code)) + " in phase " + error.phase + ": " + error.message +
         "; " + (error.retryable ? "trying again may help" : "trying again will not help");
}

LogLevel level_of(const JobSnapshot& job) {
  if (job.state != JobState::failed || !job.error) return LogLevel::info;
  const StatusCode code = job.error->code;
  const bool is_our_fault = code == StatusCode::internal || code == StatusCode::prover_fault;
  return is_our_fault ? LogLevel::error : LogLevel::warning;
}

}  // namespace

std::string describe_job(const JobSnapshot& job) {
  switch (job.state) {
    case JobState::queued:
      return "queued: " + describe_request(job);
    case JobState::completed:
      return "completed: " + std::string(proof_kind_name(job.kind)) + ", " + describe_times(job);
    case JobState::failed:
      return "failed: " + (job.error ? describe_error(*job.error) : std::string("no reason is known"));
    default:
      return job_state_name(job.state);
  }
}

void EngineLog::span_ended(const JobSnapshot& job, const PhaseSpan& span) {
  ++events_;
  if (timing_) log_.write(LogLevel::info, timing_line(span, backends_), job.job_id);
}

void EngineLog::job_changed(const JobSnapshot& job) {
  ++events_;
  log_.write(level_of(job), describe_job(job), job.job_id);
}

void EngineLog::note(Level level, const std::string& text) {
  ++events_;
  const LogLevel levels[] = {LogLevel::info, LogLevel::warning, LogLevel::error};
  log_.write(levels[static_cast<int>(level)], text);
}

}  // namespace cuzk
