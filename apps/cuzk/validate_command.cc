// `cuzk validate`: checks an input without proving and lists everything that is wrong with it.
#include "base/stopwatch.h"
#include "command.h"
#include "findings.h"
#include "input_options.h"

namespace cuzk {
namespace {

Outcome run_validate(const InputOptions& options, const CommonOptions& common) {
  const Stopwatch watch;
  const auto input = options.read();
  if (!input.is_ok()) return input.status();
  const std::vector<InputFinding> findings = input.value()->validate(false);
  return report_findings(findings,
                         {{"registered_proof", input.value()->registered_proof()},
                          {"partitions", input.value()->num_proofs()},
                          {"total_ms", watch.elapsed_ms()}},
                         common);
}

}  // namespace

void add_validate_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command =
      app.add_subcommand("validate", "check an input without proving; list everything that is wrong");
  const auto options = std::make_shared<InputOptions>();
  options->add_to(*command, false);
  command->callback([=, &common] { *run = [=, &common] { return run_validate(*options, common); }; });
}

}  // namespace cuzk
