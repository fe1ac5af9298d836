// The table of registered proofs against the published names (tests/data/parameter-names.txt) and against itself.
#include "vanilla/registered_proofs.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "vanilla/registered_post.h"
#include "vanilla/registered_update.h"

namespace cuzk {
namespace {

TEST(CircuitParameters, Production) {
  std::ifstream lines(CUZK_TEST_DATA "/parameter-names.txt");
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string size, circuit, id;
    words >> size >> circuit >> id;
    const ProofKind kind = proof_kind_from_name(circuit == "PoRep" ? "porep" : circuit).value();
    const CircuitParameters& row = *find_circuit_parameters(kind, *find_sector_shape(size).value()).value();
    EXPECT_EQ(row.cache_id, id);
    EXPECT_EQ(row.params_file(), "v28-" + id + ".params");
    EXPECT_TRUE(row.is_published());
    ++count;
  }
  EXPECT_EQ(count, 22);
}

TEST(CircuitParameters, PublishedDigests) {
  std::set<std::string_view> digests;
  int published = 0;
  for (const CircuitParameters& row : all_circuit_parameters()) {
    EXPECT_EQ(row.params_digest.empty(), row.vk_digest.empty());
    if (!row.is_published()) continue;
    ++published;
    EXPECT_TRUE(row.shape->registered);
    for (const std::string_view digest : {row.params_digest, row.vk_digest}) {
      EXPECT_EQ(digest.size(), 32u);
      EXPECT_EQ(digest.find_first_not_of("0123456789abcdef"), std::string_view::npos);
      EXPECT_TRUE(digests.insert(digest).second) << digest;
    }
  }
  EXPECT_EQ(published, 22);
  EXPECT_EQ(all_circuit_parameters().size(), 10u * 4 + 2);
  const SectorShape& big = *find_sector_shape(std::string_view("32GiB")).value();
  EXPECT_EQ(find_circuit_parameters(ProofKind::porep, big).value()->params_digest,
            "6a388072a518cf46ebd661f5cc46900a");
  EXPECT_EQ(find_circuit_parameters(ProofKind::window, big).value()->vk_digest,
            "0f8ec542485568fa3468c066e9fed82b");
  const auto none = find_circuit_parameters(ProofKind::update_poseidon,
                                            *find_sector_shape(std::string_view("2KiB")).value());
  EXPECT_EQ(none.status().message(), "no update-poseidon circuit has sectors of 2KiB");
}

TEST(RegisteredProofs, AllNumbersAndNames) {
  ASSERT_EQ(all_registered_proofs().size(), 40u);
  for (const RegisteredProof& row : all_registered_proofs()) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(find_registered_proof(row.kind, row.number).value(), &row);
    EXPECT_EQ(find_registered_proof(row.kind, row.name).value(), &row);
    EXPECT_EQ(find_registered_proof(row.kind, row.go_name).value(), &row);
    EXPECT_EQ(row.parameters->kind, row.kind);
    EXPECT_EQ(row.parameters->shape, row.shape);
    EXPECT_TRUE(row.parameters->is_published());
  }
  const auto row = [](ProofKind kind, std::uint64_t number) {
    return *find_registered_proof(kind, number).value();
  };
  EXPECT_EQ(row(ProofKind::porep, 8).name, "StackedDrg32GiBV1_1");
  EXPECT_EQ(row(ProofKind::porep, 8).partitions, 10u);
  EXPECT_EQ(row(ProofKind::porep, 18).go_name, "StackedDrg32GiBV1_2_Feat_NiPoRep");
  EXPECT_EQ(row(ProofKind::porep, 18).partitions, 126u);
  EXPECT_EQ(row(ProofKind::winning, 4).name, "StackedDrgWinning64GiBV1");
  EXPECT_EQ(row(ProofKind::window, 13).name, "StackedDrgWindow32GiBV1_2");
  EXPECT_EQ(row(ProofKind::window, 13).go_name, "StackedDrgWindow32GiBV1_1");
  EXPECT_EQ(row(ProofKind::window, 8).parameters, row(ProofKind::window, 13).parameters);
  EXPECT_EQ(row(ProofKind::update, 2).name, "StackedDrg512MiBV1");
  EXPECT_EQ(row(ProofKind::update, 2).partitions, 16u);
}

