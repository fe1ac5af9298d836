#include "gen/gen_update.h"

#include "gen/bincode_writer.h"
#include "gen/gen_test_support.h"
#include "vanilla/update_proof_reader.h"
#include "vanilla/update_validate.h"

namespace cuzk {
namespace {

void expect_valid(const UpdateGenOptions& options) {
  SCOPED_TRACE(options.shape->name);
  const UpdateShape shape = UpdateShape::of(*options.shape, options.variant);
  const GeneratedUpdate update = gen_update(options);
  std::vector<UpdatePartitionProof> read;
  for (const UpdatePartitionProof& partition : update.partitions) {
    const auto parsed = parse_update_proof(update_proof_bincode(partition, shape), shape);
    ASSERT_TRUE(parsed.is_ok()) << parsed.status().to_string();
    read.push_back(parsed.value());
  }
  const UpdatePublic statement = {shape, update.comm_r_old, update.comm_d_new, update.comm_r_new};
  EXPECT_EQ(findings_text(validate_update(statement, read)), "");
}

// 64 GiB: gen_large_test.
TEST(GenUpdate, IsValidForEverySize) {
  for (const SectorShape& shape : all_sector_shapes()) {
    if (shape.log2_nodes < 31) expect_valid({.shape = &shape, .seed = 1});
  }
}

TEST(GenUpdate, PoseidonVariantIsValid) {
  for (const char* size : {"2KiB", "32KiB", "8MiB"})
    expect_valid({.shape = &shape_named(size), .variant = UpdateVariant::poseidon, .seed = 2});
}

TEST(GenUpdate, IsAFunctionOfItsOptions) {
  const UpdateGenOptions options = {.shape = &shape_named("32KiB"), .seed = 9};
  const auto bytes = [](const UpdateGenOptions& o) {
    return update_proof_bincode(gen_update(o).partitions.front(), UpdateShape::of(*o.shape));
  };
  EXPECT_EQ(bytes(options), bytes(options));
  EXPECT_NE(bytes({.shape = options.shape, .seed = 10}), bytes(options));
}

// No encoding is of the kind 0 = 0 + 0 * rho.
TEST(GenUpdate, HasContent) {
  const GeneratedUpdate update = gen_update({.shape = &shape_named("64GiB")});
  ASSERT_EQ(update.partitions.size(), 16u);
  for (const UpdatePartitionProof& partition : update.partitions) {
    ASSERT_EQ(partition.challenges.size(), 86u);
    for (const UpdateChallengeProof& challenge : partition.challenges) {
      EXPECT_FALSE(challenge.proof_d_new.leaf.is_zero());
      EXPECT_FALSE(challenge.proof_r_old.leaf.is_zero());
      EXPECT_NE(challenge.proof_r_new.leaf, challenge.proof_r_old.leaf);
    }
  }
}

}  // namespace
}  // namespace cuzk
