#include "findings.h"

#include <cstdio>

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
  report["text"] = finding.text;
  return report;
}

}  // namespace

Outcome report_findings(const std::vector<InputFinding>& findings, const Report& facts,
                        const CommonOptions& common) {
  Report report = {{"verdict", findings.empty() ? "valid" : "invalid"}};
  report.update(facts);
  if (common.json) {
    report["findings"] = Report::array();
    for (const InputFinding& finding : findings) report["findings"].push_back(finding_report(finding));
  } else {
    for (const InputFinding& finding : findings) std::printf("%s\n", finding.text.c_str());
  }
  print_report(report, common);
  if (findings.empty()) return Status::ok();
  Outcome invalid =
      invalid_argument(std::to_string(findings.size()) +
                       " values do not belong to the rest; the first: " + findings.front().text);
  invalid.report_printed = true;
  return invalid;
}

}  // namespace cuzk
