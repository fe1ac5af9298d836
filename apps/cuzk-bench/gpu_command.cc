// `cuzk-bench gpu`: everything that is to be known of the CUDA backend on one machine, in one report: field products, transforms, sums,
// one partition, whole proofs. A section that fails says so and the others go on.
#include <cstdio>

#include "backend_option.h"
#include "base/stopwatch.h"
#include "bench_command.h"
#include "circuit_option.h"
#include "micro_bench.h"
#include "proof_bench.h"
#include "srs/parameter_paths.h"
#include "whole_file.h"

namespace cuzk {
namespace {

const std::vector<std::string> kSections = {"products", "ntt", "msm", "partition", "proof"};

struct Options {
  std::vector<std::string> only;
  unsigned largest = 27;
  int runs = 5;
  bool quick = false;
  std::string kind = "porep";
  std::string sector_size = "32GiB";
  std::string params_dir;
  int proofs = 3;
  unsigned ahead = 2;
  std::string out;
};

class GpuBench {
 public:
  GpuBench(Options options, const CommonOptions& common) : options_(std::move(options)), common_(common) {}

  Report run() {
    { must(make_cuda_micro_bench()); }  // without a GPU all sections would fail alike
    report_ = {{"device_before", gpu_facts()}};
    micro_sections();
    section("partition", [&] {
      Progress progress(common_.quiet);
      const auto backend = must(make_cuda_backend());
      return bench_partition(*backend, proof_options(), options_.runs, progress);
    });
    if (options_.params_dir.empty()) {
      if (wanted("proof")) report_["proof"] = {{"skipped", "no --params-dir was given"}};
    } else {
      section("proof", [&] {
        Progress progress(common_.quiet);
        const auto backend = must(make_cuda_backend());
        return bench_proofs(*backend, proof_options(), progress);
      });
    }
    report_["device_after"] = gpu_facts();
    report_["host_peak_bytes"] = peak_memory_bytes();
    save();
    return report_;
  }

 private:
  bool wanted(const std::string& name) const {
    return options_.only.empty() ||
           std::find(options_.only.begin(), options_.only.end(), name) != options_.only.end();
  }

  ProofBenchOptions proof_options() const {
    return {.kind = options_.kind,
            .sector_size = options_.sector_size,
            .params_dir = options_.params_dir,
            .proofs = options_.proofs,
            .witnesses_ahead = options_.ahead};
  }

  // The report so far survives whatever ends the program later.
  void save() const {
    if (options_.out.empty()) return;
    must(write_file(options_.out, report_.dump(2) + '\n'));
  }

  void section(const std::string& name, const std::function<Report()>& body) {
    if (!wanted(name)) return;
    const Stopwatch watch;
    Report result;
    try {
      result = body();
    } catch (const BenchFailure& failure) {
      result = {{"error", failure.status().to_string()}, {"ok", false}};
    } catch (const std::bad_alloc&) {
      result = {{"error", "out of host memory"}, {"ok", false}};
    }
    if (!common_.quiet) {
      std::fprintf(stderr, "gpu: %s: %s in %.1f s\n", name.c_str(),
                   has_wrong_answer(result) ? "FAILED" : "done", watch.elapsed_ms() / 1000);
    }
    report_[name] = std::move(result);
    save();
  }

  // Their memory is the GPU's again before whole circuits are loaded.
  void micro_sections() {
    if (!wanted("products") && !wanted("ntt") && !wanted("msm")) return;
    const std::unique_ptr<MicroBench> bench = must(make_cuda_micro_bench());
    section("products", [&] { return bench->products(options_.runs); });
    // Keys like "ntt_27" and "g1_uniform_27".
    section("ntt", [&] {
      Report table;
      for (const unsigned log_n : sizes({20, 22, 24, 26, 27})) {
        for (const Report& line : bench->ntt(log_n, options_.runs)) {
          table[line["transform"].get<std::string>() + '_' + std::to_string(log_n)] = line;
        }
      }
      return table;
    });
    section("msm", [&] {
      Report table;
      const auto add = [&](bool g2, bool witness, std::initializer_list<unsigned> all) {
        for (const unsigned log_n : sizes(all)) {
          const std::string name = std::string(g2 ? "g2" : "g1") + (witness ? "_witness_" : "_uniform_");
          table[name + std::to_string(log_n)] = bench->msm({g2, witness, log_n}, options_.runs);
        }
      };
      add(false, false, {20, 22, 24, 26, 27});
      add(false, true, {20, 24, 27});
      add(true, false, {20, 22});
      add(true, true, {20, 24, 25});
      return table;
    });
  }

  std::vector<unsigned> sizes(std::initializer_list<unsigned> all) const {
    std::vector<unsigned> chosen;
    for (const unsigned log_n : all) {
      if (log_n <= options_.largest) chosen.push_back(log_n);
    }
    if (chosen.empty()) chosen.push_back(options_.largest);
    return chosen;
  }

  const Options options_;
  const CommonOptions& common_;
  Report report_;
};

}  // namespace

void add_gpu_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command =
      app.add_subcommand("gpu", "the CUDA backend: products, transforms, sums, one partition, whole proofs");
  const auto options = std::make_shared<Options>();
  command->add_option("--only", options->only, "only these sections: products, ntt, msm, partition, proof")
      ->check(CLI::IsMember(kSections))
      ->type_name("SECTION...");
  CLI::Option* largest =
      command->add_option("--largest", options->largest, "log2 of the largest transform and sum")
          ->check(CLI::Range(10, 28))
          ->capture_default_str();
  command->add_option("--runs", options->runs, "measured runs of each item")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  CLI::Option* size =
      add_sector_size_option(*command, &options->sector_size, "of the partition and the proofs")
          ->capture_default_str();
  command->add_option("--kind", options->kind, "of the partition and the proofs")
      ->check(CLI::IsMember({"porep", "winning", "window", "update"}))
      ->capture_default_str();
  command
      ->add_option("--params-dir", options->params_dir,
                   "parameters of that circuit; without them no whole proof is made")
      ->type_name("DIR");
  command->add_option("--proofs", options->proofs, "whole proofs after the first, which is cold")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  command->add_option("--ahead", options->ahead, "witnesses synthesized ahead")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_option("--out", options->out, "also write the report here, after each section")
      ->type_name("FILE");
  command->add_flag("--quick", options->quick,
                    "sizes up to 2^22 and sectors of 2 KiB, unless those are given");
  command->callback([=, &common] {
    if (options->quick && largest->count() == 0) options->largest = 22;
    if (options->quick && size->count() == 0) options->sector_size = "2KiB";
    *run = [=, &common]() -> Outcome {
      const Status writable = options->out.empty() ? Status::ok() : check_writable(options->out);
      if (!writable.is_ok()) return {writable, kExitFailure};
      return run_bench(common, "gpu", [&] { return GpuBench(*options, common).run(); });
    };
  });
}

}  // namespace cuzk
