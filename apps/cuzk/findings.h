// What is wrong with an input, as `validate` of all programs says it.
#pragma once

#include <vector>

#include "circuit/proof_input.h"
#include "command.h"

namespace cuzk {

// Prints the verdict, `facts` and all findings, and gives the outcome: invalid_argument with their number and the first of them if there is one.
Outcome report_findings(const std::vector<InputFinding>& findings, const Report& facts,
                        const CommonOptions& common);

}  // namespace cuzk
