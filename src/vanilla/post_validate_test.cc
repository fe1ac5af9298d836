// Parsing, public inputs and validation of PoSt proofs: every sample, and every kind of change.
#include "vanilla/post_validate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "vanilla/merkle_visit_test.h"
#include "vanilla/mutator_test.h"
#include "vanilla/post_test_data.h"

namespace cuzk {
namespace {

std::string describe(const std::vector<PostFinding>& findings) {
  std::string out;
  for (const PostFinding& finding : findings) out += finding.to_string() + "\n";
  return out;
}

// The statement and sectors of one partition.
struct Partition {
  PostPublic statement;
  std::span<const PostSectorProof> sectors;
  std::span<const PostSectorPublic> public_sectors;
};
std::vector<Partition> partitions_of(const PostSample& sample) {
  const std::size_t size = sample.statement.proof.max_sectors();
  std::vector<Partition> partitions;
  for (std::size_t first = 0; first < sample.sectors.size(); first += size) {
    const std::size_t count = std::min(size, sample.sectors.size() - first);
    Partition& partition = partitions.emplace_back();
    partition.statement = sample.statement;
    partition.statement.partition = static_cast<unsigned>(first / size);
    partition.sectors = std::span(sample.sectors).subspan(first, count);
    partition.public_sectors = std::span(sample.public_sectors).subspan(first, count);
  }
  return partitions;
}

TEST(PostProof, EverySampleIsReadAsItIs) {
  for (const PostSample& sample : post_samples()) {
    SCOPED_TRACE(sample.name);
    const RegisteredPost& proof = sample.statement.proof;
    for (std::size_t i = 0; i < sample.sectors.size(); ++i) {
      const PostSectorProof& sector = sample.sectors[i];
      EXPECT_EQ(sector.sector_id, sample.public_sectors[i].sector_id);
      EXPECT_EQ(sector.comm_r, sample.public_sectors[i].comm_r);
      ASSERT_EQ(sector.inclusion_proofs.size(), proof.challenges_per_sector());
      for (std::size_t n = 0; n < sector.inclusion_proofs.size(); ++n) {
        EXPECT_EQ(sector.inclusion_proofs[n].leaf_index(), sample.challenges[i][n]);
        EXPECT_EQ(sector.inclusion_proofs[n].root, sector.comm_r_last);
        EXPECT_EQ(sector.inclusion_proofs[n].levels.size(), proof.shape->tree.num_levels());
      }
      EXPECT_EQ(read_test_bytes(sample.files[i]).size(), post_proof_bytes(*proof.shape, proof.kind));
    }
  }
}

TEST(ValidatePost, EverySampleIsClean) {
  for (const PostSample& sample : post_samples()) {
    SCOPED_TRACE(sample.name);
    for (const Partition& partition : partitions_of(sample)) {
      EXPECT_EQ(describe(validate_post(partition.statement, partition.sectors)), "");
    }
  }
}

TEST(PostPublicInputs, EqualTheReference) {
  int compared = 0;
  for (const PostSample& sample : post_samples()) {
    SCOPED_TRACE(sample.name);
    const auto partitions = partitions_of(sample);
    for (std::size_t k = 0; k < sample.public_inputs.size(); ++k, ++compared) {
      ASSERT_LT(k, partitions.size());
      const Partition& partition = partitions[k];
      const bool winning = sample.statement.proof.kind == PostKind::winning;
      const auto inputs =
          winning ? winning_post_public_inputs(partition.statement, partition.public_sectors.front())
                  : window_post_public_inputs(partition.statement, partition.public_sectors);
      EXPECT_EQ(to_hex_list(inputs), sample.public_inputs[k]);
    }
  }
  EXPECT_EQ(compared, 7);  // window 2 KiB has two partitions
}

TEST(PostChallenges, AreNumberedByApiVersion) {
  const PostSample v1 = post_sample("windowv1-2KiB");
  const PostSample v1_2 = post_sample("window-2KiB");
  EXPECT_EQ(post_sector_challenges(v1.statement, 2, 1), v1.challenges[1]);
  EXPECT_EQ(post_sector_challenges(v1_2.statement, 2, 1), v1_2.challenges[1]);
  EXPECT_NE(v1.challenges[1], v1_2.challenges[1]);
  // Partition 1, position 0 is where partition 0 would have position 2.
  PostPublic second = v1.statement;
  second.partition = 1;
  EXPECT_EQ(post_sector_challenges(second, 3, 0), post_sector_challenges(v1.statement, 3, 2));
}

TEST(PostPublicInputs, FillEverySlotOf32GiB) {
  const PostSample sample = post_sample("post-32g");
  const auto inputs = window_post_public_inputs(sample.statement, sample.public_sectors);
  ASSERT_EQ(inputs.size(), 25839u);
  for (std::size_t i = 11; i < inputs.size(); ++i) ASSERT_EQ(inputs[i], inputs[i - 11]);
}

template <class Visitor>
void visit_sector(PostSectorProof& sector, Visitor& visit) {
  visit("challenge", "sector_id", sector.sector_id);
  visit("comm_r", "comm_r", sector.comm_r);
  visit("comm_r", "comm_c", sector.comm_c);
  visit("comm_r_last", "comm_r_last", sector.comm_r_last);
}

// Every `stride`-th value, first and last byte: found in the right sector and challenge, under the right name, and nowhere
// else.
template <class Visit>
void expect_changes_found(const Partition& partition, std::size_t position, std::optional<unsigned> challenge,
                          std::size_t stride, Visit visit) {
  const std::vector<PostSectorProof> good(partition.sectors.begin(), partition.sectors.end());
  std::vector<PostSectorProof> counted = good;
  Mutator counter;
  visit(counted[position], counter);
  for (std::size_t target = 0; target < counter.seen; target += stride) {
    for (const std::size_t byte : {std::size_t{0}, std::size_t{31}}) {
      std::vector<PostSectorProof> bad = good;
      Mutator mutator{.target = target, .position = byte};
      visit(bad[position], mutator);
      if (!mutator.changed) continue;
      const auto findings = validate_post(partition.statement, bad);
      const bool named = std::any_of(findings.begin(), findings.end(), [&](const PostFinding& finding) {
        return finding.field.starts_with(mutator.owner) && (!challenge || finding.challenge == challenge);
      });
      const bool nowhere_else =
          std::all_of(findings.begin(), findings.end(), [&](const PostFinding& finding) {
            return finding.position == position && finding.sector_id == bad[position].sector_id &&
                   (!challenge || finding.challenge == challenge);
          });
      EXPECT_TRUE(named && nowhere_else) << mutator.name << " byte " << byte << "\n" << describe(findings);
    }
  }
}

TEST(ValidatePost, ChangesOfAChallengeAreNamed) {
  struct Case {
    const char* sample;
    std::size_t position;
    unsigned challenge;
    std::size_t stride;
  };
  for (const Case& one :
       {Case{"window-2KiB", 0, 0, 1}, Case{"window-4KiB", 1, 9, 1}, Case{"window-16KiB", 0, 4, 3},
        Case{"window-32KiB", 1, 3, 1}, Case{"winning-2KiB", 0, 65, 5}, Case{"window-8MiB", 0, 7, 5},
        Case{"post-32g", 0, 1, 7}}) {
    SCOPED_TRACE(one.sample);
    const PostSample sample = post_sample(one.sample);
    const auto visit = [&](PostSectorProof& sector, Mutator& mutator) {
      visit_merkle_proof("inclusion_proof", "inclusion_proof", sector.inclusion_proofs[one.challenge],
                         mutator);
    };
    expect_changes_found(partitions_of(sample)[0], one.position, one.challenge, one.stride, visit);
  }
}

TEST(ValidatePost, ChangesOfASectorAreNamed) {
  for (const char* name : {"window-2KiB", "window-32KiB", "winning-2KiB", "post-32g"}) {
    SCOPED_TRACE(name);
    const PostSample sample = post_sample(name);
    const Partition partition = partitions_of(sample)[0];
    const std::size_t position = partition.sectors.size() - 1;
    expect_changes_found(partition, position, std::nullopt, 1,
                         [](PostSectorProof& sector, Mutator& mutator) { visit_sector(sector, mutator); });
  }
  const PostSample sample = post_sample("window-2KiB");
  std::vector<PostSectorProof> sectors(sample.sectors.begin(), sample.sectors.begin() + 2);
  sectors[1].comm_r_last += Fr::one();
  EXPECT_EQ(validate_post(sample.statement, sectors).size(), 1u);
}

// Proofs that are right in themselves but answer something else: one finding per challenge.
TEST(ValidatePost, AnotherRequest) {
  const PostSample sample = post_sample("window-2KiB");
  const std::span<const PostSectorProof> two = std::span(sample.sectors).first(2);
  PostPublic other = sample.statement;
  other.randomness[3] ^= 1;
  const auto findings = validate_post(other, two);
  EXPECT_GE(findings.size(), 15u);  // some challenges agree by chance
  for (const PostFinding& finding : findings) EXPECT_EQ(finding.field, "challenge") << finding.to_string();

  other = sample.statement;
  other.proof.api_version = ApiVersion::v1_0_0;
  const auto numbered = validate_post(other, two);
  EXPECT_GE(numbered.size(), 5u);
  for (const PostFinding& finding : numbered) EXPECT_EQ(finding.position, 1u) << finding.to_string();
  EXPECT_EQ(numbered[0].to_string().find("sector 2 (position 1), challenge "), 0u) << numbered[0].to_string();
}

TEST(ValidatePost, TheRequestAsAWhole) {
  const PostSample sample = post_sample("window-2KiB");
  EXPECT_EQ(describe(validate_post(sample.statement, {})), "sectors: expected 1 to 2, found 0\n");
  EXPECT_EQ(describe(validate_post(sample.statement, sample.sectors)), "sectors: expected 1 to 2, found 3\n");
  PostPublic statement = sample.statement;
  statement.randomness.fill(0xff);
  const auto findings = validate_post(statement, std::span(sample.sectors).first(1), true);
  EXPECT_EQ(describe(findings),
            "randomness: expected below the field modulus, found " + to_hex(statement.randomness) + "\n");
  const std::vector<PostSectorProof> twice(2, sample.sectors[0]);
  EXPECT_EQ(describe(validate_post(sample.statement, twice)),
            "sector 1 (position 1), sector_id: expected each sector once, found 1\n");

  const PostSample winning = post_sample("winning-2KiB");
  statement = winning.statement;
  statement.partition = 1;
  EXPECT_EQ(validate_post(statement, winning.sectors).front().to_string(), "partition: expected 0, found 1");
  EXPECT_EQ(validate_post(winning.statement, std::vector(2, winning.sectors[0])).front().to_string(),
            "sectors: expected 1, found 2");
  // A window proof in place of a winning one, past the reader.
  const auto shorter = validate_post(winning.statement, std::span(sample.sectors).first(1));
  EXPECT_EQ(shorter.front().to_string(), "sector 1 (position 0), inclusion_proofs: expected 66, found 10");
}

TEST(ValidatePost, StopAtFirstGivesTheFirst) {
  const PostSample sample = post_sample("window-32KiB");
  std::vector<PostSectorProof> sectors = sample.sectors;
  sectors[0].inclusion_proofs[7].siblings[3] += Fr::one();
  sectors[1].comm_c += Fr::one();
  const auto all = validate_post(sample.statement, sectors);
  ASSERT_EQ(all.size(), 2u) << describe(all);
  for (int i = 0; i < 5; ++i) {
    const auto first = validate_post(sample.statement, sectors, true);
    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ(first[0].to_string(), all[0].to_string());
  }
  EXPECT_EQ(all[0].to_string().find("sector 1 (position 0), challenge 7, inclusion_proof.path: expected "),
            0u);
}

}  // namespace
}  // namespace cuzk
