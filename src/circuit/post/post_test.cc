// The PoSt circuit: the checkpoints of the first sector of a 2 KiB WindowPoSt. Counts and digests: tests/golden.
#include "circuit/post/post.h"

#include <gtest/gtest.h>

#include "r1cs/test_system.h"

namespace cuzk {
namespace {

PostCircuitShape window_2kib() {
  return PostCircuitShape::window(*find_sector_shape(std::string_view("2KiB")).value());
}

TEST(PostCircuit, FirstSectorPassesTheReferenceCheckpoints) {
  const PostCircuitShape shape = window_2kib();
  const std::vector<MerkleProof> challenges(shape.challenges_per_slot,
                                            blank_merkle_proof(shape.tree_arities));
  const std::vector<PostSlot> slots(shape.slots, PostSlot{Fr(), Fr(), Fr(), challenges});
  TestSystem cs;
  synthesize_post<TestSystem>(cs, slots);
  struct Expected {
    const char* path;
    std::size_t inputs, aux, constraints;
    const char* digest;
  };
  static constexpr Expected kExpected[] = {
      {"sector 0", 1, 0, 0, "e3b0c44298fc1c14"},
      {"sector 0/challenge_inclusion 0", 2, 314, 313, "364968a5185bc7f3"},
      {"sector 0/challenge_inclusion 1", 3, 1389, 1375, "c7cfebe01c7d9111"},
      {"sector 0/challenge_inclusion 9", 11, 9989, 9871, "c8e9768c24203462"},
      {"sector 1", 12, 11064, 10933, "ceb37e7b4cbe779c"},
  };
  for (const Expected& expected : kExpected) {
    SCOPED_TRACE(expected.path);
    const auto& all = cs.checkpoints();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.path == expected.path; });
    ASSERT_NE(found, all.end());
    EXPECT_EQ(found->inputs, expected.inputs);
    EXPECT_EQ(found->aux, expected.aux);
    EXPECT_EQ(found->constraints, expected.constraints);
    EXPECT_EQ(to_hex(found->digest).substr(0, 16), expected.digest);
  }
}

TEST(PostCircuit, ShortWindowsRepeatTheLastSector) {
  const PostCircuitShape shape = window_2kib();
  PostSectorProof sector;
  sector.comm_r = Fr::from_u64(7);
  sector.inclusion_proofs.assign(shape.challenges_per_slot, blank_merkle_proof(shape.tree_arities));
  const auto slots = window_post_slots(shape, std::span(&sector, 1));
  ASSERT_EQ(slots.size(), 2u);
  EXPECT_EQ(slots[1].comm_r, Fr::from_u64(7));
  EXPECT_EQ(slots[1].challenges.data(), sector.inclusion_proofs.data());
}

}  // namespace
}  // namespace cuzk
