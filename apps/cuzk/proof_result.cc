#include "proof_result.h"

#include <algorithm>
#include <cstdio>

#include "base/bytes.h"

namespace cuzk {

std::string proof_result_text(const ProofResult& result) {
  const JobTimings& timings = result.timings;
  const std::string begin = "=== Proof Result ===\nstatus:    " + result.status + '\n';
  if (result.job_id.empty()) return begin;
  char text[512];
  std::snprintf(text, sizeof text,
                "job_id:    %s\n"
                "timings:   total=%.0f ms (queue=%.0f ms, srs=%.0f ms, synth=%.0f ms, %s=%.0f ms)\n"
                "wall time: %.0f ms\n",
                result.job_id.c_str(), timings.total, timings.queue, timings.srs, timings.synth,
                result.device.c_str(), timings.prove, result.wall_ms);
  if (result.proof.empty()) return begin + text;
  const std::span shown = std::span(result.proof).first(std::min<std::size_t>(5, result.proof.size()));
  return begin + text + ("proof:     " + std::to_string(result.proof.size())) +
         " bytes (hex: " + to_hex(shown) + "...\n";
}

Report timings_report(const ProofResult& result) {
  const JobTimings& timings = result.timings;
  return {{"total", timings.total}, {"queue", timings.queue}, {"srs", timings.srs},
          {"synth", timings.synth}, {"prove", timings.prove}, {"wall", result.wall_ms}};
}

}  // namespace cuzk
