#include "vanilla/registered_proof.h"

#include <gtest/gtest.h>

namespace cuzk {
namespace {

TEST(SealProof, EveryNumber) {
  const char* const sizes[] = {"2KiB", "8MiB", "512MiB", "32GiB", "64GiB"};
  const char* const suffixes[] = {"V1", "V1_1", "V1_1_Feat_SyntheticPoRep", "V1_2_Feat_NonInteractivePoRep"};
  const ApiVersion versions[] = {ApiVersion::v1_0_0, ApiVersion::v1_1_0, ApiVersion::v1_2_0,
                                 ApiVersion::v1_2_0};
  const PorepFeature features[] = {PorepFeature::interactive, PorepFeature::interactive,
                                   PorepFeature::synthetic, PorepFeature::non_interactive};
  for (unsigned number = 0; number < 20; ++number) {
    SCOPED_TRACE(number);
    const SealProof proof = seal_proof_from_number(number).value();
    const std::string name = std::string("StackedDrg") + sizes[number % 5] + suffixes[number / 5];
    EXPECT_EQ(proof.name(), name);
    EXPECT_EQ(proof.number, number);
    EXPECT_EQ(proof.api_version, versions[number / 5]);
    EXPECT_EQ(proof.feature, features[number / 5]);
    EXPECT_EQ(proof.shape_name(), std::string("StackedDrg") + sizes[number % 5] + "V1");
    Bytes32 porep_id{};
    porep_id[0] = static_cast<std::uint8_t>(number);
    EXPECT_EQ(proof.porep_id(), porep_id);

    const SealProof by_name = seal_proof_from_name(name).value();
    EXPECT_EQ(by_name.number, number);
    EXPECT_EQ(by_name.shape, proof.shape);
  }
  EXPECT_EQ(seal_proof_from_number(20).status().code(), StatusCode::invalid_argument);
  EXPECT_EQ(seal_proof_from_number(~std::uint64_t{0}).status().code(), StatusCode::invalid_argument);
}

TEST(SealProof, Partitions) {
  EXPECT_EQ(seal_proof_from_number(8).value().partitions(), 10u);
  EXPECT_EQ(seal_proof_from_number(13).value().partitions(), 10u);
  EXPECT_EQ(seal_proof_from_number(18).value().partitions(), 126u);
  EXPECT_EQ(seal_proof_from_number(15).value().partitions(), 13u);
  EXPECT_EQ(seal_proof_from_number(5).value().partitions(), 1u);
}

TEST(SealProof, UnregisteredSizesBorrowThePorepIdOf2KiB) {
  for (const char* size : {"4KiB", "16KiB", "32KiB", "16MiB", "1GiB"}) {
    const std::string name = std::string("StackedDrg") + size + "V1_1";
    const SealProof proof = seal_proof_from_name(name).value();
    EXPECT_EQ(proof.number, 5u);
    EXPECT_EQ(proof.name(), name);
    EXPECT_EQ(proof.api_version, ApiVersion::v1_1_0);
    EXPECT_FALSE(seal_proof_from_name(std::string("StackedDrg") + size + "V1").is_ok());
  }
}

TEST(SealProof, UnknownNames) {
  for (const char* name : {"", "StackedDrg2KiB", "StackedDrg2KiBV2", "StackedDrg2KiBV1 ", "stackeddrg2kibv1",
                           "2KiBV1", "StackedDrg2KiBV1_2_Feat_NiPoRep", "StackedDrg8KiBV1_1"}) {
    EXPECT_EQ(seal_proof_from_name(name).status().code(), StatusCode::invalid_argument) << name;
  }
}

}  // namespace
}  // namespace cuzk
