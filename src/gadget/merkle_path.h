// Merkle inclusion: a leaf and a path lead to a root. Source: docs/formats/circuits.md 1.7.
//
// A path is a list of levels from the leaf up; their arities may differ (base tree, then sub tree, then top
// tree), so one function serves every tree shape.
#pragma once

#include <span>
#include <variant>

#include "gadget/insert.h"
#include "gadget/multipack.h"
#include "gadget/node_hash.h"

namespace cuzk {

// One level of a path: the other children of the node, in order, and the position of ours among all. The
// arity, siblings.size() + 1, is 2, 4 or 8.
struct PathLevel {
  std::span<const Fr> siblings;
  std::size_t index;
};

// A root that is a variable already, or a value that becomes one when the path has been walked.
using MerkleRoot = std::variant<AllocatedNum, Fr>;

enum class RootVisibility { private_root, public_root };

// More index bits than any tree has.
inline constexpr std::size_t kMaxPathBits = 64;

namespace detail {

// The parent of `node`.
template <ConstraintSystem CS>
AllocatedNum merkle_step(CS& cs, NodeHash hash, const AllocatedNum& node, std::span<const AllocatedBit> bits,
                         std::span<const AllocatedNum> siblings) {
  std::array<AllocatedNum, kMaxTreeArity> children;
  CUZK_CHECK(siblings.size() < children.size(), "a node has at most 8 children");
  const auto used = std::span(children).first(siblings.size() + 1);
  insert(cs, node, bits, siblings, used);
  return hash_node(cs, hash, used);
}

// The same, with bits and siblings allocated from a level. Appends the bits to path_bits.
template <ConstraintSystem CS>
AllocatedNum merkle_step(CS& cs, NodeHash hash, const AllocatedNum& node, const PathLevel& level,
                         std::span<Boolean>& path_bits) {
  std::array<AllocatedBit, 3> bits;
  std::array<AllocatedNum, kMaxTreeArity - 1> siblings;
  CUZK_CHECK(level.siblings.size() <= siblings.size(), "a node has at most 8 children");
  const auto num_bits = static_cast<unsigned>(std::bit_width(level.siblings.size()));
  CUZK_CHECK(path_bits.size() >= num_bits, "a path has at most kMaxPathBits index bits");
  for (unsigned i = 0; i < num_bits; ++i) {
    bits[i] = AllocatedBit::alloc(cs, ((level.index >> i) & 1) != 0);
    path_bits[i] = bits[i];
  }
  path_bits = path_bits.subspan(num_bits);
  for (std::size_t i = 0; i < level.siblings.size(); ++i) {
    siblings[i] = AllocatedNum::alloc(cs, level.siblings[i]);
  }
  return merkle_step(cs, hash, node, std::span<const AllocatedBit>(bits).first(num_bits),
                     std::span<const AllocatedNum>(siblings).first(level.siblings.size()));
}

}  // namespace detail

// Proof of inclusion with the position as a public input: index bits and siblings are allocated level by
// level, the bits packed into one input (lowest level first), and the end of the path equals the root. A public
// root is a further input. A leaf that is no variable yet is allocated by the caller right before. Returns the
// root.
template <ConstraintSystem CS>
AllocatedNum merkle_inclusion(CS& cs, NodeHash hash, const AllocatedNum& leaf,
                              std::span<const PathLevel> path, const MerkleRoot& root,
                              RootVisibility visibility) {
  std::array<Boolean, kMaxPathBits> path_bits;
  std::span<Boolean> free_bits(path_bits);
  AllocatedNum node = leaf;
  {
    const Scope scope(cs, "base");
    for (const PathLevel& level : path) node = detail::merkle_step(cs, hash, node, level, free_bits);
  }
  {
    const Scope scope(cs, "path");
    pack_into_inputs<CS>(cs, std::span(path_bits).first(path_bits.size() - free_bits.size()));
  }
  const Scope scope(cs, "root_value");
  const AllocatedNum* given = std::get_if<AllocatedNum>(&root);
  const AllocatedNum root_num = given != nullptr ? *given : AllocatedNum::alloc(cs, std::get<Fr>(root));
  enforce_equal(cs, node, root_num);
  if (visibility == RootVisibility::public_root) inputize(cs, root_num);
  return root_num;
}

// The same where everything is allocated already and nothing is public: the index bits, lowest first, and for
// each level its siblings. bits.size() must be the sum of the levels' bits (checked). Without a level, leaf =
// root.
template <ConstraintSystem CS>
void merkle_inclusion_no_challenge(CS& cs, NodeHash hash, std::span<const AllocatedBit> bits,
                                   const AllocatedNum& leaf,
                                   std::span<const std::span<const AllocatedNum>> siblings,
                                   const AllocatedNum& root) {
  AllocatedNum node = leaf;
  for (const std::span<const AllocatedNum> level : siblings) {
    const auto num_bits = static_cast<std::size_t>(std::bit_width(level.size()));
    CUZK_CHECK(bits.size() >= num_bits, "index bits for every level");
    node = detail::merkle_step(cs, hash, node, bits.first(num_bits), level);
    bits = bits.subspan(num_bits);
  }
  CUZK_CHECK(bits.empty(), "a level for every index bit");
  enforce_equal(cs, node, root);
}

}  // namespace cuzk
