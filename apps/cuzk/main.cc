// cuzk: the offline tool. Each sub-command is a file of its own; here flags are parsed, the command is run, and its outcome
// becomes one line on stderr and an exit code.
#include "base/cpu_features.h"
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

void add_commands(CLI::App& app, const CommonOptions& common, Run* run) {
  add_prove_command(app, common, run);
  add_verify_command(app, common, run);
  add_setup_command(app, common, run);
  add_inspect_command(app, common, run);
  add_r1cs_command(app, common, run);
  add_validate_command(app, common, run);
  add_gen_command(app, common, run);
  add_circuits_command(app, common, run);
  add_check_params_command(app, common, run);
}

}  // namespace
}  // namespace cuzk

int main(int argc, char** argv) {
  using namespace cuzk;  // NOLINT(google-build-using-namespace)
  return run_program({"cuzk", "Groth16 proofs for Filecoin sectors",
                      std::string(kVersion) + " (" + describe_cpu_features() + ")", kFooter, add_commands},
                     argc, argv);
}
