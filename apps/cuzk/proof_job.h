// Proves an input of any kind in this process: one job of an engine that has one backend and no journal.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "circuit/proof_input.h"
#include "engine/job.h"
#include "groth16/backend.h"
#include "progress.h"

namespace cuzk {

struct ProofJobOptions {
  std::filesystem::path params_dir;
  bool test_blinding;  // the fixed r and s of test vectors, instead of random ones
  bool print_timing;   // CUZK_TIMING lines on stderr as phases end
  bool quiet;          // no notes about the circuit cache on stderr
};

// A CUZK_TIMING line on stderr.
void print_timing(const PhaseSpan& span);

// The completed job, or why there is no proof.
Result<JobSnapshot> run_proof_job(std::shared_ptr<const ProofInput> input, const ProofJobOptions& options,
                                  std::unique_ptr<Backend> backend, Progress& progress);

}  // namespace cuzk
