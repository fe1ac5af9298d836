// The sector-update circuit: the checkpoints of the head and the first challenge at 2 KiB. Counts and digests: tests/golden.
#include "circuit/update/update.h"

#include <gtest/gtest.h>

#include "r1cs/test_system.h"

namespace cuzk {
namespace {

TEST(UpdateCircuit, FirstChallengePassesTheReferenceCheckpoints) {
  const UpdateShape shape = UpdateShape::of(*find_sector_shape(std::string_view("2KiB")).value());
  const UpdatePartitionProof proof = blank_update_proof(shape);
  TestSystem cs;
  synthesize_update(cs, shape, {0, Fr(), Fr(), Fr(), &proof});
  struct Expected {
    const char* path;
    std::size_t inputs, aux, constraints;
    const char* digest;
  };
  static constexpr Expected kExpected[] = {
      {"phi", 5, 11, 12, "1151206df2621843"},
      {"private", 5, 322, 323, "2be238821519f9bf"},
      {"commitments", 5, 333, 323, "2be238821519f9bf"},
      {"apex", 5, 955, 947, "40b9d2bf7b8fa846"},
      {"gen_challenge_bits", 5, 318272, 318601, "d023e4302efd69ec"},
      {"challenge 0", 5, 318839, 319169, "828bda6ca5b00c80"},
      {"challenge 1", 5, 457312, 457756, "6cf1a98c275b148f"},
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

}  // namespace
}  // namespace cuzk
