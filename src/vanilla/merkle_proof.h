// A Merkle inclusion proof as vanilla proofs carry it: leaf, root, and from the leaf upwards the index of the
// running node among the children of its parent and the other children in order.
//
// Both kinds of tree have nodes below the field modulus, so nodes are field elements, ready for the circuit:
// TreeC and TreeRLast hash 8 (sub, top: 2 to 8) children with Poseidon; TreeD hashes two with SHA-256 cut to
// 254 bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "field/fr.h"

namespace cuzk {

enum class TreeHash { poseidon, sha256 };

struct MerkleLevel {
  std::uint32_t arity;  // a power of two, at most 8
  std::uint32_t index;  // below arity
  std::uint32_t first_sibling;
};

struct MerkleProof {
  Fr leaf;
  Fr root;
  std::vector<MerkleLevel> levels;  // base levels from the leaf, then sub, then top
  std::vector<Fr> siblings;         // arity - 1 per level

  // Adds a level on top; the siblings follow with siblings.push_back.
  void push_level(std::uint32_t arity, std::uint32_t index);
  std::span<const Fr> siblings_of(std::size_t level) const noexcept {
    return std::span(siblings).subspan(levels[level].first_sibling, levels[level].arity - 1);
  }

  // The position of the leaf: the index bits of all levels, lowest level in the lowest bits.
  std::uint64_t leaf_index() const noexcept;
  // The root that leaf, siblings and indices lead to.
  Fr computed_root(TreeHash hash) const noexcept { return computed_node(hash, levels.size()); }
  // The node that the lowest `num_levels` levels lead to; 0 gives the leaf.
  Fr computed_node(TreeHash hash, std::size_t num_levels) const noexcept;
};

}  // namespace cuzk
