// cuzk-bench: measures the layers of the prover in this process, and a daemon from outside. Each sub-command is a file of its own.
#include <cstdio>
#include <exception>

#include "base/cpu_features.h"
#include "base/thread_pool.h"
#include "bench_command.h"
#include "commit.h"
#include "version.h"

namespace cuzk {
namespace {

constexpr const char* kFooter =
    "Exit codes: 0 success; 1 a wrong answer, a proof that failed, or a fault of the program or machine; 2 "
    "wrong flags or\n"
    "input; 3 parameters, GPU or daemon are not there; 130 interrupted. With --json a failure is an object "
    "\"error\" on stdout.\n"
    "Examples:\n"
    "  cuzk-bench synth --kind porep --sector-size 2KiB --json\n"
    "  cuzk-bench msm --backend cuda --log-n 20 24 26 27\n"
    "  cuzk-bench gpu --params-dir params --out gpu.json\n"
    "  cuzk-bench single --server unix:/run/cuzk/cuzk.sock --c1 c1.json --miner-id 1000\n"
    "  cuzk-bench batch --server localhost:9820 --c1 c1.json --miner-id 1000 --count 20 --concurrency 4\n";

int fail(const Outcome& outcome, const CommonOptions& common) {
  if (common.json && !outcome.report_printed) {
    print_report(
        {{"error",
          {{"class", status_code_name(outcome.status.code())}, {"message", outcome.status.message()}}}},
        common);
  }
  std::fprintf(stderr, "cuzk-bench: %s\n", outcome.status.message().c_str());
  return outcome.exit_code;
}

int run_main(int argc, char** argv) {
  CLI::App app("cuzk-bench: measures the prover, and talks to its daemon");
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("cuzk-bench ") + kVersion + " (" + kCommit + "; " +
                                        describe_cpu_features() + ")");
  CommonOptions common;
  app.add_flag("--json", common.json, "print the result as JSON");
  app.add_flag("-q,--quiet", common.quiet, "no progress on stderr");
  app.add_option("--threads", common.threads,
                 "threads of in-process work (default: every core this process may run on)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  app.fallthrough();

  Run run;
  add_synth_command(app, common, &run);
  add_ntt_command(app, common, &run);
  add_msm_command(app, common, &run);
  add_srs_command(app, common, &run);
  add_proof_command(app, common, &run);
  add_repeat_command(app, common, &run);
  add_gpu_command(app, common, &run);
  add_get_command(app, common, &run);
  add_job_commands(app, common, &run);
  add_client_commands(app, common, &run);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitSuccess : kExitBadInput;
  }
  ThreadPool::set_global_threads(common.threads);
  const Outcome outcome = run();
  return outcome.status.is_ok() ? outcome.exit_code : fail(outcome, common);
}

}  // namespace
}  // namespace cuzk

int main(int argc, char** argv) {
  try {
    return cuzk::run_main(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "cuzk-bench: out of memory\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cuzk-bench: internal error: %s\n", error.what());
  }
  return cuzk::kExitFailure;
}
