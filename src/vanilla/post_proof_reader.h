// The bincode of a sector's vanilla proof in a WindowPoSt or WinningPoSt. Source:
// docs/formats/vanilla-proofs.md.
//
// Reading checks form only: lengths, tags, ranges, field elements below the modulus, nothing left over. Whether
// the values belong together is the business of post_validate.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/status.h"
#include "vanilla/post_proof.h"
#include "vanilla/registered_post.h"

namespace cuzk {

// On success the proof has the inclusion proofs of its kind (10 window, 66 winning), each with the levels of the
// sector's tree. Anything else is invalid_argument and says where: "sector 5, challenge 3,
// inclusion_proof.sub_proof[0].index: 9 is more than the largest value, 7". Thread-safe.
Result<PostSectorProof> parse_post_proof(std::span<const std::uint8_t> bytes, const SectorShape& shape,
                                         PostKind kind);

// parse_post_proof of a file. A file that cannot be read is unavailable, one that is longer than the proof
// invalid_argument; every error starts with the path.
Result<PostSectorProof> read_post_proof_file(const std::string& path, const SectorShape& shape,
                                             PostKind kind);

// The exact length of such a proof.
std::size_t post_proof_bytes(const SectorShape& shape, PostKind kind) noexcept;

}  // namespace cuzk
