#include "proof_bench.h"

#include <deque>
#include <future>

#include "base/stopwatch.h"
#include "bench_command.h"
#include "cached_circuit.h"
#include "generated_input.h"
#include "groth16/verify.h"
#include "micro_bench.h"
#include "phase_table.h"
#include "progress_observers.h"
#include "samples.h"
#include "srs/parameter_file.h"
#include "srs/parameter_paths.h"

namespace cuzk {
namespace {

struct TimedWitness {
  Witness witness;
  double ms;
};

// The witnesses of an input's partitions in order, round and round, some of them ahead of whoever asks.
class WitnessStream {
 public:
  WitnessStream(const ProofInput& input, const R1cs& r1cs, unsigned ahead, std::size_t total)
      : input_(input), r1cs_(r1cs), ahead_(ahead), left_(total) {}

  TimedWitness next() {
    fill();
    TimedWitness witness = pending_.front().get();
    pending_.pop_front();
    fill();
    return witness;
  }

 private:
  void fill() {
    while (left_ > 0 && pending_.size() < ahead_) {
      --left_;
      const std::size_t i = next_++ % input_.num_proofs();
      pending_.push_back(std::async(std::launch::async, [this, i] {
        const Stopwatch watch;
        Witness witness = input_.witness(i, r1cs_);
        return TimedWitness{std::move(witness), watch.elapsed_ms()};
      }));
    }
  }

  const ProofInput& input_;
  const R1cs& r1cs_;
  const unsigned ahead_;
  std::size_t left_;
  std::size_t next_ = 0;
  std::deque<std::future<TimedWitness>> pending_;
};

// Everything one circuit needs in this process, and what getting it cost.
struct LoadedCircuit {
  std::shared_ptr<const R1cs> r1cs;
  std::unique_ptr<ResidentCircuit> resident;
  Report report;
};

LoadedCircuit load_circuit(Backend& backend, const ProofInput& input, const std::filesystem::path& params_dir,
                           Progress& progress) {
  LoadedCircuit loaded;
  Stopwatch watch;
  loaded.r1cs = std::make_shared<const R1cs>(cached_circuit(input.circuit(), true));
  loaded.report["record_ms"] = watch.elapsed_ms();
  const CircuitShape shape = CircuitShape::of(*loaded.r1cs);
  const MemoryPlan plan = backend.plan(shape);
  const auto free_before = gpu_free_bytes();
  watch.restart();
  const ParameterFile file =
      must(ParameterFile::open(parameter_paths(params_dir, input.circuit().cache_id).params, shape.srs));
  LoadProgress observer(progress);
  loaded.resident = must(backend.load(file.view(), loaded.r1cs, &observer));
  const double load_ms = watch.elapsed_ms();
  const auto free_after = gpu_free_bytes();
  loaded.report["srs_load_ms"] = load_ms;
  loaded.report["srs_bytes"] = file.size_bytes();
  loaded.report["srs_gb_per_second"] = static_cast<double>(file.size_bytes()) / load_ms * 1e-6;
  loaded.report["constraints"] = loaded.r1cs->num_constraints();
  loaded.report["memory"] = memory_report(plan, backend.name() == "cuda", free_before, free_after);
  return loaded;
}

class ProofBench {
 public:
  ProofBench(Backend& backend, const ProofInput& input, const LoadedCircuit& circuit,
             const ProofBenchOptions& options)
      : backend_(backend),
        input_(input),
        circuit_(circuit),
        key_(circuit.resident->vk()),
        witnesses_(input, *circuit.r1cs, options.witnesses_ahead,
                   input.num_proofs() * static_cast<std::size_t>(options.proofs + 1)) {}

  // All partitions once; the milliseconds. Its verification goes on in the background.
  double prove_once() {
    const Stopwatch whole;
    std::vector<Proof> proofs;
    for (std::size_t i = 0; i < input_.num_proofs(); ++i) {
      Stopwatch watch;
      const TimedWitness witness = witnesses_.next();
      wait_ms_ += watch.elapsed_ms();
      synth_.add(witness.ms);
      ProveTimings timings;
      watch.restart();
      proofs.push_back(
          must(backend_.prove(*circuit_.resident, witness.witness, must(Blinding::random()), timings)));
      busy_ms_ += watch.elapsed_ms();
      phase_ms_ += timings.total_ms();
      phases_.add(timings);
    }
    finish_verification();
    verification_ =
        std::async(std::launch::async, [this, made = std::move(proofs)] { return verify_all(made); });
    return whole.elapsed_ms();
  }

