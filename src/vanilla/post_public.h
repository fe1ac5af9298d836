// What the chain knows of a WinningPoSt or WindowPoSt: challenges, and the public inputs of a partition's circuit.
// Source: docs/formats/public-inputs.md, PoSt.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "field/fr.h"
#include "vanilla/registered_post.h"

namespace cuzk {

// SHA-256 of randomness, sector and challenge index, its first eight bytes reduced to a node of the sector.
std::uint64_t post_leaf_challenge(const Bytes32& randomness, std::uint64_t sector_id,
                                  std::uint64_t challenge_index, unsigned log2_nodes) noexcept;

// What one partition proves.
struct PostPublic {
  RegisteredPost proof;
  Bytes32 randomness;  // as 32 bytes; to be valid it must be below the field modulus
  unsigned partition =
      0;  // winning: 0. Matters only where the API version counts challenges over all sectors
};

struct PostSectorPublic {
  std::uint64_t sector_id;
  Fr comm_r;
};

// The challenges of the sector at `position` of the partition, in order. API 1.2.0 numbers them from 0 in every
// sector; before, the numbers run on over all sectors of all partitions.
std::vector<std::uint64_t> post_sector_challenges(const PostPublic& statement, std::uint64_t sector_id,
                                                  std::size_t position);

// The public inputs without the leading ONE: for each slot comm_r and the challenges. Missing sectors are the last one
// again. statement.proof.kind is window, with 1 to max_sectors() sectors (checked).
std::vector<Fr> window_post_public_inputs(const PostPublic& statement,
                                          std::span<const PostSectorPublic> sectors);
// The same for the 66 slots with one challenge each. statement.proof.kind is winning (checked).
std::vector<Fr> winning_post_public_inputs(const PostPublic& statement, const PostSectorPublic& sector);

}  // namespace cuzk
