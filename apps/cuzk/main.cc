// cuzk: the offline tool. Each sub-command is a file of its own; here flags are parsed, the command is run, and its outcome
// becomes one line on stderr and an exit code.
#include <cstdio>
#include <exception>

#include "base/cpu_features.h"
#include "base/thread_pool.h"
#include "command.h"
#include "version.h"

namespace cuzk {
namespace {

constexpr const char* kFooter =
    "Exit codes: 0 success; 1 the proof is invalid, or a fault of the program or machine; 2 wrong flags or a "
    "wrong input file;\n"
    "3 a parameter file is missing, damaged or of another circuit; 130 interrupted.\n"
    "Examples:\n"
    "  cuzk setup --circuit porep --sector-size 2KiB --params-dir params\n"
    "  cuzk prove --c1 c1.json --miner-id 1000 --params-dir params --out sector.proof\n"
    "  cuzk verify --c1 c1.json --proof sector.proof --params-dir params\n"
    "  cuzk gen --kind window --sector-size 2KiB --sectors 2 --out w.vproof\n"
    "  cuzk prove --kind window --sector-size 2KiB --vanilla w-1.vproof w-2.vproof --randomness HEX "
    "--miner-id 1000";

int fail(const Outcome& outcome, const CommonOptions& common) {
  if (common.json && !outcome.report_printed) {
    const Report report = {
        {"error",
         {{"class", status_code_name(outcome.status.code())}, {"message", outcome.status.message()}}}};
    print_report(report, common);
  }
  std::fprintf(stderr, "cuzk: %s\n", outcome.status.message().c_str());
  return outcome.exit_code;
}

int run_main(int argc, char** argv) {
  CLI::App app("cuzk: Groth16 proofs for Filecoin sectors");
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("cuzk ") + kVersion + " (" + describe_cpu_features() + ")");
  CommonOptions common;
  app.add_flag("--json", common.json, "print the result as JSON");
  app.add_flag("-q,--quiet", common.quiet, "no progress on stderr");
  app.add_option("--threads", common.threads, "threads to use (default: every core this process may run on)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  app.fallthrough();

  Run run;
  add_prove_command(app, common, &run);
  add_verify_command(app, common, &run);
  add_setup_command(app, common, &run);
  add_inspect_command(app, common, &run);
  add_r1cs_command(app, common, &run);
  add_validate_command(app, common, &run);
  add_gen_command(app, common, &run);
  add_circuits_command(app, common, &run);
  add_check_params_command(app, common, &run);

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
    std::fprintf(stderr, "cuzk: out of memory\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cuzk: internal error: %s\n", error.what());
  }
  return cuzk::kExitFailure;
}
