#include "vanilla/c1.h"

#include <gtest/gtest.h>

#include "hash/sha256.h"
#include "vanilla/c1_test_data.h"
#include "vanilla/c1_visit_test.h"

namespace cuzk {
namespace {

using Json = nlohmann::ordered_json;

// A digest of every value, to compare objects.
struct DigestVisitor {
  Sha256 hash;
  void operator()(const std::string&, const std::string&, const Fr& value) {
    hash.update(value.to_bytes_le());
  }
  void operator()(const std::string&, const std::string&, const Bytes32& value) { hash.update(value); }
  void operator()(const std::string&, const std::string&, std::uint64_t value) { hash.update_u64_le(value); }
};

std::string digest_of(C1 c1) {
  DigestVisitor visitor;
  visit_c1(c1, visitor);
  visitor.hash.update(c1.registered_proof.name());
  return to_hex(visitor.hash.digest());
}

TEST(ParseC1, EverySample) {
  for (const C1Sample& sample : c1_samples()) {
    SCOPED_TRACE(sample.file);
    const Result<C1> result = read_c1_file(test_data_path(sample.file));
    ASSERT_TRUE(result.is_ok()) << result.status().message();
    const C1& c1 = result.value();
    if (sample.meta == nullptr) continue;
    const auto meta = read_test_json(sample.meta);
    EXPECT_EQ(c1.registered_proof.name(), meta["registered_proof"]);
    EXPECT_EQ(c1.sector_num, meta["sector_num"]);
    EXPECT_EQ(c1.sector_size(), meta["sector_size"]);
    EXPECT_EQ(c1.partitions.size(), meta["partitions"]);
    EXPECT_EQ(to_hex(c1.comm_r.to_bytes_le()), meta["comm_r"]);
    EXPECT_EQ(to_hex(c1.comm_d.to_bytes_le()), meta["comm_d"]);
    EXPECT_EQ(to_hex(c1.replica_id.to_bytes_le()), meta["replica_id"]);
    EXPECT_EQ(to_hex(c1.seed), meta["seed"]);
    EXPECT_EQ(to_hex(c1.ticket), meta["ticket"]);
  }
}

// Every value of one object against an independent JSON parser, by the documented names.
TEST(ParseC1, ValuesOfTheLargestTree) {
  C1Text text = C1Text::load("c1-32KiB-v1_1-1.json");
  const C1 c1 = read_test_c1("c1-32KiB-v1_1-1.json");
  const auto bytes = [](const Json& json) {
    const auto numbers = json.get<std::vector<std::uint8_t>>();
    return to_hex(numbers);
  };
  const auto hex = [](const Fr& value) { return to_hex(value.to_bytes_le()); };
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& json = text.proof(0, i);
    const PorepChallengeProof& proof = c1.partitions[0][i];
    const Json& column = json["replica_column_proofs"]["exp_parents"][7];
    EXPECT_EQ(proof.exp_parents[7].index, column["column"]["index"]);
    EXPECT_EQ(hex(proof.exp_parents[7].rows[1]), bytes(column["column"]["rows"][1]));
    const Json& top = column["inclusion_proof"]["data"]["Top"];
    const MerkleProof& merkle = proof.exp_parents[7].inclusion_proof;
    ASSERT_EQ(merkle.levels.size(), 4u);
    EXPECT_EQ(hex(merkle.leaf), bytes(top["leaf"]));
    EXPECT_EQ(hex(merkle.root), bytes(top["root"]));
    const char* const parts[] = {"base_proof", "base_proof", "sub_proof", "top_proof"};
    for (std::size_t level = 0; level < 4; ++level) {
      const Json& element = top[parts[level]]["path"][level < 2 ? level : 0];
      EXPECT_EQ(merkle.levels[level].index, element["index"]);
      ASSERT_EQ(merkle.siblings_of(level).size(), element["hashes"].size());
      for (std::size_t j = 0; j < element["hashes"].size(); ++j) {
        EXPECT_EQ(hex(merkle.siblings_of(level)[j]), bytes(element["hashes"][j]));
      }
    }
    EXPECT_EQ(proof.comm_d_proof.levels.size(), 10u);
    EXPECT_EQ(to_hex(proof.labeling_proofs[1].parents[36]), bytes(json["labeling_proofs"][1]["parents"][36]));
    EXPECT_EQ(proof.labeling_proofs[1].layer_index, 2u);
    EXPECT_EQ(proof.challenge(), json["labeling_proofs"][0]["node"]);
    EXPECT_EQ(to_hex(proof.encoding_proof.parents[0]), bytes(json["encoding_proof"]["parents"][0]));
  }
}

// Reverses the keys of every object and puts an unknown key, of every JSON type in turn, before and after
// them.
Json reordered(const Json& json, int& counter) {
  static const Json kUnknown[] = {nullptr,
                                  true,
                                  1.5e300,
                                  "text \\ \" \u00e9",
                                  Json::array({1, Json::object(), "x"}),
                                  Json::object({{"a", Json::array()}, {"b", {{"c", 1}}}})};
  if (json.is_array()) {
    Json out = Json::array();
    for (const Json& element : json) out.push_back(reordered(element, counter));
    return out;
  }
  if (!json.is_object()) return json;
  Json out = Json::object();
  const bool single_key =
      json.size() == 1 && json.begin().value().is_object();  // a tagged variant: no other key
  if (!single_key) out["unknown"] = kUnknown[static_cast<std::size_t>(counter++) % std::size(kUnknown)];
  for (auto it = json.rbegin(); it != json.rend(); ++it) out[it.key()] = reordered(it.value(), counter);
  if (!single_key) out["another"] = kUnknown[static_cast<std::size_t>(counter++) % std::size(kUnknown)];
  return out;
}

TEST(ParseC1, KeyOrderIsFreeAndUnknownKeysAreIgnored) {
  for (const char* name : {"c1-2KiB-v1-4.json", "c1-16KiB-v1_1-1.json", "c1-32KiB-v1_1-1.json"}) {
    SCOPED_TRACE(name);
    C1Text text = C1Text::load(name);
    int counter = 0;
    // "vanilla_proofs" holds an array under its tag, so it is treated as a tagged variant here.
    const Json proofs = text.inner["vanilla_proofs"];
    text.inner = reordered(text.inner, counter);
    text.inner["vanilla_proofs"] =
        Json::object({{proofs.begin().key(), reordered(proofs.begin().value(), counter)}});
    text.wrapper = reordered(text.wrapper, counter);
    const Result<C1> c1 = parse_c1(bytes_of(text.join()));
    ASSERT_TRUE(c1.is_ok()) << c1.status().message();
    EXPECT_EQ(digest_of(c1.value()), digest_of(read_test_c1(name)));
  }
}

TEST(ParseC1, EscapedSlashesAndSpaces) {
  std::string text = read_test_data("c1-2KiB-v1_1-1.json");
  std::string escaped = " \n\t";
  for (const char character : text) {
    if (character == '/') escaped += '\\';
    escaped += character;
    if (character == ',' || character == ':') escaped += "\r\n ";
  }
  const Result<C1> c1 = parse_c1(bytes_of(escaped + " \n"));
  ASSERT_TRUE(c1.is_ok()) << c1.status().message();
  EXPECT_EQ(digest_of(c1.value()), digest_of(read_test_c1("c1-2KiB-v1_1-1.json")));
}

TEST(ParseC1, FileErrorsStartWithThePath) {
  const auto missing = read_c1_file("/nonexistent/c1.json");
  EXPECT_EQ(missing.status().code(), StatusCode::unavailable);
  EXPECT_EQ(missing.status().message(), "/nonexistent/c1.json: cannot be opened: No such file or directory");
  const auto folder = read_c1_file(CUZK_TEST_DATA);
  EXPECT_EQ(folder.status().code(), StatusCode::unavailable);
  const auto other = read_c1_file(test_data_path("sample-2k.json"));
  EXPECT_EQ(other.status().code(), StatusCode::invalid_argument);
  EXPECT_EQ(other.status().message().find(test_data_path("sample-2k.json") + ": "), 0u);
}

}  // namespace
}  // namespace cuzk
