#include "gen/sparse_tree.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/check.h"
#include "base/thread_pool.h"
#include "hash/poseidon.h"
#include "hash/sha256.h"

namespace cuzk {
namespace {

Fr hash_children(TreeHash hash, std::span<const Fr> children) noexcept {
  if (hash == TreeHash::poseidon) return poseidon_hash(children);
  return *Fr::from_bytes_le(sha256_node(children[0].to_bytes_le(), children[1].to_bytes_le()));
}

unsigned log2_of(std::size_t power) noexcept {
  CUZK_CHECK(std::has_single_bit(power), "a power of two");
  return static_cast<unsigned>(std::countr_zero(power));
}

}  // namespace

std::vector<unsigned> poseidon_tree_levels(const TreeShape& tree) {
  std::vector<unsigned> arities;
  for (unsigned level = 0; level < tree.num_levels(); ++level) arities.push_back(tree.arity(level));
  return arities;
}

std::vector<unsigned> binary_tree_levels(unsigned log2_leaves) {
  return std::vector<unsigned>(log2_leaves, 2);
}

std::size_t num_generated_regions(unsigned log2_leaves) noexcept {
  return std::size_t{1} << std::min(log2_leaves, 10u);
}

SparseTree::SparseTree(TreeHash hash, std::vector<unsigned> arities, std::vector<Fr> defaults,
                       std::vector<SparseNode> leaves)
    : hash_(hash), arities_(std::move(arities)), log2_regions_(log2_of(defaults.size())) {
  for (const unsigned arity : arities_) {
    CUZK_CHECK(arity == 2 || (hash == TreeHash::poseidon && (arity == 4 || arity == 8)),
               "an arity of the hash");
    log2_leaves_ += log2_of(arity);
  }
  CUZK_CHECK(log2_leaves_ <= 32 && log2_regions_ <= log2_leaves_, "a region has at least one leaf");
  std::sort(leaves.begin(), leaves.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
  const auto repeated = std::adjacent_find(leaves.begin(), leaves.end(),
                                           [](const auto& a, const auto& b) { return a.index == b.index; });
  CUZK_CHECK(repeated == leaves.end(), "each leaf once");
  CUZK_CHECK(leaves.empty() || leaves.back().index < num_leaves(), "a leaf of the tree");
  if (leaves.size() == num_leaves()) defaults.clear();
  levels_.push_back({0, std::move(leaves), std::move(defaults)});
  for (const unsigned arity : arities_) add_level(arity);
}

std::vector<std::uint64_t> SparseTree::parents_to_compute(const Level& below, unsigned log2_arity) const {
  std::vector<std::uint64_t> parents;
  const unsigned log2_span = below.log2_span + log2_arity;
  if (log2_span + log2_regions_ > log2_leaves_) {
    for (std::uint64_t i = 0; i < num_leaves() >> log2_span; ++i) parents.push_back(i);
    return parents;
  }
  for (const SparseNode& node : below.nodes) {
    const std::uint64_t parent = node.index >> log2_arity;
    if (parents.empty() || parents.back() != parent) parents.push_back(parent);
  }
  return parents;
}

Fr SparseTree::parent_of(const Level& below, unsigned arity, std::uint64_t index) const {
  std::array<Fr, 8> children;
  for (unsigned i = 0; i < arity; ++i) children[i] = find(below, arity * index + i);
  return hash_children(hash_, std::span(children).first(arity));
}

void SparseTree::add_level(unsigned arity) {
  constexpr std::size_t kGrain = 16;
  const Level& below = levels_.back();
  Level level{below.log2_span + log2_of(arity), {}, {}};
  for (const std::uint64_t index : parents_to_compute(below, log2_of(arity)))
    level.nodes.push_back({index, Fr()});
  parallel_for(level.nodes.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      level.nodes[i].value = parent_of(below, arity, level.nodes[i].index);
  });
  if (level.nodes.size() < num_leaves() >> level.log2_span) {
    level.defaults.resize(below.defaults.size());
    parallel_for(level.defaults.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      std::array<Fr, 8> children;
      for (std::size_t i = begin; i < end; ++i) {
        children.fill(below.defaults[i]);
        level.defaults[i] = hash_children(hash_, std::span(children).first(arity));
      }
    });
  }
  levels_.push_back(std::move(level));
}

const Fr& SparseTree::find(const Level& level, std::uint64_t index) const noexcept {
  CUZK_CHECK(index < num_leaves() >> level.log2_span, "a node of the level");
  if (level.defaults.empty()) return level.nodes[index].value;
  const auto found = std::lower_bound(level.nodes.begin(), level.nodes.end(), index,
                                      [](const SparseNode& node, std::uint64_t i) { return node.index < i; });
  if (found != level.nodes.end() && found->index == index) return found->value;
  return level.defaults[index >> (log2_leaves_ - log2_regions_ - level.log2_span)];
}

const Fr& SparseTree::node(unsigned level, std::uint64_t index) const noexcept {
  CUZK_CHECK(level < levels_.size(), "a level of the tree");
  return find(levels_[level], index);
}

MerkleProof SparseTree::proof(std::uint64_t leaf) const {
  MerkleProof proof;
  proof.leaf = node(0, leaf);
  proof.root = root();
  std::uint64_t index = leaf;
  for (unsigned level = 0; level < arities_.size(); ++level) {
    const unsigned arity = arities_[level];
    const std::uint64_t first = index & ~std::uint64_t{arity - 1};
    proof.push_level(arity, static_cast<std::uint32_t>(index - first));
    for (unsigned i = 0; i < arity; ++i) {
      if (first + i != index) proof.siblings.push_back(node(level, first + i));
    }
    index = first / arity;
  }
  return proof;
}

}  // namespace cuzk
