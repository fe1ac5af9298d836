// cuzk-bench: measures the layers of the prover in this process, and a daemon from outside. Each sub-command is a file of its own.
#include "base/cpu_features.h"
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

void add_commands(CLI::App& app, const CommonOptions& common, Run* run) {
  add_synth_command(app, common, run);
  add_ntt_command(app, common, run);
  add_msm_command(app, common, run);
  add_srs_command(app, common, run);
  add_proof_command(app, common, run);
  add_repeat_command(app, common, run);
  add_gpu_command(app, common, run);
  add_get_command(app, common, run);
  add_job_commands(app, common, run);
  add_client_commands(app, common, run);
}

}  // namespace
}  // namespace cuzk

int main(int argc, char** argv) {
  using namespace cuzk;  // NOLINT(google-build-using-namespace)
  return run_program(
      {"cuzk-bench", "measures the prover, and talks to its daemon",
       std::string(kVersion) + " (" + kCommit + "; " + describe_cpu_features() + ")", kFooter, add_commands},
      argc, argv);
}
