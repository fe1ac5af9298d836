#include "vanilla/c1_validate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "vanilla/c1_test_data.h"
#include "vanilla/c1_visit_test.h"
#include "vanilla/mutator_test.h"

namespace cuzk {
namespace {

constexpr C1ValidateOptions kAll = {.miner_id = 1000};

std::string describe(const std::vector<C1Finding>& findings) {
  std::string out;
  for (const C1Finding& finding : findings) out += finding.to_string() + "\n";
  return out;
}

TEST(ValidateC1, EverySampleIsClean) {
  for (const C1Sample& sample : c1_samples()) {
    SCOPED_TRACE(sample.file);
    EXPECT_EQ(describe(validate_c1(read_test_c1(sample.file), kAll)), "");
  }
}

std::size_t count_values(C1 c1, const std::function<void(C1&, Mutator&)>& visit) {
  Mutator counter;
  visit(c1, counter);
  return counter.seen;
}

// Every `stride`-th value, first and last byte: the change is found, in the right place, under the right
// name.
void expect_mutations_found(const char* file, std::size_t stride, unsigned challenge,
                            const std::function<void(C1&, Mutator&)>& visit, bool in_challenge) {
  SCOPED_TRACE(file);
  const C1 good = read_test_c1(file);
  const std::size_t count = count_values(good, visit);
  std::size_t tried = 0;
  for (std::size_t target = 0; target < count; target += stride) {
    for (const std::size_t position : {std::size_t{0}, std::size_t{31}}) {
      C1 bad = good;
      Mutator mutator{.target = target, .position = position};
      visit(bad, mutator);
      if (!mutator.changed) continue;
      ++tried;
      const auto findings = validate_c1(bad, kAll);
      const bool named = std::any_of(findings.begin(), findings.end(), [&](const C1Finding& finding) {
        return finding.field.starts_with(mutator.owner) && (!in_challenge || finding.challenge == challenge);
      });
      EXPECT_TRUE(named) << mutator.name << " byte " << position << "\n" << describe(findings);
      EXPECT_TRUE(!in_challenge || std::all_of(findings.begin(), findings.end(),
                                               [&](const C1Finding& finding) {
                                                 return finding.partition == 0u &&
                                                        finding.challenge == challenge;
                                               }))
          << mutator.name;
    }
  }
  EXPECT_GT(tried, 5u);
}

TEST(ValidateC1, ChangesOfTheHeadAreNamed) {
  for (const char* file : {"c1-2KiB-v1-4.json", "c1-2KiB-v1_1-1.json", "c1-2KiB-synthetic-4.json"}) {
    expect_mutations_found(
        file, 1, 0, [](C1& c1, Mutator& mutator) { visit_c1_head(c1, mutator); }, false);
  }
}

// Tree of one, two and three parts; strides prime to the period of the fields, so that every kind of value is
// met.
TEST(ValidateC1, ChangesOfAChallengeAreNamed) {
  const auto visit = [](C1& c1, Mutator& mutator) { visit_challenge_proof(c1.partitions[0][1], mutator); };
  expect_mutations_found("c1-2KiB-v1_1-1.json", 3, 1, visit, true);
  expect_mutations_found("c1-16KiB-v1_1-1.json", 17, 1, visit, true);
  expect_mutations_found("c1-32KiB-v1_1-1.json", 19, 1, visit, true);
}

TEST(ValidateC1, AnotherMinerIsAnotherReplica) {
  const C1 c1 = read_test_c1("c1-2KiB-v1_1-1.json");
  const auto findings = validate_c1(c1, {.miner_id = 1001});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].field, "replica_id");
  EXPECT_EQ(findings[0].found, to_hex(c1.replica_id.to_bytes_le()));
  EXPECT_FALSE(findings[0].partition.has_value());
  EXPECT_TRUE(validate_c1(c1).empty());
}

// Proofs that are right in themselves but answer other randomness are reported once each.
TEST(ValidateC1, AnotherSeedIsOneFindingPerChallenge) {
  C1 c1 = read_test_c1("c1-2KiB-v1_1-1.json");
  c1.seed[5] ^= 0xff;
  const auto findings = validate_c1(c1, kAll);
  ASSERT_EQ(findings.size(), 2u) << describe(findings);
  EXPECT_EQ(findings[0].field, "challenge");
  EXPECT_EQ(findings[1].challenge, 1u);
  EXPECT_EQ(findings[0].found, std::to_string(c1.partitions[0][0].challenge()));
}

TEST(ValidateC1, NonInteractiveIgnoresTheSeed) {
  C1 c1 = read_test_c1("c1-2KiB-ni-4.json");
  c1.seed[5] ^= 0xff;
  EXPECT_TRUE(validate_c1(c1, kAll).empty());
  std::swap(c1.partitions[3], c1.partitions[12]);
  const auto findings = validate_c1(c1, kAll);
  ASSERT_GE(findings.size(), 2u);
  for (const C1Finding& finding : findings) EXPECT_EQ(finding.field, "challenge") << describe(findings);
  EXPECT_EQ(findings.front().partition, 3u);
  EXPECT_EQ(findings.back().partition, 12u);
}

TEST(ValidateC1, ProofOfAnotherSector) {
  C1 c1 = read_test_c1("c1-2KiB-v1_1-1.json");
  c1.partitions[0][1] = read_test_c1("c1-2KiB-v1_1-2.json").partitions[0][1];
  const auto findings = validate_c1(c1, kAll);
  EXPECT_TRUE(
      std::any_of(findings.begin(), findings.end(), [](const C1Finding& f) { return f.field == "comm_r"; }));
  for (const C1Finding& finding : findings) EXPECT_EQ(finding.challenge, 1u);
}

TEST(ValidateC1, StopAtFirstGivesTheFirst) {
  C1 c1 = read_test_c1("c1-2KiB-ni-4.json");
  c1.partitions[2][1].c_x.rows[1] += Fr::one();
  c1.partitions[7][0].drg_parents[4].index ^= 1;
  c1.partitions[12][1].encoding_proof.layer_index = 7;
  const auto all = validate_c1(c1, kAll);
  EXPECT_GE(all.size(), 4u);
  for (int i = 0; i < 5; ++i) {
    const auto first = validate_c1(c1, {.miner_id = 1000, .stop_at_first = true});
    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ(first[0].to_string(), all[0].to_string());
  }
  EXPECT_EQ(all[0].to_string().find("partition 2, challenge 1, c_x."), 0u) << all[0].to_string();
}

}  // namespace
}  // namespace cuzk
