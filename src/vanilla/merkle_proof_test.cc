#include "vanilla/merkle_proof.h"

#include <gtest/gtest.h>

#include "hash/poseidon.h"
#include "hash/sha256.h"

namespace cuzk {
namespace {

// A full tree over leaves 1000, 1001, ...: the levels have these arities.
struct Tree {
  std::vector<std::uint32_t> arities;
  std::vector<std::vector<Fr>> rows;

  Tree(std::vector<std::uint32_t> levels, TreeHash hash) : arities(std::move(levels)) {
    std::size_t leaves = 1;
    for (const auto arity : arities) leaves *= arity;
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < leaves; ++i) row.push_back(Fr::from_u64(1000 + i));
    for (const auto arity : arities) {
      std::vector<Fr> above;
      for (std::size_t i = 0; i < rows.back().size(); i += arity) {
        const auto children = std::span(rows.back()).subspan(i, arity);
        above.push_back(
            hash == TreeHash::poseidon
                ? poseidon_hash(children)
                : *Fr::from_bytes_le(sha256_node(children[0].to_bytes_le(), children[1].to_bytes_le())));
      }
      rows.push_back(above);
    }
  }

  MerkleProof prove(std::size_t leaf) const {
    MerkleProof proof;
    proof.leaf = rows[0][leaf];
    proof.root = rows.back()[0];
    for (std::size_t level = 0; level < arities.size(); ++level) {
      const std::size_t index = leaf % arities[level];
      proof.push_level(arities[level], static_cast<std::uint32_t>(index));
      for (std::size_t i = 0; i < arities[level]; ++i) {
        if (i != index) proof.siblings.push_back(rows[level][leaf - index + i]);
      }
      leaf /= arities[level];
    }
    return proof;
  }
};

TEST(MerkleProof, EveryLeafOfEveryShape) {
  const std::pair<std::vector<std::uint32_t>, TreeHash> shapes[] = {{{2, 2, 2, 2}, TreeHash::sha256},
                                                                    {{8, 8}, TreeHash::poseidon},
                                                                    {{8, 4}, TreeHash::poseidon},
                                                                    {{8, 8, 2}, TreeHash::poseidon}};
  for (const auto& [arities, hash] : shapes) {
    const Tree tree(arities, hash);
    for (std::size_t leaf = 0; leaf < tree.rows[0].size(); leaf += 7) {
      MerkleProof proof = tree.prove(leaf);
      EXPECT_EQ(proof.leaf_index(), leaf);
      EXPECT_EQ(proof.computed_root(hash), proof.root);
      proof.siblings.back() += Fr::one();
      EXPECT_NE(proof.computed_root(hash), proof.root);
      proof.siblings.back() -= Fr::one();
      proof.levels[1].index ^= 1;
      EXPECT_NE(proof.computed_root(hash), proof.root);
      EXPECT_NE(proof.leaf_index(), leaf);
    }
  }
}

TEST(MerkleProof, SiblingsOfALevel) {
  const MerkleProof proof = Tree({8, 2}, TreeHash::poseidon).prove(9);
  ASSERT_EQ(proof.siblings_of(0).size(), 7u);
  EXPECT_EQ(proof.siblings_of(0)[0], Fr::from_u64(1008));
  EXPECT_EQ(proof.siblings_of(0)[1], Fr::from_u64(1010));
  EXPECT_EQ(proof.siblings_of(1).size(), 1u);
}

}  // namespace
}  // namespace cuzk
