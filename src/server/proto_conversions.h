// Between the messages of cuzk.v1 and the types of the engine. Field by field, docs/formats/grpc.md says what each means.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/engine_status.h"
#include "engine/job.h"
#include "engine/proof_request.h"

namespace cuzk::v1 {
class AwaitProofResponse;
class Finding;
class GetStatusResponse;
class JobInfo;
class SubmitProofRequest;
}  // namespace cuzk::v1

namespace cuzk {

// Of a number of cuzk.v1.ProofKind. invalid_argument, naming proof_kind, if a request for proofs cannot have it.
Result<ProofKind> kind_from_proto(std::int64_t number);
// Takes the large fields out of the message. invalid_argument names proof_kind or priority if it has no value of the enumeration.
Result<ProofRequest> request_from_proto(v1::SubmitProofRequest&& message);

// A final job, as AwaitProof and Prove answer. internal if a completed job carries no proof.
Result<v1::AwaitProofResponse> ended_job_to_proto(const JobSnapshot& job);
// An unfinished job, whose time to wait was up.
v1::AwaitProofResponse waiting_job_to_proto(const JobSnapshot& job, std::uint64_t timeout_ms);
// The sentence of a failed job for clients that read nothing else: message, class, phase, job id, whether to try again.
std::string error_sentence(const JobSnapshot& job);

v1::JobInfo job_to_proto(const JobSnapshot& job);
v1::Finding finding_to_proto(const InputFinding& finding);
v1::GetStatusResponse status_to_proto(const EngineStatus& status, const std::string& version);

}  // namespace cuzk
