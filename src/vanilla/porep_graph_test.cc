// Parents and challenges against the values of the reference code (tests/data/porep-graph.txt,
// porep-challenges.txt).
#include "vanilla/porep_graph.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <sstream>

#include "vanilla/c1_test_data.h"
#include "vanilla/challenges.h"

namespace cuzk {
namespace {

std::vector<std::string> data_lines(const std::string& name) {
  std::istringstream text(read_test_data(name));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with('#')) lines.push_back(line);
  }
  return lines;
}

TEST(PorepGraph, ReferenceVectors) {
  const auto lines = data_lines("porep-graph.txt");
  EXPECT_EQ(lines.size(), 61u);
  for (const std::string& line : lines) {
    SCOPED_TRACE(line);
    std::istringstream words(line);
    std::uint64_t id = 0, minor = 0, nodes = 0, node = 0;
    words >> id >> minor >> nodes >> node;
    Bytes32 porep_id{};
    store_le(porep_id.data(), id);
    const ApiVersion version = minor == 0   ? ApiVersion::v1_0_0
                               : minor == 1 ? ApiVersion::v1_1_0
                                            : ApiVersion::v1_2_0;
    const PorepGraph graph(porep_id, version, static_cast<unsigned>(std::countr_zero(nodes)));
    DrgParents drg;
    ExpanderParents exp;
    for (auto& parent : drg) words >> parent;
    for (auto& parent : exp) words >> parent;
    ASSERT_TRUE(words);
    EXPECT_EQ(graph.drg_parents(node), drg);
    EXPECT_EQ(graph.expander_parents(node), exp);
  }
}

// The expander edges of all nodes are a permutation: every node is eight times a parent (API 1.1.0, no
// truncation).
TEST(PorepGraph, ExpanderIsAPermutation) {
  for (const unsigned log2_nodes : {6u, 7u, 9u}) {
    const PorepGraph graph(Bytes32{5}, ApiVersion::v1_1_0, log2_nodes);
    std::multiset<std::uint64_t> parents;
    const std::uint64_t nodes = std::uint64_t{1} << log2_nodes;
    for (std::uint64_t node = 0; node < nodes; ++node) {
      const auto exp = graph.expander_parents(node);
      parents.insert(exp.begin(), exp.end());
      for (const std::uint64_t parent : graph.drg_parents(node))
        EXPECT_TRUE(parent < node || (node <= 1 && parent == 0));
    }
    for (std::uint64_t node = 0; node < nodes; ++node) EXPECT_EQ(parents.count(node), 8u);
  }
}

Bytes32 filled(std::uint8_t value) {
  Bytes32 out;
  out.fill(value);
  return out;
}

TEST(Challenges, ReferenceVectors) {
  const ChallengeSource source = {.replica_id = filled(1), .comm_r = filled(3), .seed = filled(2)};
  const auto lines = data_lines("porep-challenges.txt");
  EXPECT_EQ(lines.size(), 8u);
  for (const std::string& line : lines) {
    SCOPED_TRACE(line);
    std::istringstream words(line);
    std::string rule;
    std::uint64_t nodes = 0;
    unsigned count = 0, partition = 0;
    words >> rule >> nodes >> count >> partition;
    std::vector<std::uint64_t> expected(count);
    for (auto& challenge : expected) words >> challenge;
    ASSERT_TRUE(words);
    const auto log2_nodes = static_cast<unsigned>(std::countr_zero(nodes));
    EXPECT_EQ(rule == "ni" ? non_interactive_challenges(source, log2_nodes, count, partition)
                           : interactive_challenges(source, log2_nodes, count, partition),
              expected);
  }
}

// docs/formats/public-inputs.md: 1024 nodes, 21 synthetic challenges, ten chosen with a seed of 32 bytes
// 0x01. The candidates are all seen by choosing many.
TEST(Challenges, SyntheticVector) {
  const ChallengeSource source = {.replica_id = Fr::from_u64(55).to_bytes_le(),
                                  .comm_r = Fr::from_u64(101).to_bytes_le(),
                                  .seed = filled(1)};
  const std::vector<std::uint64_t> expected = {176, 781, 801, 986, 290, 211, 692, 856, 986, 332};
  EXPECT_EQ(synthetic_challenges(source, 10, 10, 0, 21), expected);

  const std::set<std::uint64_t> candidates = {178, 297, 869, 211, 875, 477, 94,  781, 124, 332, 856,
                                              801, 176, 692, 429, 691, 290, 204, 986, 210, 973};
  const auto many = synthetic_challenges(source, 10, 1000, 0, 21);
  EXPECT_EQ(std::set<std::uint64_t>(many.begin(), many.end()), candidates);
  const std::vector<std::uint64_t> second(many.begin() + 10, many.begin() + 20);
  EXPECT_EQ(synthetic_challenges(source, 10, 10, 1, 21), second);
}

TEST(Challenges, NodeZeroIsNever) {
  const ChallengeSource source = {filled(9), filled(8), filled(7)};
  for (const std::uint64_t challenge : interactive_challenges(source, 2, 200, 0)) {
    EXPECT_GE(challenge, 1u);
    EXPECT_LE(challenge, 3u);
  }
}

}  // namespace
}  // namespace cuzk