  // Of the last proof; the time that it took.
  double finish_verification() {
    if (!verification_.valid()) return 0;
    const auto [verdict, ms] = verification_.get();
    all_valid_ = all_valid_ && verdict.is_ok();
    if (verdict.is_ok()) ++verified_;
    verify_ms_.add(ms);
    return ms;
  }

  void forget_times() {
    synth_ = {};
    phases_ = {};
    wait_ms_ = busy_ms_ = phase_ms_ = 0;
  }

  Report steady_report(const Samples& proofs, double wall_ms) const {
    Report report = {{"proofs", proofs.size()}};
    report["proof"] = proofs.summary();
    report["wall_ms"] = wall_ms;
    report["proofs_per_hour"] = static_cast<double>(proofs.size()) / wall_ms * 3.6e6;
    report["backend_busy_percent"] = 100 * busy_ms_ / wall_ms;
    report["phases_busy_percent"] = 100 * phase_ms_ / wall_ms;
    report["wait_for_witness_ms"] = wait_ms_;
    report["synth_of_a_partition"] = synth_.summary();
    report["phases_of_a_partition"] = phases_.report();
    return report;
  }
  bool all_valid() const noexcept { return all_valid_; }
  std::size_t num_verified() const noexcept { return verified_; }
  const Samples& verify_ms() const noexcept { return verify_ms_; }

 private:
  struct Verdict {
    Status status;
    double ms;
  };
  Verdict verify_all(const std::vector<Proof>& proofs) const {
    const Stopwatch watch;
    std::vector<std::vector<Fr>> inputs;
    std::vector<ProofStatement> statements;
    for (std::size_t i = 0; i < proofs.size(); ++i) inputs.push_back(input_.public_inputs(i));
    for (std::size_t i = 0; i < proofs.size(); ++i) statements.push_back({inputs[i], proofs[i]});
    return {verify_batch(key_, statements), watch.elapsed_ms()};
  }

  Backend& backend_;
  const ProofInput& input_;
  const LoadedCircuit& circuit_;
  const PreparedVerifyingKey key_;
  WitnessStream witnesses_;
  std::future<Verdict> verification_;
  PhaseTable phases_;
  Samples synth_, verify_ms_;
  double wait_ms_ = 0, busy_ms_ = 0, phase_ms_ = 0;
  std::size_t verified_ = 0;
  bool all_valid_ = true;
};

}  // namespace

Report bench_proofs(Backend& backend, const ProofBenchOptions& options, Progress& progress) {
  Report report = {{"kind", options.kind}, {"sector_size", options.sector_size}, {"backend", backend.name()}};
  Stopwatch watch;
  const std::unique_ptr<ProofInput> input =
      must(generate_input(options.kind, options.sector_size, options.seed, false));
  report["generate_ms"] = watch.elapsed_ms();
  report["partitions"] = input->num_proofs();

  const Stopwatch cold;
  watch.restart();
  const auto findings = input->validate(true);
  if (!findings.empty()) throw BenchFailure(invalid_argument(findings.front().text));
  Report cold_report = {{"validate_ms", watch.elapsed_ms()}};
  const LoadedCircuit circuit = load_circuit(backend, *input, options.params_dir, progress);
  cold_report.update(circuit.report);
  ProofBench bench(backend, *input, circuit, options);
  const double first_ms = bench.prove_once();
  bench.finish_verification();
  cold_report["first_proof_ms"] = first_ms;
  cold_report["total_ms"] = cold.elapsed_ms();
  report["cold"] = std::move(cold_report);

  bench.forget_times();
  Samples proofs;
  const Stopwatch steady;
  for (int i = 0; i < options.proofs; ++i) {
    proofs.add(bench.prove_once());
    progress.update("proofs", static_cast<std::size_t>(i) + 1, static_cast<std::size_t>(options.proofs));
  }
  const double wall_ms = steady.elapsed_ms();
  bench.finish_verification();
  progress.finish();
  if (options.proofs > 0) report["steady"] = bench.steady_report(proofs, wall_ms);
  report["verify_of_a_proof"] = bench.verify_ms().summary();
  report["verified_proofs"] = bench.num_verified();
  report["floors_ms"] = floors_of(options.kind, options.sector_size);
  report["host_peak_bytes"] = peak_memory_bytes();
  report["ok"] = bench.all_valid() && bench.num_verified() == static_cast<std::size_t>(options.proofs) + 1;
  return report;
}

}  // namespace cuzk
