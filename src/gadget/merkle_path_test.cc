// Merkle inclusion against trees hashed outside the circuit.
#include "gadget/merkle_path.h"

#include "gadget/gadget_testing.h"
#include "hash/sha256.h"

namespace cuzk {
namespace {

// A tree of random leaves with the given arity on each level, hashed outside the circuit.
struct Tree {
  Tree(Random& random, NodeHash hash, const std::vector<std::size_t>& level_arities)
      : arities(level_arities) {
    std::size_t leaves = 1;
    for (const std::size_t arity : arities) leaves *= arity;
    rows.push_back(random.frs(leaves));
    if (hash == NodeHash::sha256) {
      for (Fr& leaf : rows[0]) leaf = *Fr::from_bytes_le(truncate_254(sha256(leaf.to_bytes_le())));
    }
    for (const std::size_t arity : arities) {
      const std::vector<Fr>& below = rows.back();
      std::vector<Fr> row;
      for (std::size_t i = 0; i < below.size(); i += arity) {
        const auto children = std::span(below).subspan(i, arity);
        row.push_back(
            hash == NodeHash::poseidon
                ? poseidon_hash(children)
                : *Fr::from_bytes_le(sha256_node(children[0].to_bytes_le(), children[1].to_bytes_le())));
      }
      rows.push_back(std::move(row));
    }
  }

  const Fr& root() const { return rows.back()[0]; }
  // The siblings of each level, and the position there.
  std::vector<std::pair<std::vector<Fr>, std::size_t>> path(std::size_t leaf) const {
    std::vector<std::pair<std::vector<Fr>, std::size_t>> levels;
    for (std::size_t k = 0; k < arities.size(); ++k) {
      const std::size_t index = leaf % arities[k], first = leaf - index;
      std::vector<Fr> siblings;
      for (std::size_t i = 0; i < arities[k]; ++i) {
        if (i != index) siblings.push_back(rows[k][first + i]);
      }
      levels.emplace_back(std::move(siblings), index);
      leaf /= arities[k];
    }
    return levels;
  }

  std::vector<std::size_t> arities;
  std::vector<std::vector<Fr>> rows;
};

struct TreeShape {
  NodeHash hash;
  std::vector<std::size_t> arities;
};
const TreeShape kTreeShapes[] = {{NodeHash::sha256, {2, 2}},
                                 {NodeHash::poseidon, {2, 2, 2, 2}},
                                 {NodeHash::poseidon, {8, 8, 2}},
                                 {NodeHash::poseidon, {8, 4, 2}},
                                 {NodeHash::poseidon, {4}}};

TEST(MerklePath, LeadsFromEveryLeafToTheRoot) {
  Random random(11);
  for (const TreeShape& shape : kTreeShapes) {
    const Tree tree(random, shape.hash, shape.arities);
    for (const std::size_t leaf :
         {std::size_t{0}, tree.rows[0].size() - 1, random.below(tree.rows[0].size())}) {
      SCOPED_TRACE(testing::Message() << tree.rows[0].size() << " leaves, leaf " << leaf);
      const auto levels = tree.path(leaf);
      std::vector<PathLevel> path;
      for (const auto& [siblings, index] : levels) path.push_back({siblings, index});
      expect_sound(
          [&](auto& cs) {
            const AllocatedNum leaf_num = AllocatedNum::alloc(cs, tree.rows[0][leaf]);
            const AllocatedNum root =
                merkle_inclusion(cs, shape.hash, leaf_num, path, tree.root(), RootVisibility::public_root);
            merkle_inclusion(cs, shape.hash, leaf_num, path, root, RootVisibility::private_root);
            if constexpr (requires { cs.inputs(); }) {
              const std::vector<Fr> index(2, Fr::from_u64(leaf));
              EXPECT_EQ(cs.inputs(), (std::vector<Fr>{Fr::one(), index[0], tree.root(), index[1]}));
            }
          },
          shape.hash == NodeHash::sha256 ? 3 : 30, leaf);
    }
  }
}

TEST(MerklePath, WithoutChallengeInput) {
  Random random(12);
  for (const TreeShape& shape : kTreeShapes) {
    const Tree tree(random, shape.hash, shape.arities);
    const std::size_t leaf = random.below(tree.rows[0].size());
    const auto levels = tree.path(leaf);
    expect_sound(
        [&](auto& cs) {
          std::vector<AllocatedBit> bits;
          for (std::size_t i = 0; std::size_t{1} << i < tree.rows[0].size(); ++i) {
            bits.push_back(AllocatedBit::alloc(cs, ((leaf >> i) & 1) != 0));
          }
          std::vector<std::vector<AllocatedNum>> nums;
          for (const auto& level : levels) nums.push_back(allocated(cs, level.first));
          const std::vector<std::span<const AllocatedNum>> siblings(nums.begin(), nums.end());
          const AllocatedNum leaf_num = AllocatedNum::alloc(cs, tree.rows[0][leaf]);
          const AllocatedNum root = AllocatedNum::alloc(cs, tree.root());
          merkle_inclusion_no_challenge(cs, shape.hash, bits, leaf_num, siblings, root);
          merkle_inclusion_no_challenge(cs, shape.hash, {}, leaf_num, {}, leaf_num);
        },
        3, 12);
  }
}

TEST(MerklePath, AnotherLeafOrRootIsRefused) {
  Random random(13);
  const Tree tree(random, NodeHash::poseidon, {8, 2});
  const auto levels = tree.path(5);
  std::vector<PathLevel> path;
  for (const auto& [siblings, index] : levels) path.push_back({siblings, index});
  const auto refused = [&](const Fr& leaf, const Fr& root) {
    TestSystem cs;
    const AllocatedNum root_num = AllocatedNum::alloc(cs, root);
    merkle_inclusion(cs, NodeHash::poseidon, AllocatedNum::alloc(cs, leaf), path, root_num,
                     RootVisibility::private_root);
    return cs.first_unsatisfied().has_value();
  };
  EXPECT_FALSE(refused(tree.rows[0][5], tree.root()));
  EXPECT_TRUE(refused(tree.rows[0][6], tree.root()));
  EXPECT_TRUE(refused(tree.rows[0][5], tree.root() + Fr::one()));
  path[0].index ^= 1;
  EXPECT_TRUE(refused(tree.rows[0][5], tree.root()));
}

}  // namespace
}  // namespace cuzk
