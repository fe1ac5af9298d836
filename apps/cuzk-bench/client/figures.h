// Between the messages of cuzk.v1 and what the client works with and prints.
#pragma once

#include <vector>

#include "command.h"
#include "cuzk/v1/proving.pb.h"
#include "engine/job.h"
#include "engine/proof_request.h"

namespace cuzk {

v1::SubmitProofRequest request_to_proto(const ProofRequest& request);
std::vector<PhaseSpan> spans_from_proto(const v1::JobInfo& job);
// By its stable name; internal for a name that is none.
StatusCode code_from_name(const std::string& name);

Report job_report(const v1::JobInfo& job);
Report status_report(const v1::GetStatusResponse& status);
InputFinding finding_from_proto(const v1::Finding& finding);
// "9a2f..  porep 32GiB  proving 3/10 partitions, 12.3 s" for one line on a terminal.
std::string job_line(const v1::JobInfo& job);

}  // namespace cuzk
