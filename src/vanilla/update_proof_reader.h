// The bincode of a sector update's partition proof. Source: docs/formats/vanilla-proofs.md; of the Poseidon
// variant, which has no apex, rust-fil-proofs storage-proofs-update/src/poseidon/vanilla.rs.
//
// Reading checks form only, like post_proof_reader.h; relations are the business of update_validate.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/status.h"
#include "vanilla/update_proof.h"
#include "vanilla/update_shape.h"

namespace cuzk {

// On success the proof has the apex leaves (none in the Poseidon variant), challenges and tree levels of `shape`.
// Anything else is invalid_argument and says where: "challenge 3, proof_d_new.path[4].hashes[0]: not below the
// field modulus". The proof does not name its partition, so neither do the errors. Thread-safe.
Result<UpdatePartitionProof> parse_update_proof(std::span<const std::uint8_t> bytes,
                                                const UpdateShape& shape);

// parse_update_proof of a file. A file that cannot be read is unavailable, one that is longer than the proof
// invalid_argument; every error starts with the path.
Result<UpdatePartitionProof> read_update_proof_file(const std::string& path, const UpdateShape& shape);

// The exact length of such a proof.
std::size_t update_proof_bytes(const UpdateShape& shape) noexcept;

}  // namespace cuzk
