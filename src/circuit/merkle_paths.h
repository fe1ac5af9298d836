// Vanilla Merkle proofs in a circuit: what the circuits of all proofs share.
#pragma once

#include <span>
#include <vector>

#include "gadget/merkle_path.h"
#include "vanilla/merkle_proof.h"
#include "vanilla/sector_shape.h"

namespace cuzk {

// The proof's path from `leaf` to `root`, both variables already; the position of the leaf becomes a public input.
template <ConstraintSystem CS>
void synthesize_inclusion(CS& cs, NodeHash hash, const AllocatedNum& leaf, const MerkleProof& proof,
                          const AllocatedNum& root) {
  std::vector<PathLevel> path;
  path.reserve(proof.levels.size());
  for (std::size_t i = 0; i < proof.levels.size(); ++i) {
    path.push_back({proof.siblings_of(i), proof.levels[i].index});
  }
  merkle_inclusion<CS>(cs, hash, leaf, path, root, RootVisibility::private_root);
}

// The arities of TreeC and TreeR, from the leaves up.
std::vector<unsigned> tree_arities(const TreeShape& tree);

// A proof with these levels, from the leaf up, and all values zero: to synthesize shapes from.
MerkleProof blank_merkle_proof(std::span<const unsigned> arities);

}  // namespace cuzk
