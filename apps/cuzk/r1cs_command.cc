// `cuzk r1cs`: the counts, densities and digest of a circuit, by which it is compared with the network's.
#include "base/stopwatch.h"
#include "circuit/proof_input.h"
#include "circuit_option.h"
#include "command.h"
#include "groth16/srs_view.h"
#include "r1cs/digest.h"

namespace cuzk {
namespace {

struct Options {
  CircuitOption circuit;
  bool no_digest = false;
};

Outcome run_r1cs(const Options& options, const CommonOptions& common) {
  const Result<const CircuitParameters*> circuit = options.circuit.find();
  if (!circuit.is_ok()) return circuit.status();
  Stopwatch watch;
  const R1cs r1cs = record_circuit(*circuit.value());
  const double record_ms = watch.elapsed_ms();
  const Densities densities = r1cs.densities();
  const SrsCounts counts = SrsCounts::of(r1cs, densities);
  const auto non_zeros = r1cs.non_zeros();

  Report report = {
      {"circuit", options.circuit.circuit},
      {"sector_size", circuit.value()->shape->name},
      {"inputs", r1cs.num_inputs()},
      {"aux", r1cs.num_aux()},
      {"aux_full", r1cs.num_full()},
      {"constraints", r1cs.num_constraints()},
      {"log2_domain", r1cs.log_domain()},
      {"non_zeros", {{"a", non_zeros.a}, {"b", non_zeros.b}, {"c", non_zeros.c}}},
      {"density",
       {{"aux_in_a", densities.aux_in_a.count_ones()},
        {"aux_in_b", densities.aux_in_b.count_ones()},
        {"inputs_in_b", densities.inputs_in_b.count_ones()}}},
      {"coefficients", r1cs.coefficients().size()},
      {"matrix_bytes", r1cs.memory_bytes()},
      {"params_bytes", counts.file_bytes()},
      {"record_ms", record_ms},
  };
  if (!options.no_digest) {
    watch.restart();
    report["digest"] = to_hex(r1cs_digest(r1cs));
    report["digest_ms"] = watch.elapsed_ms();
  }
  report["peak_memory_bytes"] = peak_memory_bytes();
  print_report(report, common);
  return Status::ok();
}

}  // namespace

void add_r1cs_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command = app.add_subcommand("r1cs", "counts, densities and digest of a circuit");
  const auto options = std::make_shared<Options>();
  options->circuit.add_to(*command);
  command->add_flag("--no-digest", options->no_digest, "do not hash the constraints (27 GB for 32GiB)");
  command->callback([=, &common] { *run = [=, &common] { return run_r1cs(*options, common); }; });
}

}  // namespace cuzk
