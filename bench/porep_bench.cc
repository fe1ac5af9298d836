// A whole PoRep proof in this process, phase by phase: recording the circuit, loading mapped parameters, synthesis (compact and
// classical), and every phase of the backend with points per second. Each proof is compared with the bytes of the reference
// prover, so a figure is never that of a wrong answer.
//
//     porep_bench --params-dir DIR [--runs N] [--c1 FILE --proof FILE]
//
// Parameters: `cuzk setup --circuit porep --sector-size 2KiB --params-dir DIR`. The default input is the 2 KiB sector of
// tests/data. Prints one JSON object.
#include <sys/resource.h>
#include <sys/utsname.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "base/cpu_features.h"
#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "bench_support.h"
#include "circuit/porep/porep.h"
#include "cpu/cpu_backend.h"
#include "groth16/verify.h"
#include "r1cs/proving_system.h"
#include "srs/parameter_file.h"
#include "srs/parameter_paths.h"
#include "test_scalar.h"
#include "vanilla/parameter_names.h"

namespace cuzk {
namespace {

struct Options {
  std::string params_dir;
  std::string c1 = CUZK_TEST_DATA "/c1-2KiB-v1_1-1.json";
  std::string proof = CUZK_TEST_DATA "/c1-2KiB-v1_1-1.proof";
  int runs = 5;
};

// The times of one thing over all runs.
using Samples = std::vector<double>;

nlohmann::ordered_json summary(Samples samples) {
  std::sort(samples.begin(), samples.end());
  return {
      {"min_ms", samples.front()}, {"median_ms", samples[samples.size() / 2]}, {"max_ms", samples.back()}};
}

std::vector<std::uint8_t> read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

class Bench {
 public:
  explicit Bench(Options options)
      : options_(std::move(options)),
        c1_(must(read_c1_file(options_.c1))),
        expected_(read_bytes(options_.proof)),
        paths_(parameter_paths(options_.params_dir, porep_cache_id(*c1_.registered_proof.shape))) {}

  // What `cuzk prove` does, from a mapped parameter file to a verified proof.
  void run_once() {
    const Stopwatch whole;
    Stopwatch watch;
    const auto r1cs =
        std::make_shared<const R1cs>(porep_r1cs(PorepCircuitShape::of(*c1_.registered_proof.shape)));
    add("record", watch);
    const SrsCounts counts = SrsCounts::of(*r1cs, r1cs->densities());
    const ParameterFile file = must(ParameterFile::open(paths_.params, counts));
    CpuBackend backend;
    watch.restart();
    const auto circuit = must(backend.load(file.view(), r1cs));
    add("srs_load", watch);
    watch.restart();
    const Witness witness = porep_witness(porep_partition(c1_, 0), *r1cs);
    add("synth", watch);
    ProveTimings timings;
    watch.restart();
    const Proof proof =
        must(backend.prove(*circuit, witness, {test_scalar("r 0"), test_scalar("s 0")}, timings));
    add("prove", watch);
    for (std::size_t i = 0; i < kNumProvePhases; ++i) {
      const auto phase = static_cast<ProvePhase>(i);
      samples_[std::string("prove/") + prove_phase_name(phase)].push_back(timings.ms(phase));
    }
    watch.restart();
    const PreparedVerifyingKey key(file.vk());
    const Status verdict = verify(key, porep_public_inputs(c1_.statement(), 0), proof);
    add("verify", watch);
    add("whole proof", whole);
    const auto bytes = proof.encode();
    if (!verdict.is_ok() || !std::equal(bytes.begin(), bytes.end(), expected_.begin(), expected_.end())) {
      throw std::runtime_error("the proof is not that of the reference");
    }
    counts_ = counts;
    constraints_ = r1cs->num_constraints();
    witness_bytes_ = witness.memory_bytes();
  }

  void run_classical_synthesis() {
    const Stopwatch watch;
    ProvingSystem cs;
    synthesize_porep(cs, porep_partition(c1_, 0));
    add("classical synthesis", watch);
    if (cs.a().size() != constraints_)
      throw std::runtime_error("the classical synthesis has other constraints");
  }

  nlohmann::ordered_json report() const {
    nlohmann::ordered_json phases, rates;
    for (const auto& [name, samples] : samples_) phases[name] = summary(samples);
    const auto per_second = [&](const std::string& phase, std::size_t items) {
      const Samples& samples = samples_.at(phase);
      return static_cast<double>(items) / *std::min_element(samples.begin(), samples.end()) * 1e3;
    };
    const std::map<Query, std::string> msm_phases = {{Query::h, "prove/msm_h"},
                                                     {Query::l, "prove/msm_l"},
                                                     {Query::a, "prove/msm_a"},
                                                     {Query::b_g1, "prove/msm_b_g1"},
                                                     {Query::b_g2, "prove/msm_b_g2"}};
    for (const auto& [query, phase] : msm_phases) rates[phase] = per_second(phase, counts_[query]);
    rates["synth (constraints)"] = per_second("synth", constraints_);
    rates["classical synthesis (constraints)"] = per_second("classical synthesis", constraints_);
    utsname system{};
    ::uname(&system);
    return {{"registered_proof", c1_.registered_proof.name()},
            {"processor", processor_name()},
            {"features", describe_cpu_features()},
            {"threads", ThreadPool::global().num_threads()},
            {"kernel", system.release},
            {"runs", options_.runs},
            {"constraints", constraints_},
            {"witness_bytes", witness_bytes_},
            {"phases", phases},
            {"per_second", rates}};
  }

  int runs() const noexcept { return options_.runs; }

 private:
  void add(const std::string& name, const Stopwatch& watch) { samples_[name].push_back(watch.elapsed_ms()); }

  Options options_;
  C1 c1_;
  std::vector<std::uint8_t> expected_;
  ParameterPaths paths_;
  std::map<std::string, Samples> samples_;
  SrsCounts counts_;
  std::size_t constraints_ = 0;
  std::size_t witness_bytes_ = 0;
};

int run_main(int argc, char** argv) {
  CLI::App app("porep_bench: a whole PoRep proof, phase by phase");
  Options options;
  app.add_option("--params-dir", options.params_dir, "folder of the test parameters")->required();
  app.add_option("--c1", options.c1, "C1 file");
  app.add_option("--proof", options.proof, "the proof of the reference prover for it");
  app.add_option("--runs", options.runs, "how often")->check(CLI::Range(1, 1000));
  CLI11_PARSE(app, argc, argv);
  Bench bench(std::move(options));
  for (int i = 0; i < bench.runs(); ++i) bench.run_once();
  // The peak is that of the proofs: the classical synthesis, which needs more, comes after it is read.
  const std::uint64_t peak = peak_memory_bytes();
  bench.run_classical_synthesis();
  nlohmann::ordered_json report = bench.report();
  report["peak_memory_bytes"] = peak;
  std::printf("%s\n", report.dump(2).c_str());
  return 0;
}

}  // namespace
}  // namespace cuzk

int main(int argc, char** argv) {
  try {
    return cuzk::run_main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "porep_bench: %s\n", error.what());
    return 1;
  }
}
