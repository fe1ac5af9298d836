// How a job ended, whoever ran it: a daemon, or an engine in this process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "command.h"
#include "engine/job.h"

namespace cuzk {

struct JobEnd {
  std::string kind;
  std::string job_id;
  std::string status;  // COMPLETED, FAILED, CANCELLED, TIMEOUT; REFUSED: never accepted
  std::vector<std::uint8_t> proof;
  Status error;  // of all but COMPLETED
  double queue_ms = 0, srs_ms = 0, synth_ms = 0, gpu_ms = 0, total_ms = 0;
  double submit_ms = 0;  // until the job was accepted, retries included
  double wall_ms = 0;    // from the first attempt to submit, as the client saw it
  unsigned retries = 0;  // of the submission
  std::string verified;  // "valid", "not asked for", or what is wrong
  std::vector<PhaseSpan> spans;

  bool is_good() const noexcept {
    return error.is_ok() && (verified == "valid" || verified == "not asked for");
  }
};

// Printed to stdout:
//   === Proof Result ===
//   status:    COMPLETED
//   job_id:    <uuid>
//   timings:   total=93984 ms (queue=228 ms, srs=0 ms, synth=60525 ms, gpu=33229 ms)
//   wall time: 94092 ms
//   proof:     1920 bytes (hex: 8edeba66ff...
// and, of a job that did not complete, "error:" instead of "proof:".
std::string proof_result_text(const JobEnd& job);
Report proof_result_json(const JobEnd& job, bool with_proof);

// Of many jobs: counts by status and kind, percentiles of total, queue and wall time, throughput, retries.
Report summary_of(const std::vector<JobEnd>& jobs, double wall_ms);

// 0 if all are good; else that of the first that is not: 1 for a job that failed or a proof that is invalid, 2 for a refused input, 3 for
// a daemon that is gone.
int exit_code_of(const std::vector<JobEnd>& jobs);

}  // namespace cuzk
