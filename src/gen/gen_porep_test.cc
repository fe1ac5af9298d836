#include "gen/gen_porep.h"

#include "gen/c1_writer.h"
#include "gen/gen_test_support.h"
#include "vanilla/c1_validate.h"

namespace cuzk {
namespace {

// Valid, and still so after it was written and read.
void expect_valid(const PorepGenOptions& options) {
  SCOPED_TRACE(options.proof.name());
  const Result<C1> c1 = gen_porep(options);
  ASSERT_TRUE(c1.is_ok()) << c1.status().to_string();
  EXPECT_EQ(findings_text(validate_c1(c1.value(), {.miner_id = options.miner_id})), "");
  const std::string text = c1_json(c1.value());
  const Result<C1> read = parse_c1(bytes_of(text));
  ASSERT_TRUE(read.is_ok()) << read.status().to_string();
  EXPECT_EQ(findings_text(validate_c1(read.value(), {.miner_id = options.miner_id})), "");
  EXPECT_TRUE(c1_json(read.value()) == text);
}

TEST(GenPorep, IsValidForEveryProofOfTheSmallestSector) {
  for (const char* name : {"StackedDrg2KiBV1", "StackedDrg2KiBV1_1", "StackedDrg2KiBV1_1_Feat_SyntheticPoRep",
                           "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep"}) {
    for (const std::uint64_t seed : {0, 1, 2}) expect_valid({.proof = seal_named(name), .seed = seed});
  }
}

TEST(GenPorep, IsValidForEveryTreeShape) {
  for (const char* name : {"StackedDrg4KiBV1_1", "StackedDrg16KiBV1_1", "StackedDrg32KiBV1_1",
                           "StackedDrg8MiBV1", "StackedDrg8MiBV1_1", "StackedDrg16MiBV1_1",
                           "StackedDrg512MiBV1", "StackedDrg512MiBV1_1", "StackedDrg1GiBV1_1"}) {
    expect_valid({.proof = seal_named(name), .miner_id = 127, .sector_number = 99, .seed = 5});
  }
}

TEST(GenPorep, IsAFunctionOfItsOptions) {
  const PorepGenOptions options = {.proof = seal_named("StackedDrg8MiBV1_1"), .seed = 3};
  const std::string text = c1_json(gen_porep(options).value());
  EXPECT_TRUE(c1_json(gen_porep(options).value()) == text);
  PorepGenOptions other = options;
  other.seed = 4;
  EXPECT_NE(gen_porep(other).value().comm_d, gen_porep(options).value().comm_d);
  other = options;
  other.miner_id += 1;
  EXPECT_NE(gen_porep(other).value().replica_id, gen_porep(options).value().replica_id);
  other = options;
  other.sector_number += 1;
  EXPECT_NE(gen_porep(other).value().replica_id, gen_porep(options).value().replica_id);
}

// The values that a proof is about are no default: data, labels and siblings are not zero.
TEST(GenPorep, HasContent) {
  const C1 c1 = gen_porep({.proof = seal_named("StackedDrg512MiBV1_1")}).value();
  for (const PorepChallengeProof& proof : c1.partitions.front()) {
    EXPECT_FALSE(proof.comm_d_proof.leaf.is_zero());
    EXPECT_FALSE(proof.comm_r_last_proof.leaf.is_zero());
    for (const ColumnProof& column : proof.exp_parents) {
      EXPECT_FALSE(column.inclusion_proof.leaf.is_zero());
      for (const Fr& row : column.rows) EXPECT_FALSE(row.is_zero());
    }
  }
}

TEST(GenPorep, RefusesWhatOnlyAWholeSectorCouldAnswer) {
  for (const char* name :
       {"StackedDrg512MiBV1_1_Feat_SyntheticPoRep", "StackedDrg32GiBV1_2_Feat_NonInteractivePoRep"}) {
    const Result<C1> c1 = gen_porep({.proof = seal_named(name)});
    ASSERT_FALSE(c1.is_ok());
    EXPECT_EQ(c1.status().code(), StatusCode::invalid_argument);
    EXPECT_NE(c1.status().message().find(name), std::string::npos) << c1.status().message();
    EXPECT_NE(c1.status().message().find("the largest is 16777216"), std::string::npos)
        << c1.status().message();
  }
}

}  // namespace
}  // namespace cuzk
