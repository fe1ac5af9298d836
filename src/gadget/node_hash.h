// The hash of a tree's node in a circuit: SHA-256 for the data tree, Poseidon for the others. Source:
// docs/formats/circuits.md 1.4, 1.5.
#pragma once

#include <algorithm>
#include <span>

#include "gadget/num_words.h"
#include "gadget/poseidon.h"
#include "gadget/sha256.h"

namespace cuzk {

enum class NodeHash {
  sha256,    // binary trees; the digest truncated to 254 bits
  poseidon,  // arities 2, 4 and 8
};

// The SHA-256 of two numbers, truncated to 254 bits. A number hashed twice is decomposed twice.
template <ConstraintSystem CS>
AllocatedNum sha256_node(CS& cs, const AllocatedNum& left, const AllocatedNum& right) {
  std::array<UInt32<CS>, 16> message;
  const Words256<CS> left_words = to_message_words(cs, left);
  const Words256<CS> right_words = to_message_words(cs, right);
  std::copy(left_words.begin(), left_words.end(), message.begin());
  std::copy(right_words.begin(), right_words.end(), message.begin() + 8);
  return pack_digest<CS>(cs, sha256<CS>(cs, message));
}

// The hash of a node's children; two of them for SHA-256 (checked).
template <ConstraintSystem CS>
AllocatedNum hash_node(CS& cs, NodeHash hash, std::span<const AllocatedNum> children) {
  if (hash == NodeHash::poseidon) return poseidon(cs, children);
  CUZK_CHECK(children.size() == 2, "a SHA-256 node has two children");
  return sha256_node(cs, children[0], children[1]);
}

}  // namespace cuzk
