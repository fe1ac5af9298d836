// Whether the partition proofs of a sector update belong together and to the request: challenges, Merkle paths, roots,
// commitments, apex, and the encoding. What passes here satisfies the circuit; what fails is named in milliseconds
// instead of minutes. Source: docs/formats/public-inputs.md, Sector update.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vanilla/update_proof.h"
#include "vanilla/update_public.h"

namespace cuzk {

struct UpdateFinding {
  std::optional<unsigned> partition;  // none: the request as a whole
  std::optional<unsigned> challenge;  // position in the partition
  std::string field;     // as in the errors of parse_update_proof: "proof_d_new.root", "apex_leaves[5]"
  std::string expected;  // 32-byte values as hexadecimal in byte order, numbers as decimal
  std::string found;

  // "partition 0, challenge 3, proof_r_new.leaf: expected 1a.., found 2b.."
  std::string to_string() const;
};

// All that is wrong with the proofs of all partitions, in order of partition and challenge; nothing if all relations
// hold. With stop_at_first only the first of these. The proofs stand in the order of the partitions; another number
// than statement.shape.partitions() is a finding. Each must come from parse_update_proof with this shape, or have it.
// A proof of another partition is one finding with field "partition", and a challenge that is answered for another node
// one with field "challenge"; the rest is then checked for the one that is answered. Work is spread over the global
// thread pool.
std::vector<UpdateFinding> validate_update(const UpdatePublic& statement,
                                           std::span<const UpdatePartitionProof> partitions,
                                           bool stop_at_first = false);
// The same for one partition; `partition` < statement.shape.partitions(), else that is the only finding.
std::vector<UpdateFinding> validate_update_partition(const UpdatePublic& statement,
                                                     const UpdatePartitionProof& proof, unsigned partition,
                                                     bool stop_at_first = false);

}  // namespace cuzk
