// Parsing, public inputs and validation of sector updates: every sample, and every kind of change.
#include "vanilla/update_validate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "vanilla/merkle_visit_test.h"
#include "vanilla/mutator_test.h"
#include "vanilla/post_test_data.h"

namespace cuzk {
namespace {

std::string describe(const std::vector<UpdateFinding>& findings) {
  std::string out;
  for (const UpdateFinding& finding : findings) out += finding.to_string() + "\n";
  return out;
}

TEST(UpdateProof, EverySampleIsReadAsItIs) {
  for (const UpdateSample& sample : update_samples()) {
    SCOPED_TRACE(sample.name);
    const UpdateShape& shape = sample.statement.shape;
    ASSERT_EQ(sample.partitions.size(), shape.partitions());
    for (std::size_t k = 0; k < sample.partitions.size(); ++k) {
      EXPECT_EQ(sample.partitions[k].apex_leaves.size(), std::size_t{1} << shape.log2_apex_leaves);
      EXPECT_EQ(sample.partitions[k].challenges.size(), shape.challenges);
      EXPECT_EQ(read_test_bytes(sample.files[k]).size(), update_proof_bytes(shape));
    }
  }
  const SectorShape& big = *find_sector_shape(std::string_view("32GiB")).value();
  EXPECT_EQ(update_proof_bytes(UpdateShape::of(big)), 561768u);
}

TEST(ValidateUpdate, EverySampleIsClean) {
  for (const UpdateSample& sample : update_samples()) {
    SCOPED_TRACE(sample.name);
    EXPECT_EQ(describe(validate_update(sample.statement, sample.partitions)), "");
    const unsigned last = sample.statement.shape.partitions() - 1;
    EXPECT_EQ(describe(validate_update_partition(sample.statement, sample.partitions[last], last)), "");
  }
}

TEST(UpdatePublicInputs, EqualTheReference) {
  int compared = 0;
  for (const UpdateSample& sample : update_samples()) {
    SCOPED_TRACE(sample.name);
    for (unsigned k = 0; k < sample.public_inputs.size(); ++k, ++compared)
      EXPECT_EQ(to_hex_list(update_public_inputs(sample.statement, k)), sample.public_inputs[k]);
  }
  EXPECT_EQ(compared, 2);
  // Partition and selector of h: docs/formats/public-inputs.md, Sector update.
  const auto first_input = [](const char* size, unsigned k) {
    const UpdateShape shape = UpdateShape::of(*find_sector_shape(std::string_view(size)).value());
    return update_public_inputs({shape, Fr(), Fr(), Fr()}, k).front();
  };
  EXPECT_EQ(first_input("32GiB", 5), Fr::from_u64(133));
  EXPECT_EQ(first_input("512MiB", 15), Fr::from_u64(143));
  EXPECT_EQ(first_input("8MiB", 3), Fr::from_u64(35));
  EXPECT_EQ(first_input("16KiB", 1), Fr::from_u64(3));
}

TEST(UpdatePublic, OfTheSpecification) {
  const UpdateSample sample = update_sample("update-2k");
  EXPECT_EQ(to_hex(update_phi(sample.statement.comm_d_new, sample.statement.comm_r_old).to_bytes_le()),
            "66966a2b82fef05e7ebfdaadfb2f70d89b7669bb524e7a4195bf4787c4c83506");
  EXPECT_EQ(update_challenges(sample.statement, 0),
            (std::vector<std::uint64_t>{21, 35, 17, 29, 3, 43, 44, 36, 49, 33}));
}

TEST(UpdatePublic, ChallengesLieInTheirPartition) {
  const UpdateShape shape = UpdateShape::of(*find_sector_shape(std::string_view("64GiB")).value());
  const UpdatePublic statement = {shape, Fr::one(), Fr::from_u64(2), Fr::from_u64(3)};
  for (const unsigned k : {0u, 7u, 15u}) {
    const auto challenges = update_challenges(statement, k);
    EXPECT_EQ(challenges.size(), 86u);
    for (const std::uint64_t node : challenges) EXPECT_EQ(node >> 27, k);
  }
}

template <class Visitor>
void visit_head(UpdatePartitionProof& proof, Visitor& visit) {
  visit("comm_r_old", "comm_c", proof.comm_c);
  for (std::size_t i = 0; i < proof.apex_leaves.size(); ++i)
    visit("apex_leaves", "apex_leaves[" + std::to_string(i) + "]", proof.apex_leaves[i]);
}

template <class Visitor>
void visit_challenge(UpdateChallengeProof& proof, Visitor& visit) {
  visit_merkle_proof("proof_r_old", "proof_r_old", proof.proof_r_old, visit);
  visit_merkle_proof("proof_d_new", "proof_d_new", proof.proof_d_new, visit);
  visit_merkle_proof("proof_r_new", "proof_r_new", proof.proof_r_new, visit);
}

// As in post_validate_test.cc.
template <class Visit>
void expect_changes_found(const UpdateSample& sample, unsigned partition, std::optional<unsigned> challenge,
                          std::size_t stride, Visit visit) {
  UpdatePartitionProof counted = sample.partitions[partition];
  Mutator counter;
  visit(counted, counter);
  for (std::size_t target = 0; target < counter.seen; target += stride) {
    for (const std::size_t byte : {std::size_t{0}, std::size_t{31}}) {
      UpdatePartitionProof bad = sample.partitions[partition];
      Mutator mutator{.target = target, .position = byte};
      visit(bad, mutator);
      if (!mutator.changed) continue;
      const auto findings = validate_update_partition(sample.statement, bad, partition);
      const bool named = std::any_of(findings.begin(), findings.end(), [&](const UpdateFinding& finding) {
        return finding.field.starts_with(mutator.owner) && (!challenge || finding.challenge == challenge);
      });
      const bool nowhere_else =
          std::all_of(findings.begin(), findings.end(), [&](const UpdateFinding& finding) {
            return finding.partition == partition && (!challenge || finding.challenge == challenge);
          });
      EXPECT_TRUE(named && nowhere_else) << mutator.name << " byte " << byte << "\n" << describe(findings);
    }
  }
}

TEST(ValidateUpdate, ChangesOfAChallengeAreNamed) {
  struct Case {
    const char* sample;
    unsigned partition;
    unsigned challenge;
    std::size_t stride;
  };
  for (const Case& one : {Case{"update-2KiB", 0, 0, 1}, Case{"update-4KiB", 0, 9, 3},
                          Case{"update-32KiB", 1, 0, 3}, Case{"update-8MiB", 2, 5, 7}}) {
    SCOPED_TRACE(one.sample);
    expect_changes_found(update_sample(one.sample), one.partition, one.challenge, one.stride,
                         [&](UpdatePartitionProof& proof, Mutator& mutator) {
                           visit_challenge(proof.challenges[one.challenge], mutator);
                         });
  }
}

TEST(ValidateUpdate, ChangesOfAPartitionAreNamed) {
  const auto visit = [](UpdatePartitionProof& proof, Mutator& mutator) { visit_head(proof, mutator); };
  expect_changes_found(update_sample("update-2KiB"), 0, std::nullopt, 1, visit);
  expect_changes_found(update_sample("update-32KiB"), 1, std::nullopt, 7, visit);
  expect_changes_found(update_sample("update-8MiB"), 3, std::nullopt, 11, visit);
}

TEST(ValidateUpdate, OtherCommitmentsAreNamed) {
  const UpdateSample sample = update_sample("update-32KiB");
  const auto fields = [&](auto change) {
    UpdatePublic other = sample.statement;
    change(other);
    std::string out;
    for (const UpdateFinding& finding : validate_update(other, sample.partitions)) out += finding.field + " ";
    return out;
  };
  EXPECT_EQ(fields([](UpdatePublic& p) { p.comm_r_old += Fr::one(); }).find("comm_r_old proof_r_new.leaf"),
            0u);
  EXPECT_NE(fields([](UpdatePublic& p) { p.comm_d_new += Fr::one(); }).find("proof_d_new.root"),
            std::string::npos);
  const std::string other_new = fields([](UpdatePublic& p) { p.comm_r_new += Fr::one(); });
  EXPECT_EQ(other_new.find("comm_r_new challenge challenge"), 0u) << other_new;
}

TEST(ValidateUpdate, ProofsOfOtherPartitionsAreNamed) {
  const UpdateSample sample = update_sample("update-8MiB");
  std::vector<UpdatePartitionProof> swapped = sample.partitions;
  std::swap(swapped[1], swapped[2]);
  EXPECT_EQ(describe(validate_update(sample.statement, swapped)),
            "partition 1, partition: expected 1, found 2\npartition 2, partition: expected 2, found 1\n");
  EXPECT_EQ(describe(validate_update_partition(sample.statement, sample.partitions[3], 0)),
            "partition 0, partition: expected 0, found 3\n");
  EXPECT_EQ(describe(validate_update_partition(sample.statement, sample.partitions[3], 4)),
            "partition: expected 0 to 3, found 4\n");
  swapped = sample.partitions;
  swapped.pop_back();
  EXPECT_EQ(describe(validate_update(sample.statement, swapped)), "partitions: expected 4, found 3\n");
  EXPECT_EQ(describe(validate_update(sample.statement, {})), "partitions: expected 4, found 0\n");
}

TEST(ValidateUpdate, StopAtFirstGivesTheFirst) {
  const UpdateSample sample = update_sample("update-32KiB");
  std::vector<UpdatePartitionProof> partitions = sample.partitions;
  partitions[0].challenges[8].proof_d_new.siblings[9] += Fr::one();
  partitions[1].challenges[2].proof_r_new.leaf += Fr::one();
  const auto all = validate_update(sample.statement, partitions);
  EXPECT_EQ(all.size(), 3u) << describe(all);
  const auto first = validate_update(sample.statement, partitions, true);
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].to_string(), all[0].to_string());
  EXPECT_EQ(all[0].to_string().find("partition 0, challenge 8, proof_d_new.path: expected "), 0u);
}

// The reference makes no vanilla proof of this variant; its reader is held to its layout.
TEST(UpdateProof, PoseidonVariantHasNoApex) {
  const UpdateShape shape =
      UpdateShape::of(*find_sector_shape(std::string_view("32KiB")).value(), UpdateVariant::poseidon);
  std::vector<std::uint8_t> bytes(update_proof_bytes(shape));
  store_le<std::uint64_t>(bytes.data() + 32, shape.challenges);
  const auto proof = parse_update_proof(bytes, shape);
  ASSERT_FALSE(proof.is_ok());
  EXPECT_EQ(proof.status().message(),
            "challenge 0, proof_r_old: the proof is of kind \"Single\", this tree needs \"Top\"");
}

}  // namespace
}  // namespace cuzk
