// Witness synthesis of one partition, for every kind and several sizes: constraints per second, the size of the
// witness, and the memory that it takes. The input is generated; every witness is checked against the recorded circuit, so a
// figure is never that of a wrong answer.
//
//     synth_bench [--kind KIND]... [--sector-size SIZE]... [--runs N] [--threads N]
//
// Without options all of the list below. Prints one JSON object.
#include <malloc.h>
#include <sys/utsname.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/cpu_features.h"
#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "bench_support.h"
#include "circuit/proof_input.h"
#include "gen/gen_porep.h"
#include "gen/gen_post.h"
#include "gen/gen_update.h"
#include "r1cs/evaluate.h"

namespace cuzk {
namespace {

struct Options {
  std::vector<std::string> kinds;
  std::vector<std::string> sizes;
  int runs = 3;
};

struct Case {
  ProofKind kind;
  const char* size;
};

constexpr std::array kCases = {
    Case{ProofKind::porep, "2KiB"},    Case{ProofKind::porep, "8MiB"},   Case{ProofKind::porep, "512MiB"},
    Case{ProofKind::porep, "32GiB"},   Case{ProofKind::winning, "2KiB"}, Case{ProofKind::winning, "8MiB"},
    Case{ProofKind::winning, "32GiB"}, Case{ProofKind::window, "2KiB"},  Case{ProofKind::window, "8MiB"},
    Case{ProofKind::window, "32GiB"},  Case{ProofKind::update, "2KiB"},  Case{ProofKind::update, "8MiB"},
    Case{ProofKind::update, "32GiB"},
};

std::unique_ptr<ProofInput> post_input(PostKind kind, const SectorShape& shape) {
  const ApiVersion version = kind == PostKind::winning ? ApiVersion::v1_0_0 : ApiVersion::v1_2_0;
  const RegisteredPost proof = must(registered_post(kind, shape, version));
  GeneratedPost post = must(gen_post({.proof = proof, .sectors = proof.max_sectors()}));
  return must(make_post_input(proof, post.randomness, std::move(post.sectors), 0));
}

std::unique_ptr<ProofInput> update_input(const SectorShape& shape) {
  GeneratedUpdate update = gen_update({.shape = &shape});
  const UpdatePublic statement = {UpdateShape::of(shape), update.comm_r_old, update.comm_d_new,
                                  update.comm_r_new};
  std::vector<UpdatePartitionProof> first;
  first.push_back(std::move(update.partitions.front()));
  return must(make_update_input(shape, statement, std::move(first), 0));
}

// A valid input of one partition, with as many sectors as fit.
std::unique_ptr<ProofInput> generate(const Case& item) {
  const SectorShape& shape = *must(find_sector_shape(std::string_view(item.size)));
  switch (item.kind) {
    case ProofKind::porep: {
      const SealProof proof = must(seal_proof_from_name("StackedDrg" + std::string(item.size) + "V1_1"));
      return must(make_porep_input(must(gen_porep({.proof = proof})), std::nullopt, 0));
    }
    case ProofKind::winning:
      return post_input(PostKind::winning, shape);
    case ProofKind::window:
      return post_input(PostKind::window, shape);
    default:
      return update_input(shape);
  }
}

// A "Vm...:" line of this process's status, in bytes.
std::uint64_t memory_bytes(const std::string& field) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(field + ":")) return std::stoull(line.substr(field.size() + 1)) * 1024;
  }
  throw std::runtime_error("/proc/self/status has no " + field);
}

// From here on VmHWM is the peak of what comes; where the system does not allow it, that of the whole process.
void restart_peak_memory() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

// The processor time of all threads of this process so far.
double processor_ms() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

