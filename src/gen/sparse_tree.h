// A Merkle tree over up to 2^32 leaves of which only some were written: the others hold a default value, so
// that all untouched subtrees of one height are one node. Building costs hashes and memory in proportion to
// the written leaves, and every inclusion proof is a real one.
//
// The leaves are cut into regions of equal size, each with a default of its own; one region is the plain
// case. Above the height at which a node spans several regions every node is kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vanilla/merkle_proof.h"
#include "vanilla/sector_shape.h"

namespace cuzk {

struct SparseNode {
  std::uint64_t index;
  Fr value;
};

// The arities of TreeC and TreeRLast, and of TreeD, from the leaves up.
std::vector<unsigned> poseidon_tree_levels(const TreeShape& tree);
std::vector<unsigned> binary_tree_levels(unsigned log2_leaves);

// The regions of a generated sector: 1024, or one leaf each where there are fewer leaves. Enough variety that
// neighbouring subtrees of real height differ, few enough that the defaults of all of them cost milliseconds.
std::size_t num_generated_regions(unsigned log2_leaves) noexcept;

// Immutable once built; safe from any thread.
class SparseTree {
 public:
  // Arities 2, 4 or 8 (2 alone for SHA-256), lowest level first. `defaults`: one value per region, their
  // number a power of two, at most the number of leaves. `leaves`: in any order, each index once and below
  // the number of leaves. All of this is checked. Hashes on the global thread pool.
  SparseTree(TreeHash hash, std::vector<unsigned> arities, std::vector<Fr> defaults,
             std::vector<SparseNode> leaves);

  std::uint64_t num_leaves() const noexcept { return std::uint64_t{1} << log2_leaves_; }
  const Fr& root() const noexcept { return node(static_cast<unsigned>(arities_.size()), 0); }
  const Fr& leaf(std::uint64_t index) const noexcept { return node(0, index); }
  // Level 0 holds the leaves. The index must be below the number of nodes of the level (checked).
  const Fr& node(unsigned level, std::uint64_t index) const noexcept;
  // The proof of any leaf, written or not.
  MerkleProof proof(std::uint64_t leaf) const;

 private:
  struct Level {
    unsigned log2_span;             // leaves below a node
    std::vector<SparseNode> nodes;  // ascending; those that are no default
    std::vector<Fr> defaults;       // per region; empty if nodes has all
  };

  std::vector<std::uint64_t> parents_to_compute(const Level& below, unsigned log2_arity) const;
  Fr parent_of(const Level& below, unsigned arity, std::uint64_t index) const;
  void add_level(unsigned arity);
  const Fr& find(const Level& level, std::uint64_t index) const noexcept;

  TreeHash hash_;
  std::vector<unsigned> arities_;
  unsigned log2_leaves_ = 0;
  unsigned log2_regions_;
  std::vector<Level> levels_;
};

}  // namespace cuzk
