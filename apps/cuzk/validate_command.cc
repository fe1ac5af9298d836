// `cuzk validate`: checks an input without proving and lists everything that is wrong with it.
#include "base/stopwatch.h"
#include "command.h"
#include "input_options.h"

namespace cuzk {
namespace {

Report finding_report(const InputFinding& finding) {
  Report report = Report::object();
  if (finding.sector_id.has_value()) report["sector"] = *finding.sector_id;
  if (finding.partition.has_value()) report["partition"] = *finding.partition;
  if (finding.challenge.has_value()) report["challenge"] = *finding.challenge;
  report["field"] = finding.field;
  report["expected"] = finding.expected;
  report["found"] = finding.found;
  return report;
}

Outcome run_validate(const InputOptions& options, const CommonOptions& common) {
  const Stopwatch watch;
  const auto input = options.read();
  if (!input.is_ok()) return input.status();
  const std::vector<InputFinding> findings = input.value()->validate(false);
  Report report = {{"verdict", findings.empty() ? "valid" : "invalid"},
                   {"registered_proof", input.value()->registered_proof()},
                   {"partitions", input.value()->num_proofs()},
                   {"total_ms", watch.elapsed_ms()}};
  if (common.json) {
    report["findings"] = Report::array();
    for (const InputFinding& finding : findings) report["findings"].push_back(finding_report(finding));
    print_report(report, common);
  } else {
    for (const InputFinding& finding : findings) std::printf("%s\n", finding.text.c_str());
    print_report(report, common);
  }
  if (findings.empty()) return Status::ok();
  Outcome invalid =
      invalid_argument(std::to_string(findings.size()) +
                       " values do not belong to the rest; the first: " + findings.front().text);
  invalid.report_printed = true;
  return invalid;
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
