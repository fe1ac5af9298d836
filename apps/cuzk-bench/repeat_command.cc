// `cuzk-bench repeat`: the proof of one input again and again in one process, with the published blinding of test vectors. Every repeat
// must have the same bytes, and those of a file if one is given: what a race or a stale buffer breaks once in a hundred times.
#include "backend_option.h"
#include "base/bytes.h"
#include "base/stopwatch.h"
#include "bench_command.h"
#include "cached_circuit.h"
#include "hash/test_scalar.h"
#include "input_options.h"
#include "samples.h"
#include "srs/parameter_file.h"
#include "srs/parameter_paths.h"
#include "vanilla/small_file.h"

namespace cuzk {
namespace {

struct Options {
  InputOptions input;
  std::string params_dir;
  std::string backend = "cpu";
  std::string expect;
  int times = 100;
};

std::vector<std::uint8_t> prove_all(Backend& backend, ResidentCircuit& circuit,
                                    const std::vector<Witness>& witnesses) {
  std::vector<Proof> proofs;
  for (std::size_t i = 0; i < witnesses.size(); ++i) {
    const Blinding blinding = {test_scalar("r " + std::to_string(i)), test_scalar("s " + std::to_string(i))};
    ProveTimings timings;
    proofs.push_back(must(backend.prove(circuit, witnesses[i], blinding, timings)));
  }
  return encode_proofs(proofs);
}

Report run_repeat(const Options& options, const CommonOptions& common) {
  const std::unique_ptr<ProofInput> input = must(options.input.read());
  const auto r1cs = std::make_shared<const R1cs>(cached_circuit(input->circuit(), common.quiet));
  const auto directory =
      options.params_dir.empty() ? parameter_directory() : std::filesystem::path(options.params_dir);
  const ParameterFile file = must(ParameterFile::open(
      parameter_paths(directory, input->circuit().cache_id).params, SrsCounts::of(*r1cs, r1cs->densities())));
  const std::unique_ptr<Backend> backend = must(make_backend(options.backend, common.quiet));
  const auto circuit = must(backend->load(file.view(), r1cs));
  std::vector<Witness> witnesses;
  for (std::size_t i = 0; i < input->num_proofs(); ++i) witnesses.push_back(input->witness(i, *r1cs));

  const std::vector<std::uint8_t> first = prove_all(*backend, *circuit, witnesses);
  Report report = {{"registered_proof", input->registered_proof()}, {"backend", backend->name()}};
  int different = 0;
  if (!options.expect.empty()) {
    const std::vector<std::uint8_t> expected = must(read_small_file(options.expect, std::size_t{1} << 20));
    report["as_expected"] = first == expected;
    different += first == expected ? 0 : 1;
  }
  Samples samples;
  for (int i = 1; i < options.times; ++i) {
    const Stopwatch watch;
    const bool equal = prove_all(*backend, *circuit, witnesses) == first;
    samples.add(watch.elapsed_ms());
    different += equal ? 0 : 1;
  }
  report["times"] = options.times;
  report["different"] = different;
  report["proof"] = samples.summary();
  report["ok"] = different == 0;
  return report;
}

}  // namespace

void add_repeat_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command =
      app.add_subcommand("repeat", "the same proof again and again: every repeat must have the same bytes");
  const auto options = std::make_shared<Options>();
  options->input.add_to(*command, false);
  add_params_dir_option(*command, &options->params_dir);
  add_backend_option(*command, &options->backend);
  command->add_option("--expect", options->expect, "the proof that it must be")->type_name("FILE");
  command->add_option("--times", options->times, "how often")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->callback([=, &common] {
    *run = [=, &common] { return run_bench(common, "repeat", [&] { return run_repeat(*options, common); }); };
  });
}

}  // namespace cuzk
