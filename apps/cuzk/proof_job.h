// Proves an input of any kind in this process: one job of an engine that has no journal.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "backend_option.h"
#include "circuit/proof_input.h"
#include "engine/job.h"
#include "progress.h"

namespace cuzk {

struct ProofJobOptions {
  std::filesystem::path params_dir;
  bool test_blinding;  // the fixed r and s of test vectors, instead of random ones
  bool print_timing;   // CUZK_TIMING lines on stderr as phases end
  bool quiet;          // no notes about the circuit cache on stderr
};

// The completed job, or why there is no proof. Each backend, at least one, has a thread of its own, and takes the next partition when it
// is free; the proofs stand in the order of the partitions. The first partition that fails ends the job; one that a lost device leaves
// behind, or whose proof is wrong, goes to another backend.
Result<JobSnapshot> run_proof_job(std::shared_ptr<const ProofInput> input, const ProofJobOptions& options,
                                  Backends backends, Progress& progress);

}  // namespace cuzk
