#include "engine/job_record.h"

#include <algorithm>

namespace cuzk {

std::int64_t unix_time_ms() {
  using std::chrono::milliseconds;
  return std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

double JobRecord::ms_since_accepted(EngineTime time) const {
  return std::chrono::duration<double, std::milli>(time - accepted).count();
}

const PhaseSpan& JobRecord::add_span(const std::string& phase, int partition, int worker, EngineTime begin,
                                     EngineTime end) {
  const double start_ms = ms_since_accepted(begin);
  spans.push_back({phase, partition, worker, start_ms, ms_since_accepted(end) - start_ms});
  return spans.back();
}

double JobRecord::unexplained_ms(EngineTime end) const {
  std::vector<std::pair<double, double>> stretches;
  for (const PhaseSpan& span : spans) {
    if (span.phase != "finish") stretches.emplace_back(span.start_ms, span.start_ms + span.ms);
  }
  std::sort(stretches.begin(), stretches.end());
  const double total = ms_since_accepted(end);
  double covered_to = 0, gaps = 0;
  for (const auto& [begin, until] : stretches) {
    gaps += std::max(0.0, std::min(begin, total) - covered_to);
    covered_to = std::max(covered_to, std::min(until, total));
  }
  return gaps + std::max(0.0, total - covered_to);
}

JobSnapshot JobRecord::snapshot(bool with_spans, bool with_proof) const {
  JobSnapshot job;
  job.job_id = id;
  job.request_id = request_id;
  job.kind = kind;
  job.sector_size = sector_size;
  job.miner_id = miner_id;
  job.sector_number = sector_number;
  job.priority = priority;
  job.state = state;
  job.partitions = static_cast<unsigned>(partitions.size());
  job.partitions_done = partitions_done;
  job.accepted_at_ms = accepted_at_ms;
  job.finished_at_ms = finished_at_ms;
  job.timings = timings;
  if (state == JobState::failed) job.error = error;
  if (with_spans) {
    job.spans = spans;
    const EngineTime now = EngineClock::now();
    for (const RunningSpan& span : running) {
      const double start_ms = ms_since_accepted(span.start);
      job.spans.push_back(
          {span.phase, span.partition, span.worker, start_ms, ms_since_accepted(now) - start_ms});
    }
  }
  if (with_proof && state == JobState::completed) {
    for (const PartitionRecord& partition : partitions) {
      const auto bytes = partition.proof->encode();
      job.proof.insert(job.proof.end(), bytes.begin(), bytes.end());
    }
  }
  return job;
}

}  // namespace cuzk
