#include "job_end.h"

#include <cstdio>
#include <map>
#include <span>

#include "base/bytes.h"
#include "samples.h"

namespace cuzk {
namespace {

Report percentiles_of(const std::vector<JobEnd>& jobs, double JobEnd::*time) {
  Samples samples;
  for (const JobEnd& job : jobs) {
    if (job.status == "COMPLETED") samples.add(job.*time);
  }
  return samples.percentiles();
}

}  // namespace

std::string proof_result_text(const JobEnd& job) {
  char text[512];
  std::snprintf(text, sizeof text,
                "=== Proof Result ===\n"
                "status:    %s\n"
                "job_id:    %s\n"
                "timings:   total=%.0f ms (queue=%.0f ms, srs=%.0f ms, synth=%.0f ms, gpu=%.0f ms)\n"
                "wall time: %.0f ms\n",
                job.status.c_str(), job.job_id.c_str(), job.total_ms, job.queue_ms, job.srs_ms, job.synth_ms,
                job.gpu_ms, job.wall_ms);
  std::string result = text;
  if (!job.error.is_ok()) return result + "error:     " + job.error.to_string() + '\n';
  result += "proof:     " + std::to_string(job.proof.size()) +
            " bytes (hex: " + to_hex(std::span(job.proof).first(std::min<std::size_t>(5, job.proof.size()))) +
            "...\n";
  if (job.verified != "not asked for") result += "verified:  " + job.verified + '\n';
  return result;
}

Report proof_result_json(const JobEnd& job, bool with_proof) {
  Report report = {{"kind", job.kind},
                   {"status", job.status},
                   {"job_id", job.job_id},
                   {"timings_ms",
                    {{"total", job.total_ms},
                     {"queue", job.queue_ms},
                     {"srs", job.srs_ms},
                     {"synth", job.synth_ms},
                     {"gpu", job.gpu_ms},
                     {"submit", job.submit_ms},
                     {"wall", job.wall_ms}}},
                   {"retries", job.retries},
                   {"proof_bytes", job.proof.size()}};
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
  report["total"] = percentiles_of(jobs, &JobEnd::total_ms);
  report["queue"] = percentiles_of(jobs, &JobEnd::queue_ms);
  report["wall"] = percentiles_of(jobs, &JobEnd::wall_ms);
  for (const auto& [kind, count] : by_kind) {
    if (by_kind.size() == 1) break;
    std::vector<JobEnd> of_kind;
    for (const JobEnd& job : jobs) {
      if (job.kind == kind) of_kind.push_back(job);
    }
    report["queue_" + kind] = percentiles_of(of_kind, &JobEnd::queue_ms);
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
