// `cuzk-bench proof`: whole proofs of a generated input, and `cuzk-bench srs`: loading a parameter file.
#include "backend_option.h"
#include "base/stopwatch.h"
#include "bench_command.h"
#include "cached_circuit.h"
#include "circuit_option.h"
#include "micro_bench.h"
#include "phase_table.h"
#include "progress_observers.h"
#include "proof_bench.h"
#include "srs/parameter_file.h"
#include "srs/parameter_paths.h"

namespace cuzk {
namespace {

std::filesystem::path directory_of(const std::string& params_dir) {
  return params_dir.empty() ? parameter_directory() : std::filesystem::path(params_dir);
}

struct ProofOptions {
  ProofBenchOptions bench;
  std::string backend = "cpu";
  std::string params_dir;
  bool stand_in = false;
};

Outcome run_proof(ProofOptions options, const CommonOptions& common) {
  return run_bench(common, "proof", [&] {
    options.bench.params_dir = directory_of(options.params_dir);
    const std::unique_ptr<Backend> backend = must(make_backend(options.backend, common.quiet));
    Progress progress(common.quiet);
    return options.stand_in ? bench_partition(*backend, options.bench, options.bench.proofs, progress)
                            : bench_proofs(*backend, options.bench, progress);
  });
}

struct SrsOptions {
  CircuitOption circuit;
  std::string backend = "cpu";
  std::string params_dir;
  int runs = 3;
};

// The file is right if its key is that of the .vk file beside it, and its points are on the curve, which load() checks.
Report run_load(const SrsOptions& options, const CommonOptions& common) {
  const CircuitParameters& circuit = *must(options.circuit.find());
  const ParameterPaths paths = parameter_paths(directory_of(options.params_dir), circuit.cache_id);
  const auto r1cs = std::make_shared<const R1cs>(cached_circuit(circuit, common.quiet));
  const CircuitShape shape = CircuitShape::of(*r1cs);
  const std::unique_ptr<Backend> backend = must(make_backend(options.backend, common.quiet));
  const MemoryPlan plan = backend->plan(shape);
  const auto free_before = gpu_free_bytes();
  std::optional<std::uint64_t> free_after;
  Samples load;
  Progress progress(common.quiet);
  LoadProgress observer(progress);
  for (int i = 0; i < options.runs; ++i) {
    const Stopwatch watch;
    const ParameterFile file = must(ParameterFile::open(paths.params, shape.srs));
    const auto resident = must(backend->load(file.view(), r1cs, &observer));
    load.add(watch.elapsed_ms());
    if (i == 0) free_after = gpu_free_bytes();
  }
  progress.finish();
  const ParameterFile file = must(ParameterFile::open(paths.params, shape.srs));
  Report report = {{"circuit", options.circuit.circuit}, {"sector_size", options.circuit.sector_size},
                   {"backend", backend->name()},         {"params", paths.params.string()},
                   {"bytes", file.size_bytes()},         {"load", load.summary()}};
  report["gb_per_second"] = static_cast<double>(file.size_bytes()) / load.median() * 1e-6;
  report["memory"] = memory_report(plan, backend->name() == "cuda", free_before, free_after);
  report["host_peak_bytes"] = peak_memory_bytes();
  report["ok"] = must(read_verifying_key(paths.vk)).encode() == file.vk().encode();
  return report;
}

}  // namespace

void add_proof_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command = app.add_subcommand(
      "proof", "whole proofs of a generated input, synthesis overlapping the backend, each verified");
  const auto options = std::make_shared<ProofOptions>();
  command->add_option("--kind", options->bench.kind, "porep, winning, window or update")
      ->check(CLI::IsMember({"porep", "winning", "window", "update"}))
      ->capture_default_str();
  add_sector_size_option(*command, &options->bench.sector_size, "one of " + sector_size_names())
      ->capture_default_str();
  add_params_dir_option(*command, &options->params_dir);
  add_backend_option(*command, &options->backend);
  command->add_option("--proofs", options->bench.proofs, "proofs after the first, which is cold")
      ->check(CLI::Range(0, 10000))
      ->capture_default_str();
  command
      ->add_option("--ahead", options->bench.witnesses_ahead, "witnesses synthesized ahead, one thread each")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_option("--seed", options->bench.seed, "of the generated input")->capture_default_str();
  command->add_flag("--stand-in", options->stand_in,
                    "no parameter file: repeated points instead; right times, invalid proofs");
  command->callback([=, &common] { *run = [=, &common] { return run_proof(*options, common); }; });
}

void add_srs_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command = app.add_subcommand("srs", "load a parameter file into a backend");
  const auto options = std::make_shared<SrsOptions>();
  options->circuit.add_to(*command);
  add_params_dir_option(*command, &options->params_dir);
  add_backend_option(*command, &options->backend);
  command->add_option("--runs", options->runs, "how often; the first may have to read the disk")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->callback([=, &common] {
    *run = [=, &common] { return run_bench(common, "srs", [&] { return run_load(*options, common); }); };
  });
}

}  // namespace cuzk
