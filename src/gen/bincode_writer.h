// Writes the vanilla proofs of PoSt and sector update in the bincode layout that the network's tools
// exchange. Source: docs/formats/vanilla-proofs.md.
#pragma once

#include <cstdint>
#include <vector>

#include "vanilla/post_proof.h"
#include "vanilla/sector_shape.h"
#include "vanilla/update_proof.h"
#include "vanilla/update_shape.h"

namespace cuzk {

// The inclusion proofs must have the levels of `tree` (checked).
std::vector<std::uint8_t> post_proof_bincode(const PostSectorProof& proof, const TreeShape& tree);

// The Poseidon variant has no apex, and no count of its leaves either. The paths must have the levels of
// `shape` (checked).
std::vector<std::uint8_t> update_proof_bincode(const UpdatePartitionProof& proof, const UpdateShape& shape);

}  // namespace cuzk
