// ProofJob: proves an input of any kind from beginning to end in this process. One stage after the other; each partition's proof is
// verified against the inputs that the statement implies before it counts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "circuit/proof_input.h"
#include "groth16/backend.h"
#include "groth16/verify.h"
#include "progress.h"

namespace cuzk {

struct PhaseTime {
  std::string phase;  // as in CUZK_TIMING lines
  int partition;      // -1: of the job
  double ms;
};

struct ProofResult {
  std::vector<std::uint8_t> proof;  // 192 bytes a partition, in order
  std::string backend;              // its name
  std::vector<PhaseTime> phases;
  double srs_ms = 0;
  double synth_ms = 0;
  double prove_ms = 0;
  double total_ms = 0;
};

struct ProofJobOptions {
  std::filesystem::path params_dir;
  bool test_blinding;  // the fixed r and s of test vectors, instead of random ones
  bool print_timing;   // CUZK_TIMING lines on stderr as phases end
  bool quiet;          // no notes about the circuit cache on stderr
};

// The blinding of proof `index` of a batch of test vectors: scalar("r <index>"), scalar("s <index>") (test_scalar.h).
Blinding test_blinding(std::size_t index);

class ProofJob {
 public:
  // `input` must outlive the job.
  ProofJob(const ProofInput& input, ProofJobOptions options, Backend& backend, Progress& progress)
      : input_(input), options_(std::move(options)), backend_(backend), progress_(progress) {}

  // Counts a phase that came before the job, such as reading the input.
  void add_phase(const std::string& phase, int partition, double ms);
  Result<ProofResult> run();

 private:
  Status check_input();
  Status load();
  Result<Proof> prove_one(std::size_t i);
  Status verify_one(std::size_t i, const Proof& proof);
  int partition(std::size_t i) const { return static_cast<int>(input_.partition_of(i)); }

  const ProofInput& input_;
  ProofJobOptions options_;
  Backend& backend_;
  Progress& progress_;
  ProofResult result_;
  std::shared_ptr<const R1cs> r1cs_;
  std::unique_ptr<ResidentCircuit> circuit_;
  std::unique_ptr<PreparedVerifyingKey> key_;
};

}  // namespace cuzk
