#include "proof_job.h"

#include <cstdio>

#include "base/stopwatch.h"
#include "circuit/porep/porep.h"
#include "progress_observers.h"
#include "srs/parameter_file.h"
#include "srs/parameter_paths.h"
#include "test_scalar.h"
#include "vanilla/c1_validate.h"
#include "vanilla/parameter_names.h"

namespace cuzk {

Blinding test_blinding(std::size_t index) {
  return {test_scalar("r " + std::to_string(index)), test_scalar("s " + std::to_string(index))};
}

Result<ProofResult> ProofJob::run() {
  const Stopwatch total;
  CUZK_ASSIGN(const C1 c1, read_input());
  CUZK_TRY(check_input(c1));
  CUZK_TRY(load(c1));
  for (std::size_t k = 0; k < c1.partitions.size(); ++k) {
    CUZK_ASSIGN(const Proof proof, prove_partition(c1, k));
    const auto bytes = proof.encode();
    result_.proof.insert(result_.proof.end(), bytes.begin(), bytes.end());
  }
  result_.total_ms = total.elapsed_ms();
  progress_.finish();
  return std::move(result_);
}

Result<C1> ProofJob::read_input() {
  const Stopwatch watch;
  Result<C1> c1 = read_c1_file(options_.c1_path);
  // A file that cannot be read is bad input here, not a missing parameter file.
  if (!c1.is_ok()) return invalid_argument(c1.status().message());
  add_phase("parse", -1, watch.elapsed_ms());
  return c1;
}

Status ProofJob::check_input(const C1& c1) {
  const Stopwatch watch;
  C1ValidateOptions options;
  options.miner_id = options_.miner_id;
  options.stop_at_first = true;
  const std::vector<C1Finding> findings = validate_c1(c1, options);
  add_phase("validate", -1, watch.elapsed_ms());
  if (findings.empty()) return Status::ok();
  return invalid_argument(options_.c1_path + ": " + findings.front().to_string());
}

Status ProofJob::load(const C1& c1) {
  Stopwatch watch;
  const SectorShape& shape = *c1.registered_proof.shape;
  const auto r1cs = std::make_shared<const R1cs>(porep_r1cs(PorepCircuitShape::of(shape)));
  r1cs_ = r1cs;
  add_phase("record", -1, watch.elapsed_ms());

  watch.restart();
  const ParameterPaths paths = parameter_paths(options_.params_dir, porep_cache_id(shape));
  const SrsCounts counts = SrsCounts::of(*r1cs, r1cs->densities());
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

Result<Proof> ProofJob::prove_partition(const C1& c1, std::size_t partition) {
  const int k = static_cast<int>(partition);
  Stopwatch watch;
  const Witness witness = porep_witness(porep_partition(c1, partition), *r1cs_);
  result_.synth_ms += watch.elapsed_ms();
  add_phase("synth", k, watch.elapsed_ms());

  Blinding blinding;
  if (options_.test_blinding) {
    blinding = test_blinding(partition);
  } else {
    CUZK_ASSIGN(blinding, Blinding::random());
  }
  watch.restart();
  PhaseProgress observer(progress_, partition, c1.partitions.size());
  ProveTimings timings(&observer);
  Result<Proof> proof = backend_.prove(*circuit_, witness, blinding, timings);
  result_.prove_ms += watch.elapsed_ms();
  for (std::size_t i = 0; i < kNumProvePhases; ++i) {
    const auto phase = static_cast<ProvePhase>(i);
    add_phase(prove_phase_name(phase), k, timings.ms(phase));
  }
  add_phase("overhead", k, watch.elapsed_ms() - timings.total_ms());
  if (!proof.is_ok()) {
    return proof.status().with_context(options_.c1_path + ": partition " + std::to_string(partition));
  }
  CUZK_TRY(verify_partition(c1, partition, proof.value()));
  return proof;
}

Status ProofJob::verify_partition(const C1& c1, std::size_t partition, const Proof& proof) {
  const Stopwatch watch;
  const auto inputs = porep_public_inputs(c1.statement(), static_cast<unsigned>(partition));
  const Status verdict = verify(*key_, inputs, proof);
  add_phase("verify", static_cast<int>(partition), watch.elapsed_ms());
  if (verdict.is_ok()) return verdict;
  return prover_fault("partition " + std::to_string(partition) +
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