nlohmann::ordered_json measure(const Case& item, int runs) {
  Stopwatch watch;
  const std::unique_ptr<ProofInput> input = generate(item);
  const double generate_ms = watch.elapsed_ms();
  watch.restart();
  if (!input->validate(false).empty()) throw std::runtime_error("the generated input is not valid");
  const double validate_ms = watch.elapsed_ms();
  watch.restart();
  const R1cs r1cs = record_circuit(input->circuit());
  const double record_ms = watch.elapsed_ms();
  watch.restart();
  const Densities& densities = r1cs.densities();
  const double densities_ms = watch.elapsed_ms();
  if (densities.aux_in_a.count_ones() == 0) throw std::runtime_error("no variable occurs in A");

  ::malloc_trim(0);  // what generating and recording freed must not count as the synthesis's own
  restart_peak_memory();
  const std::uint64_t before = memory_bytes("VmRSS");
  Witness witness;
  double best_ms = 0;
  double best_cpu_ms = 0;
  for (int i = 0; i < runs; ++i) {
    witness = {};
    const double cpu_before_ms = processor_ms();
    watch.restart();
    witness = input->witness(0, r1cs);
    const double ms = watch.elapsed_ms();
    const double cpu_ms = processor_ms() - cpu_before_ms;
    best_ms = i == 0 ? ms : std::min(best_ms, ms);
    best_cpu_ms = i == 0 ? cpu_ms : std::min(best_cpu_ms, cpu_ms);
  }
  const std::uint64_t peak = memory_bytes("VmHWM");

  watch.restart();
  const Status dimensions = check_dimensions(r1cs, witness);
  if (!dimensions.is_ok()) throw std::runtime_error(dimensions.message());
  if (const auto bad = first_unsatisfied(r1cs, witness)) {
    throw std::runtime_error(input->registered_proof() + ": constraint " + std::to_string(*bad) +
                             " is not satisfied");
  }
  return {{"kind", proof_kind_name(item.kind)},
          {"sector_size", item.size},
          {"constraints", r1cs.num_constraints()},
          {"witness_bytes", witness.memory_bytes()},
          {"synth_min_ms", best_ms},
          {"synth_processor_min_ms", best_cpu_ms},
          {"constraints_per_second", static_cast<double>(r1cs.num_constraints()) / best_ms * 1e3},
          {"generate_ms", generate_ms},
          {"record_ms", record_ms},
          {"densities_ms", densities_ms},
          {"validate_ms", validate_ms},
          {"check_ms", watch.elapsed_ms()},
          {"shape_bytes", r1cs.memory_bytes()},
          {"synth_peak_memory_bytes", peak},
          {"synth_memory_beside_input_and_shape_bytes", peak - std::min(peak, before)}};
}

bool chosen(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

int run_main(int argc, char** argv) {
  CLI::App app("synth_bench: witness synthesis of every kind and size");
  Options options;
  app.add_option("--kind", options.kinds, "only this kind; may be repeated")
      ->check(CLI::IsMember({"porep", "winning", "window", "update"}));
  app.add_option("--sector-size", options.sizes, "only this size; may be repeated");
  app.add_option("--runs", options.runs, "how often; the least time counts")->check(CLI::Range(1, 1000));
  std::size_t threads = 0;
  app.add_option("--threads", threads, "threads of the program; 0: one for each core");
  CLI11_PARSE(app, argc, argv);
  ThreadPool::set_global_threads(threads);

  auto cases = nlohmann::ordered_json::array();
  for (const Case& item : kCases) {
    if (!chosen(options.kinds, proof_kind_name(item.kind)) || !chosen(options.sizes, item.size)) continue;
    cases.push_back(measure(item, options.runs));
  }
  if (cases.empty()) throw std::runtime_error("no case of this kind and size");
  utsname system{};
  ::uname(&system);
  const nlohmann::ordered_json report = {{"processor", processor_name()},
                                         {"features", describe_cpu_features()},
                                         {"threads", ThreadPool::global().num_threads()},
                                         {"kernel", system.release},
                                         {"runs", options.runs},
                                         {"cases", cases}};
  std::printf("%s\n", report.dump(2).c_str());
  return 0;
}

}  // namespace
}  // namespace cuzk

int main(int argc, char** argv) {
  try {
    return cuzk::run_main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "synth_bench: %s\n", error.what());
    return 1;
  }
}
