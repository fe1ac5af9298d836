#include "vanilla/merkle_proof.h"

#include <algorithm>
#include <array>
#include <bit>

#include "hash/poseidon.h"
#include "hash/sha256.h"

namespace cuzk {
namespace {

Fr hash_children(TreeHash hash, std::span<const Fr> children) noexcept {
  if (hash == TreeHash::poseidon) return poseidon_hash(children);
  return *Fr::from_bytes_le(sha256_node(children[0].to_bytes_le(), children[1].to_bytes_le()));
}

}  // namespace

void MerkleProof::push_level(std::uint32_t arity, std::uint32_t index) {
  levels.push_back({arity, index, static_cast<std::uint32_t>(siblings.size())});
}

std::uint64_t MerkleProof::leaf_index() const noexcept {
  std::uint64_t index = 0;
  int shift = 0;
  for (const MerkleLevel& level : levels) {
    index |= std::uint64_t{level.index} << shift;
    shift += std::countr_zero(level.arity);
  }
  return index;
}

Fr MerkleProof::computed_node(TreeHash hash, std::size_t num_levels) const noexcept {
  Fr node = leaf;
  std::array<Fr, 8> children;
  for (std::size_t i = 0; i < num_levels; ++i) {
    const auto others = siblings_of(i);
    const std::uint32_t index = levels[i].index;
    std::copy_n(others.begin(), index, children.begin());
    children[index] = node;
    std::copy(others.begin() + index, others.end(), children.begin() + index + 1);
    node = hash_children(hash, std::span(children).first(levels[i].arity));
  }
  return node;
}

}  // namespace cuzk