TEST(RegisteredProofs, WhatIsNotThere) {
  const auto message = [](const auto& result) { return result.status().message(); };
  EXPECT_EQ(message(find_registered_proof(ProofKind::winning, 13)),
            "number 13 is StackedDrgWindow32GiBV1_2, not a proof of kind winning");
  EXPECT_EQ(message(find_registered_proof(ProofKind::window, "StackedDrgWinning2KiBV1")),
            "\"StackedDrgWinning2KiBV1\" is StackedDrgWinning2KiBV1, not a proof of kind window");
  EXPECT_EQ(message(find_registered_proof(ProofKind::porep, 20)), "no porep proof is number 20");
  EXPECT_EQ(message(find_registered_proof(ProofKind::update_poseidon, 0)),
            "no update-poseidon proof is number 0");
  EXPECT_EQ(message(find_registered_proof(ProofKind::update, "x")), "no update proof is \"x\"");
  EXPECT_FALSE(proof_kind_from_name("PoRep").is_ok());
}

TEST(RegisteredPost, NumbersNamesAndVersions) {
  for (unsigned number = 0; number < 15; ++number) {
    const RegisteredPost post = registered_post_from_number(number).value();
    EXPECT_EQ(post.number, number);
    EXPECT_EQ(post.kind, number < 5 ? PostKind::winning : PostKind::window);
    EXPECT_EQ(post.api_version, number < 10 ? ApiVersion::v1_0_0 : ApiVersion::v1_2_0);
    EXPECT_EQ(post.challenges_per_sector(), number < 5 ? 66u : 10u);
    EXPECT_EQ(registered_post_from_name(post.name()).value().number, number);
    EXPECT_EQ(registered_post_from_name(post.go_name()).value().number, number);
  }
  EXPECT_EQ(registered_post_from_number(8).value().max_sectors(), 2349u);
  EXPECT_EQ(registered_post_from_number(14).value().max_sectors(), 2300u);
  EXPECT_EQ(registered_post_from_number(3).value().max_sectors(), 1u);
  EXPECT_FALSE(registered_post_from_number(15).is_ok());
  EXPECT_FALSE(registered_post_from_name("StackedDrgWinning2KiBV1_1").is_ok());

  const SectorShape& test_size = *find_sector_shape(std::string_view("16KiB")).value();
  const RegisteredPost test = registered_post(PostKind::window, test_size, ApiVersion::v1_2_0).value();
  EXPECT_EQ(test.number, std::nullopt);
  EXPECT_EQ(test.go_name(), "StackedDrgWindow16KiBV1_1");
  EXPECT_EQ(registered_post(PostKind::winning, test_size, ApiVersion::v1_2_0).status().message(),
            "no winning PoSt has API version 1.2.0");
  EXPECT_FALSE(registered_post(PostKind::window, test_size, ApiVersion::v1_1_0).is_ok());
}

TEST(RegisteredUpdate, NumbersAndNames) {
  for (unsigned number = 0; number < 5; ++number) {
    const RegisteredUpdate update = registered_update_from_number(number).value();
    EXPECT_EQ(update.number, number);
    EXPECT_EQ(registered_update_from_name(update.name()).value().number, number);
  }
  EXPECT_FALSE(registered_update_from_number(5).is_ok());
  EXPECT_FALSE(registered_update_from_name("StackedDrg2KiBV1_1").is_ok());
  EXPECT_EQ(registered_update_from_name("StackedDrg16KiBV1").value().number, std::nullopt);
}

}  // namespace
}  // namespace cuzk
