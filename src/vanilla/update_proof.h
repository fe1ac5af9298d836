// The vanilla proof of one partition of a sector update (SnapDeals), typed. Source:
// docs/formats/vanilla-proofs.md.
#pragma once

#include <vector>

#include "vanilla/merkle_proof.h"

namespace cuzk {

struct UpdateChallengeProof {
  MerkleProof proof_r_old;  // TreeR of the replica before the update
  MerkleProof proof_d_new;  // binary SHA-256 tree of the new data
  MerkleProof proof_r_new;  // TreeR of the replica after it
};

struct UpdatePartitionProof {
  Fr comm_c;
  std::vector<Fr> apex_leaves;  // the nodes of TreeD of this partition at one height
  std::vector<UpdateChallengeProof> challenges;

  const Fr& root_r_old() const noexcept { return challenges.front().proof_r_old.root; }
  const Fr& root_r_new() const noexcept { return challenges.front().proof_r_new.root; }
};

}  // namespace cuzk
