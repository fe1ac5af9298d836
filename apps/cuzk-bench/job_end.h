// How a job ended, whoever ran it: a daemon, or an engine in this process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "proof_result.h"

namespace cuzk {

// `status` is COMPLETED, FAILED, CANCELLED, TIMEOUT, REFUSED: never accepted, or LOST: the daemon is gone. `wall_ms` counts from the first attempt to submit.
struct JobEnd : ProofResult {
  std::string kind;
  Status error;          // of all but COMPLETED
  double submit_ms = 0;  // until the job was accepted, retries included
  unsigned retries = 0;  // of the submission, also after the daemon was gone
  std::string verified;  // "valid", "not asked for", or what is wrong
  std::vector<PhaseSpan> spans;

  bool is_good() const noexcept {
    return error.is_ok() && (verified == "valid" || verified == "not asked for");
  }
};

// Printed to stdout: the block of proof_result.h, and "error:" of a job that did not complete, "verified:" where that was asked for.
std::string job_end_text(const JobEnd& job);
Report job_end_report(const JobEnd& job, bool with_proof);

// Of many jobs: counts by status and kind, percentiles of total, queue and wall time, throughput, retries.
Report summary_of(const std::vector<JobEnd>& jobs, double wall_ms);

// 0 if all are good; else that of the first that is not: 1 for a job that failed or a proof that is invalid, 2 for a refused input, 3 for
// a daemon that is gone.
int exit_code_of(const std::vector<JobEnd>& jobs);

}  // namespace cuzk
