// `cuzk-bench synth`: witness synthesis of one partition, with --threads 1 on one thread: constraints per second, the size of the
// witness, the memory that it takes, processor time, and what the processor executed on all threads. Every witness is checked against the recorded circuit, so a figure is never that of
// a wrong answer.
#include <malloc.h>
#include <time.h>

#include <array>
#include <fstream>

#include "base/stopwatch.h"
#include "bench_command.h"
#include "circuit_option.h"
#include "generated_input.h"
#include "perf_counters.h"
#include "r1cs/evaluate.h"
#include "samples.h"

namespace cuzk {
namespace {

struct Options {
  std::vector<std::string> kinds;
  std::vector<std::string> sizes;
  int runs = 3;
};

struct Case {
  const char* kind;
  const char* size;
};

constexpr std::array kCases = {
    Case{"porep", "2KiB"},   Case{"porep", "8MiB"},   Case{"porep", "512MiB"},  Case{"porep", "32GiB"},
    Case{"winning", "2KiB"}, Case{"winning", "8MiB"}, Case{"winning", "32GiB"}, Case{"window", "2KiB"},
    Case{"window", "8MiB"},  Case{"window", "32GiB"}, Case{"update", "2KiB"},   Case{"update", "8MiB"},
    Case{"update", "32GiB"},
};

// A "Vm...:" line of this process's status, in bytes; 0 if there is none.
std::uint64_t memory_bytes(const std::string& field) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(field + ":")) return std::stoull(line.substr(field.size() + 1)) * 1024;
  }
  return 0;
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

// "" if the witness is one of the circuit.
std::string fault_of(const R1cs& r1cs, const Witness& witness) {
  const Status dimensions = check_dimensions(r1cs, witness);
  if (!dimensions.is_ok()) return dimensions.message();
  const auto bad = first_unsatisfied(r1cs, witness);
  return bad ? "constraint " + std::to_string(*bad) + " is not satisfied" : "";
}

Report measure(const std::string& kind, const std::string& size, int runs, PerfCounters& counters) {
  Stopwatch watch;
  const std::unique_ptr<ProofInput> input = must(generate_input(kind, size, 0, true));
  const double generate_ms = watch.elapsed_ms();
  watch.restart();
  const auto findings = input->validate(true);
  const double validate_ms = watch.elapsed_ms();
  if (!findings.empty())
    throw BenchFailure(internal_error("the generated input is not valid: " + findings.front().text));
  watch.restart();
  const R1cs r1cs = record_circuit(input->circuit());
  const double record_ms = watch.elapsed_ms();

  ::malloc_trim(0);  // what generating and recording freed must not count as the synthesis's own
  restart_peak_memory();
  const std::uint64_t before = memory_bytes("VmRSS");
  Samples synth, processor;
  Witness witness;
  for (int i = 0; i < runs; ++i) {
    witness = {};
    const double processor_before_ms = processor_ms();
    watch.restart();
    counters.start();
    witness = input->witness(0, r1cs);
    counters.stop();
    synth.add(watch.elapsed_ms());
    processor.add(processor_ms() - processor_before_ms);
  }
  const std::uint64_t peak = memory_bytes("VmHWM");

  const std::string fault = fault_of(r1cs, witness);
  Report report = {
      {"kind", kind},
      {"sector_size", size},
      {"constraints", r1cs.num_constraints()},
      {"witness_bytes", witness.memory_bytes()},
      {"synth", synth.summary()},
      {"processor_time", processor.summary()},
      {"constraints_per_second", static_cast<double>(r1cs.num_constraints()) / synth.min() * 1e3},
      {"generate_ms", generate_ms},
      {"validate_ms", validate_ms},
      {"record_ms", record_ms},
      {"shape_bytes", r1cs.memory_bytes()},
      {"synth_memory_beside_input_and_shape_bytes", peak - std::min(peak, before)},
      {"counters_of_last_run", counters.report()}};
  if (!fault.empty()) report["fault"] = fault;
  report["ok"] = fault.empty();
  return report;
}

bool chosen(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

Report run_synth(const Options& options) {
  PerfCounters counters;  // before the pool's threads are started
  Report cases = Report::array();
  if (!options.kinds.empty() && !options.sizes.empty()) {  // any pair, not only those of the list
    for (const std::string& kind : options.kinds) {
      for (const std::string& size : options.sizes)
        cases.push_back(measure(kind, size, options.runs, counters));
    }
  } else {
    for (const Case& item : kCases) {
      if (chosen(options.kinds, item.kind) && chosen(options.sizes, item.size)) {
        cases.push_back(measure(item.kind, item.size, options.runs, counters));
      }
    }
  }
  if (cases.empty())
    throw BenchFailure(invalid_argument("no case of this kind and size; sizes: " + sector_size_names()));
  return {{"cases", cases}};
}

}  // namespace

void add_synth_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command = app.add_subcommand(
      "synth", "witness synthesis of one partition, with hardware counters where permitted");
  const auto options = std::make_shared<Options>();
  command->add_option("--kind", options->kinds, "only these kinds: porep, winning, window, update")
      ->check(CLI::IsMember({"porep", "winning", "window", "update"}));
  command->add_option("--sector-size", options->sizes, "only these sizes (default: 2KiB to 32GiB)")
      ->type_name("SIZE...");
  command->add_option("--runs", options->runs, "how often; the least time counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->callback([=, &common] {
    *run = [=, &common] { return run_bench(common, "synth", [&] { return run_synth(*options); }); };
  });
}

}  // namespace cuzk
