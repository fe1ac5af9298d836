// How a job ended, in the one form in which all programs print it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "command.h"
#include "engine/job.h"

namespace cuzk {

struct ProofResult {
  std::string status;  // COMPLETED, or how it ended instead
  std::string job_id;
  JobTimings timings;
  std::string device = "gpu";  // what timings.prove is called: device_word() of timing_text.h
  double wall_ms = 0;          // from the beginning, as the program saw it
  std::vector<std::uint8_t> proof;
};

//   === Proof Result ===
//   status:    COMPLETED
//   job_id:    <uuid>
//   timings:   total=93984 ms (queue=228 ms, srs=0 ms, synth=60525 ms, gpu=33229 ms)
//   wall time: 94092 ms
//   proof:     1920 bytes (hex: 8edeba66ff...
// without the last line if there is no proof, and the first two only of a job that was never accepted.
std::string proof_result_text(const ProofResult& result);
// "total", "queue", "srs", "synth", "prove" and "wall".
Report timings_report(const ProofResult& result);

}  // namespace cuzk
