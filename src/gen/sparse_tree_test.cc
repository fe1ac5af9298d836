// The sparse tree against a tree of all nodes, computed level by level.
#include "gen/sparse_tree.h"

#include <gtest/gtest.h>

#include <map>

#include "gen/seed_stream.h"
#include "hash/poseidon.h"
#include "hash/sha256.h"

namespace cuzk {
namespace {

std::vector<std::vector<Fr>> full_tree(TreeHash hash, const std::vector<unsigned>& arities,
                                       std::vector<Fr> leaves) {
  std::vector<std::vector<Fr>> levels = {std::move(leaves)};
  for (const unsigned arity : arities) {
    std::vector<Fr> parents;
    const std::vector<Fr>& below = levels.back();
    for (std::size_t i = 0; i < below.size(); i += arity) {
      parents.push_back(
          hash == TreeHash::poseidon
              ? poseidon_hash(std::span(below).subspan(i, arity))
              : *Fr::from_bytes_le(sha256_node(below[i].to_bytes_le(), below[i + 1].to_bytes_le())));
    }
    levels.push_back(std::move(parents));
  }
  return levels;
}

void expect_like_full_tree(TreeHash hash, const std::vector<unsigned>& arities, std::size_t num_leaves,
                           std::size_t num_regions, std::size_t num_written) {
  const SeedStream values(num_regions * 1000 + num_written);
  const std::vector<Fr> defaults = values.frs("default", num_regions);
  std::vector<Fr> leaves;
  for (std::size_t i = 0; i < num_leaves; ++i) leaves.push_back(defaults[i * num_regions / num_leaves]);
  // An odd factor visits each leaf once, in no order.
  std::vector<SparseNode> written;
  for (std::size_t i = 0; i < num_written; ++i) {
    const std::size_t index = (i * 37 + 11) % num_leaves;
    written.push_back({index, values.fr("leaf", i)});
    leaves[index] = written.back().value;
  }
  const SparseTree tree(hash, arities, defaults, written);
  const auto expected = full_tree(hash, arities, leaves);
  ASSERT_EQ(tree.num_leaves(), num_leaves);
  EXPECT_EQ(tree.root(), expected.back().front());
  for (unsigned level = 0; level < expected.size(); ++level) {
    for (std::size_t i = 0; i < expected[level].size(); ++i)
      ASSERT_EQ(tree.node(level, i), expected[level][i]) << "level " << level << ", node " << i;
  }
  for (std::size_t i = 0; i < num_leaves; ++i) {
    const MerkleProof proof = tree.proof(i);
    ASSERT_EQ(proof.leaf, leaves[i]);
    ASSERT_EQ(proof.root, tree.root());
    ASSERT_EQ(proof.leaf_index(), i);
    ASSERT_EQ(proof.computed_root(hash), tree.root());
  }
}

TEST(SparseTree, IsTheTreeOfAllItsLeaves) {
  for (const std::size_t regions : {1, 2, 16, 128}) {
    for (const std::size_t written : {0, 1, 7, 128}) {
      SCOPED_TRACE(std::to_string(regions) + " regions, " + std::to_string(written) + " written");
      expect_like_full_tree(TreeHash::poseidon, {8, 8, 2}, 128, regions, written);
      expect_like_full_tree(TreeHash::poseidon, {8, 4, 4}, 128, regions, written);
      expect_like_full_tree(TreeHash::sha256, std::vector<unsigned>(7, 2), 128, regions, written);
    }
  }
}

TEST(SparseTree, LevelsFollowTheShapeOfTheSector) {
  EXPECT_EQ(poseidon_tree_levels({2, 8, 2}), (std::vector<unsigned>{8, 8, 8, 2}));
  EXPECT_EQ(poseidon_tree_levels({2, 0, 0}), (std::vector<unsigned>{8, 8}));
  EXPECT_EQ(binary_tree_levels(3), (std::vector<unsigned>{2, 2, 2}));
}

TEST(SparseTree, HoldsTwoToTheThirtyTwoLeaves) {
  const SparseTree tree(TreeHash::sha256, binary_tree_levels(32), {Fr::zero()},
                        {{0xffffffff, Fr::one()}, {0, Fr::one()}});
  for (const std::uint64_t leaf : {0x0ull, 0x1ull, 0x12345678ull, 0xffffffffull}) {
    const MerkleProof proof = tree.proof(leaf);
    EXPECT_EQ(proof.leaf_index(), leaf);
    EXPECT_EQ(proof.computed_root(TreeHash::sha256), tree.root());
  }
  EXPECT_EQ(tree.leaf(0xffffffff), Fr::one());
  EXPECT_EQ(tree.leaf(0xfffffffe), Fr::zero());
}

TEST(SparseTreeDeathTest, RefusesLeavesGivenTwiceOrOutside) {
  const auto build = [](std::vector<SparseNode> leaves) {
    return SparseTree(TreeHash::poseidon, {2}, {Fr::zero()}, std::move(leaves));
  };
  EXPECT_DEATH(build({{1, Fr::one()}, {1, Fr::one()}}), "each leaf once");
  EXPECT_DEATH(build({{2, Fr::one()}}), "a leaf of the tree");
}

TEST(SeedStream, IsAFunctionOfSeedLabelAndNumbers) {
  const SeedStream stream(7);
  EXPECT_EQ(stream.bytes("x", 1, 2), SeedStream(7).bytes("x", 1, 2));
  EXPECT_NE(stream.bytes("x", 1, 2), stream.bytes("x", 2, 1));
  EXPECT_NE(stream.bytes("x", 1, 2), stream.bytes("y", 1, 2));
  EXPECT_NE(stream.bytes("x", 1, 2), SeedStream(8).bytes("x", 1, 2));
  // sha256(b"cuzk gen" + struct.pack("<QQQ", 7, 1, 2) + b"x") in Python
  EXPECT_EQ(to_hex(stream.bytes("x", 1, 2)),
            "820192d085e4aa06a810463d9baf5e8d9b3e717490ba2d5450f50a7fdcbd05c3");
}

}  // namespace
}  // namespace cuzk
