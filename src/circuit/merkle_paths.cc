#include "circuit/merkle_paths.h"

namespace cuzk {

std::vector<unsigned> tree_arities(const TreeShape& tree) {
  std::vector<unsigned> arities;
  for (unsigned level = 0; level < tree.num_levels(); ++level) arities.push_back(tree.arity(level));
  return arities;
}

MerkleProof blank_merkle_proof(std::span<const unsigned> arities) {
  MerkleProof proof;
  for (const unsigned arity : arities) {
    proof.push_level(arity, 0);
    proof.siblings.resize(proof.siblings.size() + arity - 1);
  }
  return proof;
}

}  // namespace cuzk
