// Every circuit's witness made on one thread without its shape, and on several with it: the same, so no repetition depends on
// another. The values satisfy nothing and differ from one challenge to the next.
#include <gtest/gtest.h>

#include "circuit/porep/porep.h"
#include "circuit/post/post.h"
#include "circuit/update/update.h"
#include "circuit/update/update_circuit.h"
#include "r1cs/witness_system.h"

namespace cuzk {
namespace {

const SectorShape& sector_shape() {
  return *find_sector_shape(std::string_view("2KiB")).value();
}

template <class Synthesize>
void expect_same(const R1cs& r1cs, const Synthesize& synthesize) {
  WitnessSystem serial;
  synthesize(serial);
  const Witness wanted = serial.finish();
  ASSERT_TRUE(check_dimensions(r1cs, wanted).is_ok());
  for (const std::size_t threads : {1, 3, 8}) {
    ThreadPool pool(threads);
    WitnessSystem cs(r1cs, pool);
    synthesize(cs);
    const Witness found = cs.finish();
    EXPECT_EQ(found.inputs, wanted.inputs) << threads << " threads";
    EXPECT_EQ(found.fulls, wanted.fulls) << threads << " threads";
    EXPECT_TRUE(found.bits == wanted.bits) << threads << " threads";
  }
}

void vary(MerkleProof& proof, std::uint64_t seed) {
  proof.leaf = Fr::from_u64(seed);
  for (Fr& sibling : proof.siblings) sibling = Fr::from_u64(++seed).inverse();
  for (auto& level : proof.levels) level.index = static_cast<std::uint32_t>(seed % 2);
}

TEST(ParallelWitness, Porep) {
  PorepCircuitShape shape = PorepCircuitShape::of(sector_shape());
  shape.challenges = 5;
  std::vector<PorepChallengeProof> challenges(shape.challenges, blank_porep_challenge(shape));
  for (std::size_t i = 0; i < challenges.size(); ++i) {
    vary(challenges[i].comm_d_proof, 100 * i);
    for (ColumnProof& column : challenges[i].exp_parents) vary(column.inclusion_proof, 1000 + i);
    for (ColumnProof& column : challenges[i].drg_parents)
      column.rows.assign(column.rows.size(), Fr::from_u64(i));
  }
  const PorepPartition partition = {Fr::from_u64(1), Fr::from_u64(2), Fr::from_u64(3), challenges};
  expect_same(porep_r1cs(shape), [&](WitnessSystem& cs) { synthesize_porep(cs, partition); });
}

TEST(ParallelWitness, Post) {
  const PostCircuitShape shape = {tree_arities(sector_shape().tree), 7, 3};
  std::vector<std::vector<MerkleProof>> proofs(
      shape.slots,
      std::vector<MerkleProof>(shape.challenges_per_slot, blank_merkle_proof(shape.tree_arities)));
  std::vector<PostSlot> slots;
  for (std::size_t i = 0; i < proofs.size(); ++i) {
    for (std::size_t k = 0; k < proofs[i].size(); ++k) vary(proofs[i][k], 1000 * i + 100 * k);
    slots.push_back({Fr::from_u64(i), Fr::from_u64(i + 1), Fr::from_u64(i + 2), proofs[i]});
  }
  expect_same(post_r1cs(shape), [&](WitnessSystem& cs) { synthesize_post<WitnessSystem>(cs, slots); });
}

TEST(ParallelWitness, Update) {
  for (const UpdateVariant variant : {UpdateVariant::sha256, UpdateVariant::poseidon}) {
    const UpdateShape shape = UpdateShape::of(sector_shape(), variant);
    UpdatePartitionProof proof = blank_update_proof(shape);
    for (std::size_t i = 0; i < proof.challenges.size(); ++i) {
      vary(proof.challenges[i].proof_r_old, 100 * i);
      vary(proof.challenges[i].proof_d_new, 100 * i + 30);
      vary(proof.challenges[i].proof_r_new, 100 * i + 60);
    }
    const UpdatePartition partition = {0, Fr::from_u64(1), Fr::from_u64(2), Fr::from_u64(3), &proof};
    expect_same(update_r1cs(shape), [&](WitnessSystem& cs) { synthesize_update(cs, shape, partition); });
  }
}

}  // namespace
}  // namespace cuzk
