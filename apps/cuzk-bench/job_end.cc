#include "job_end.h"

#include <map>

#include "base/bytes.h"
#include "samples.h"

namespace cuzk {
namespace {

template <class TimeOf>
Report percentiles_of(const std::vector<JobEnd>& jobs, const TimeOf& time_of) {
  Samples samples;
  for (const JobEnd& job : jobs) {
    if (job.status == "COMPLETED") samples.add(time_of(job));
  }
  return samples.percentiles();
}

double total_ms(const JobEnd& job) {
  return job.timings.total;
}
double queue_ms(const JobEnd& job) {
  return job.timings.queue;
}

}  // namespace

std::string job_end_text(const JobEnd& job) {
  const std::string text = proof_result_text(job);
  if (!job.error.is_ok()) return text + "error:     " + job.error.to_string() + '\n';
  return text + (job.verified == "not asked for" ? "" : "verified:  " + job.verified + '\n');
}

Report job_end_report(const JobEnd& job, bool with_proof) {
  Report report = {{"kind", job.kind}, {"status", job.status}, {"job_id", job.job_id}};
  report["timings_ms"] = timings_report(job);
  report["timings_ms"]["submit"] = job.submit_ms;
  report["retries"] = job.retries;
  report["proof_bytes"] = job.proof.size();
  if (with_proof) report["proof"] = to_hex(job.proof);
  report["verified"] = job.verified;
  if (!job.error.is_ok()) {
    report["error"] = {{"class", status_code_name(job.error.code())}, {"message", job.error.message()}};
  }
  return report;
}

Report summary_of(const std::vector<JobEnd>& jobs, double wall_ms) {
  std::map<std::string, std::size_t> by_status, by_kind;
  std::size_t retries = 0, completed = 0, wrong = 0;
  for (const JobEnd& job : jobs) {
    ++by_status[job.status];
    ++by_kind[job.kind];
    retries += job.retries;
    completed += job.status == "COMPLETED" ? 1 : 0;
    wrong += job.error.is_ok() && !job.is_good() ? 1 : 0;
  }
  Report report = {{"jobs", jobs.size()}, {"by_status", by_status}, {"by_kind", by_kind}};
  report["invalid_proofs"] = wrong;
  report["retries"] = retries;
  report["wall_ms"] = wall_ms;
  report["proofs_per_hour"] = wall_ms > 0 ? static_cast<double>(completed) / wall_ms * 3.6e6 : 0.0;
  report["total"] = percentiles_of(jobs, total_ms);
  report["queue"] = percentiles_of(jobs, queue_ms);
  report["wall"] = percentiles_of(jobs, [](const JobEnd& job) { return job.wall_ms; });
  for (const auto& [kind, count] : by_kind) {
    if (by_kind.size() == 1) break;
    std::vector<JobEnd> of_kind;
    for (const JobEnd& job : jobs) {
      if (job.kind == kind) of_kind.push_back(job);
    }
    report["queue_" + kind] = percentiles_of(of_kind, queue_ms);
  }
  return report;
}

int exit_code_of(const std::vector<JobEnd>& jobs) {
  for (const JobEnd& job : jobs) {
    if (job.is_good()) continue;
    if (job.error.is_ok() || job.status == "FAILED") return kExitFailure;
    return exit_code_of(job.error.code());
  }
  return kExitSuccess;
}

}  // namespace cuzk
