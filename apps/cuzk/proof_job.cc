#include "proof_job.h"

#include <cstdio>

#include "base/stopwatch.h"
#include "cached_circuit.h"
#include "progress_observers.h"
#include "srs/parameter_file.h"
#include "srs/parameter_paths.h"
#include "test_scalar.h"

namespace cuzk {

Blinding test_blinding(std::size_t index) {
  return {test_scalar("r " + std::to_string(index)), test_scalar("s " + std::to_string(index))};
}

Result<ProofResult> ProofJob::run() {
  const Stopwatch total;
  CUZK_TRY(check_input());
  CUZK_TRY(load());
  for (std::size_t i = 0; i < input_.num_proofs(); ++i) {
    CUZK_ASSIGN(const Proof proof, prove_one(i));
    const auto bytes = proof.encode();
    result_.proof.insert(result_.proof.end(), bytes.begin(), bytes.end());
  }
  result_.backend = backend_.name();
  result_.total_ms = total.elapsed_ms();
  progress_.finish();
  return std::move(result_);
}

Status ProofJob::check_input() {
  const Stopwatch watch;
  const std::vector<InputFinding> findings = input_.validate(true);
  add_phase("validate", -1, watch.elapsed_ms());
  return findings.empty() ? Status::ok() : invalid_argument(findings.front().text);
}

Status ProofJob::load() {
  Stopwatch watch;
  r1cs_ = std::make_shared<const R1cs>(cached_circuit(input_.circuit(), options_.quiet));
  add_phase("record", -1, watch.elapsed_ms());

  watch.restart();
  const ParameterPaths paths = parameter_paths(options_.params_dir, input_.circuit().cache_id);
  const SrsCounts counts = SrsCounts::of(*r1cs_, r1cs_->densities());
  CUZK_ASSIGN(const ParameterFile file, ParameterFile::open(paths.params, counts));
  LoadProgress observer(progress_);
  Result<std::unique_ptr<ResidentCircuit>> circuit = backend_.load(file.view(), r1cs_, &observer);
  // The file was opened and its counts fit: what load() finds is a damaged point.
  if (circuit.status().code() == StatusCode::invalid_argument) {
    return unavailable(paths.params.string() + ": " + circuit.status().message());
  }
  if (!circuit.is_ok()) return circuit.status();
  circuit_ = std::move(circuit).value();
  key_ = std::make_unique<PreparedVerifyingKey>(circuit_->vk());
  result_.srs_ms = watch.elapsed_ms();
  add_phase("srs_load", -1, result_.srs_ms);
  return Status::ok();
}

Result<Proof> ProofJob::prove_one(std::size_t i) {
  Stopwatch watch;
  const Witness witness = input_.witness(i, *r1cs_);
  result_.synth_ms += watch.elapsed_ms();
  add_phase("synth", partition(i), watch.elapsed_ms());

  Blinding blinding;
  if (options_.test_blinding) {
    blinding = test_blinding(i);
  } else {
    CUZK_ASSIGN(blinding, Blinding::random());
  }
  watch.restart();
  PhaseProgress observer(progress_, i, input_.num_proofs());
  ProveTimings timings(&observer);
  Result<Proof> proof = backend_.prove(*circuit_, witness, blinding, timings);
  result_.prove_ms += watch.elapsed_ms();
  for (std::size_t k = 0; k < kNumProvePhases; ++k) {
    const auto phase = static_cast<ProvePhase>(k);
    add_phase(prove_phase_name(phase), partition(i), timings.ms(phase));
  }
  add_phase("overhead", partition(i), watch.elapsed_ms() - timings.total_ms());
  if (!proof.is_ok()) return proof.status().with_context("partition " + std::to_string(partition(i)));
  CUZK_TRY(verify_one(i, proof.value()));
  return proof;
}

Status ProofJob::verify_one(std::size_t i, const Proof& proof) {
  const Stopwatch watch;
  const Status verdict = verify(*key_, input_.public_inputs(i), proof);
  add_phase("verify", partition(i), watch.elapsed_ms());
  if (verdict.is_ok()) return verdict;
  return prover_fault("partition " + std::to_string(partition(i)) +
                      ": the proof that was made does not verify and was discarded: " + verdict.message());
}

void ProofJob::add_phase(const std::string& phase, int partition, double ms) {
  result_.phases.push_back({phase, partition, ms});
  if (!options_.print_timing) return;
  if (partition < 0) {
    std::fprintf(stderr, "CUZK_TIMING phase=%s ms=%.1f\n", phase.c_str(), ms);
  } else {
    std::fprintf(stderr, "CUZK_TIMING phase=%s partition=%d ms=%.1f\n", phase.c_str(), partition, ms);
  }
}

}  // namespace cuzk
