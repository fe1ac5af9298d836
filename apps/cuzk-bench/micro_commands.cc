// `cuzk-bench ntt` and `cuzk-bench msm`: the primitives of one backend.
#include "bench_command.h"
#include "micro_bench.h"

namespace cuzk {
namespace {

struct Options {
  std::string backend = "cpu";
  std::vector<unsigned> log_n = {20};
  int runs = 5;
  std::string group = "g1";
  std::string scalars = "uniform";
};

void add_shared(CLI::App& command, Options& options) {
  command.add_option("--backend", options.backend, "cpu or cuda")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  command.add_option("--log-n", options.log_n, "log2 of the sizes")
      ->check(CLI::Range(1, 28))
      ->type_name("K...")
      ->capture_default_str();
  command.add_option("--runs", options.runs, "measured runs, after one to warm up")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
}

using Measure = std::function<Report(MicroBench&, unsigned log_n)>;

Outcome run_micro(const CommonOptions& common, const std::string& name, const Options& options,
                  const Measure& measure) {
  return run_bench(common, name, [&] {
    const std::unique_ptr<MicroBench> bench = must(make_micro_bench(options.backend));
    Report results = Report::array();
    for (const unsigned log_n : options.log_n) {
      Report result = measure(*bench, log_n);
      if (!result.is_array()) result = Report::array({result});
      for (const Report& line : result) results.push_back(line);
    }
    return Report{{"device", bench->device()}, {"results", results}};
  });
}

}  // namespace

void add_ntt_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command = app.add_subcommand("ntt", "transforms over Fr, checked by their inverse");
  const auto options = std::make_shared<Options>();
  add_shared(*command, *options);
  command->callback([=, &common] {
    *run = [=, &common] {
      return run_micro(common, "ntt", *options,
                       [&](MicroBench& bench, unsigned log_n) { return bench.ntt(log_n, options->runs); });
    };
  });
}

void add_msm_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command = app.add_subcommand(
      "msm", "multi-scalar multiplication, checked against known multiples of the generator");
  const auto options = std::make_shared<Options>();
  add_shared(*command, *options);
  command->add_option("--group", options->group, "g1 or g2")
      ->check(CLI::IsMember({"g1", "g2"}))
      ->capture_default_str();
  command
      ->add_option("--scalars", options->scalars,
                   "uniform, or witness: half are 1, one in a hundred is of full width, the others 0")
      ->check(CLI::IsMember({"uniform", "witness"}))
      ->capture_default_str();
  command->callback([=, &common] {
    *run = [=, &common] {
      return run_micro(common, "msm", *options, [&](MicroBench& bench, unsigned log_n) {
        return bench.msm({options->group == "g2", options->scalars == "witness", log_n}, options->runs);
      });
    };
  });
}

}  // namespace cuzk
