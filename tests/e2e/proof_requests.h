// Requests for proofs of 2 KiB sectors that do not exist, each with inputs of its own, and the check of what comes back.
#pragma once

#include <cuzk/v1/proving.pb.h>

#include <cstdint>
#include <string>

#include "base/status.h"
#include "vanilla/registered_proofs.h"

namespace cuzk {

// A request that can be proved. Equal kinds and seeds give equal requests, others have other public inputs. A window PoSt has two sectors,
// 1 and 2. The request id is empty.
v1::SubmitProofRequest proof_request(ProofKind kind, std::uint64_t seed);
// The same with a vanilla proof that does not hold: well-formed, so it is accepted and found out by validation.
v1::SubmitProofRequest faulty_request(ProofKind kind, std::uint64_t seed);
// An update of a sector of 32 GiB: 16 partitions of half a megabyte. There are no parameters to prove it.
v1::SubmitProofRequest large_update_request(std::uint64_t seed);

// Whether `proof` is one of this request: as many proofs as it has partitions, each valid for the public inputs that follow from the request.
Status check_proof(const v1::SubmitProofRequest& request, const std::string& proof);

}  // namespace cuzk
