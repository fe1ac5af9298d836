// The C1 object: what a seal has to hand to the prover, in the wrapper that lotus-bench and Curio write.
// Source: docs/formats/c1.md.
//
// Reading checks form only: JSON, base64, names, counts, ranges, field elements below the modulus, no
// all-zero commitment. Whether the values belong together is the business of c1_validate.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "vanilla/porep_proof.h"
#include "vanilla/porep_public.h"
#include "vanilla/registered_proof.h"

namespace cuzk {

struct C1 {
  std::uint64_t sector_num;
  SealProof registered_proof;
  Fr comm_r;
  Fr comm_d;
  Fr replica_id;
  Bytes32 seed;
  Bytes32 ticket;
  std::vector<std::vector<PorepChallengeProof>> partitions;

  std::uint64_t sector_size() const noexcept { return registered_proof.shape->size_bytes; }
  PorepPublic statement() const noexcept { return {registered_proof, replica_id, comm_d, comm_r, seed}; }
};

// From the text of the wrapper. Keys may come in any order and unknown keys are ignored. On success:
// - the registered proof fits the sector size and the tag of `vanilla_proofs`;
// - partitions.size() == registered_proof.partitions(), each with challenges_per_partition() challenges;
// - every proof has the tree shape, layers and parents of its size, every node is below the number of nodes;
// - comm_r, comm_d and seed are not all zero.
// Anything else is invalid_argument, and the message says where: "partition 0, challenge 3,
// drg_parents[2].column.rows[1]: not below the field modulus". Thread-safe; `json` is only read during the call.
Result<C1> parse_c1(std::span<const std::uint8_t> json);

// parse_c1 of a file. A file that cannot be read is unavailable; every error starts with the path.
Result<C1> read_c1_file(const std::string& path);

}  // namespace cuzk
