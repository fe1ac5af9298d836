// What a C1 object must not be, and that the error says where.
#include <gtest/gtest.h>

#include <functional>

#include "vanilla/c1_test_data.h"

namespace cuzk {
namespace {

using Json = nlohmann::ordered_json;

std::string error_of(std::string_view text) {
  const Result<C1> c1 = parse_c1(bytes_of(text));
  if (c1.is_ok()) return "parsed";
  EXPECT_EQ(c1.status().code(), StatusCode::invalid_argument);
  return c1.status().message();
}

void expect_error(std::string_view text, const std::string& wanted) {
  const std::string message = error_of(text);
  EXPECT_NE(message.find(wanted), std::string::npos) << "wanted: " << wanted << "\nfound:  " << message;
}

TEST(C1Errors, NotAnObject) {
  expect_error("", "empty");
  expect_error(" \n", "malformed JSON");
  expect_error("{", "malformed JSON");
  expect_error("not json", "expected a JSON object");
  expect_error("}{", "expected a JSON object");
  expect_error("null", "expected a JSON object");
  expect_error("42", "expected a JSON object");
  expect_error("\"text\"", "expected a JSON object");
  expect_error("[]", "expected a JSON object");
  expect_error("{}", "key \"SectorNum\" is missing");
  expect_error(std::string_view("\0\0\0", 3), "expected a JSON object");
  expect_error("\xff\xfe", "malformed JSON");
}

TEST(C1Errors, Wrapper) {
  const C1Text good = C1Text::load("c1-2KiB-v1_1-1.json");
  const auto with = [&](const char* key, const Json& value) {
    C1Text text = good;
    text.wrapper[key] = value;
    const std::string joined = std::string(key) == "Phase1Out" ? text.wrapper.dump() : text.join();
    return joined;
  };
  for (const char* key : {"SectorNum", "SectorSize"}) {
    C1Text text = good;
    text.wrapper.erase(key);
    expect_error(text.join(), "key \"" + std::string(key) + "\" is missing");
    for (const Json& bad : {Json("1"), Json(-1), Json(1.5), Json(nullptr), Json::array({1})}) {
      expect_error(with(key, bad), std::string(key) + ": expected an unsigned integer");
    }
  }
  expect_error(with("SectorSize", 4096),
               "Phase1Out: registered_proof: \"StackedDrg2KiBV1_1\" contradicts SectorSize 4096");
  expect_error(with("SectorSize", 2047), "SectorSize: no sector has 2047 bytes");
  expect_error(with("SectorSize", 0), "SectorSize: no sector has 0 bytes");
  expect_error(with("Phase1Out", 7), "Phase1Out: expected a string");
  expect_error(with("Phase1Out", nullptr), "Phase1Out: expected a string");
  expect_error(with("Phase1Out", ""), "Phase1Out: empty");
  expect_error(with("Phase1Out", "e30"), "Phase1Out: base64 of 3 characters");
  expect_error(with("Phase1Out", "e 30"), "Phase1Out: not base64 at character 1");
  expect_error(with("Phase1Out", encode_base64("{}")), "Phase1Out: key \"registered_proof\" is missing");
  expect_error(with("Phase1Out", encode_base64("[]")), "Phase1Out: expected a JSON object");
  expect_error(with("Phase1Out", encode_base64("null")), "Phase1Out: expected a JSON object");
  expect_error(with("Phase1Out", encode_base64("hello")), "Phase1Out: expected a JSON object");
  expect_error(good.join() + "x", "malformed JSON");
  expect_error(good.join() + "{}", "malformed JSON");
  const std::string joined = good.join();
  expect_error("{\"SectorNum\":1," + joined.substr(1), "key \"SectorNum\" occurs twice");
}

// One change of the inner object, and what the error must contain.
struct InnerCase {
  std::function<void(C1Text&)> change;
  const char* wanted;
};

Json& inner_proof(C1Text& text) {
  return text.proof(0, 1);
}
Json& drg_column(C1Text& text) {
  return inner_proof(text)["replica_column_proofs"]["drg_parents"][2]["column"];
}
Json& tree_d(C1Text& text) {
  return inner_proof(text)["comm_d_proofs"]["data"]["Single"];
}
Json& tree_r(C1Text& text) {
  return inner_proof(text)["comm_r_last_proof"]["data"];
}
Json filled(int byte) {
  return Json(std::vector<int>(32, byte));
}

void expect_inner_errors(const char* file, const std::vector<InnerCase>& cases) {
  const C1Text good = C1Text::load(file);
  for (const InnerCase& one : cases) {
    C1Text text = good;
    one.change(text);
    expect_error(text.join(), one.wanted);
  }
}

TEST(C1Errors, Head) {
  expect_inner_errors(
      "c1-2KiB-v1_1-1.json",
      {{[](C1Text& t) { t.inner["registered_proof"] = 5; }, "registered_proof: expected a string"},
       {[](C1Text& t) { t.inner["registered_proof"] = "StackedDrg2KiBV9"; },
        "unknown seal proof \"StackedDrg2KiBV9\""},
       {[](C1Text& t) { t.inner["registered_proof"] = "StackedDrg8MiBV1_1"; }, "contradicts SectorSize 2048"},
       {[](C1Text& t) { t.inner["registered_proof"] = "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep"; },
        "vanilla_proofs: StackedDrg2KiBV1_2_Feat_NonInteractivePoRep has 13 partitions, found 1"},
       {[](C1Text& t) { t.inner["vanilla_proofs"] = nullptr; },
        "vanilla_proofs: expected an object with one key"},
       {[](C1Text& t) { t.inner["vanilla_proofs"] = Json::object(); },
        "vanilla_proofs: expected one key, found none"},
       {[](C1Text& t) { t.inner["vanilla_proofs"]["x"] = 1; },
        "vanilla_proofs: expected one key, found more"},
       {[](C1Text& t) {
          t.inner["vanilla_proofs"] = {{"StackedDrg2KiBV1_1", Json::array()}};
        },
        "vanilla_proofs: the tag \"StackedDrg2KiBV1_1\" contradicts SectorSize 2048"},
       {[](C1Text& t) { t.inner["vanilla_proofs"]["StackedDrg2KiBV1"] = Json::array(); },
        "vanilla_proofs: expected 1 to 13 elements, found 0"},
       {[](C1Text& t) { t.inner["vanilla_proofs"]["StackedDrg2KiBV1"] = 3; },
        "vanilla_proofs: expected an array"},
       {[](C1Text& t) { t.inner["vanilla_proofs"]["StackedDrg2KiBV1"][0] = Json::array(); },
        "vanilla_proofs, partition 0: expected 2 elements, found 0"},
       {[](C1Text& t) { t.inner["vanilla_proofs"]["StackedDrg2KiBV1"][0].push_back(t.proof(0, 0)); },
        "vanilla_proofs, partition 0: expected 2 elements, found more"},
       {[](C1Text& t) {
          t.inner["vanilla_proofs"]["StackedDrg2KiBV1"].push_back(
              Json::array({t.proof(0, 0), t.proof(0, 1)}));
        },
        "vanilla_proofs: StackedDrg2KiBV1_1 has 1 partitions, found 2"},
       {[](C1Text& t) { t.inner["seed"] = filled(0); }, "seed: all zero"},
       {[](C1Text& t) { t.inner["comm_r"] = filled(0); }, "comm_r: all zero"},
       {[](C1Text& t) { t.inner["comm_d"] = filled(0); }, "comm_d: all zero"},
       {[](C1Text& t) { t.inner["comm_d"] = filled(255); }, "comm_d: not below the field modulus"},
       {[](C1Text& t) { t.inner["replica_id"] = filled(255); }, "replica_id: not below the field modulus"},
       {[](C1Text& t) { t.inner["ticket"] = "abc"; }, "ticket: expected an array of 32 bytes"},
       {[](C1Text& t) { t.inner["ticket"].erase(0); }, "ticket: expected 32 bytes, found 31"},
       {[](C1Text& t) { t.inner["ticket"].push_back(1); }, "ticket: expected 32 bytes, found more"},
       {[](C1Text& t) { t.inner["ticket"][3] = 256; }, "ticket: byte 3 is not an integer from 0 to 255"},
       {[](C1Text& t) { t.inner["ticket"][3] = -1; }, "ticket: byte 3 is not"},
       {[](C1Text& t) { t.inner["ticket"][3] = 1.5; }, "ticket: byte 3 is not"},
       {[](C1Text& t) { t.inner["ticket"][31] = "1"; }, "ticket: byte 31 is not"},
       {[](C1Text& t) { t.inner["ticket"][0] = Json::array({1}); }, "ticket: byte 0 is not"}});
  const C1Text good = C1Text::load("c1-2KiB-v1_1-1.json");
  for (const char* key :
       {"registered_proof", "vanilla_proofs", "comm_r", "comm_d", "replica_id", "seed", "ticket"}) {
    C1Text text = good;
    text.inner.erase(key);
    expect_error(text.join(), "Phase1Out: key \"" + std::string(key) + "\" is missing");
  }
}

TEST(C1Errors, ChallengeProof) {
  constexpr const char* kAt = "Phase1Out: vanilla_proofs, partition 0, challenge 1, ";
  const auto at = [&](const char* rest) { return std::string(kAt) + rest; };
  const std::vector<std::pair<std::function<void(C1Text&)>, std::string>> cases = {
      {[](C1Text& t) { drg_column(t)["rows"][1] = filled(255); },
       at("drg_parents[2].column.rows[1]: not below the field modulus")},
      {[](C1Text& t) { drg_column(t)["rows"].push_back(filled(1)); },
       at("drg_parents[2].column.rows: expected 2 elements, found more")},
      {[](C1Text& t) { drg_column(t)["rows"].erase(0); },
       at("drg_parents[2].column.rows: expected 2 elements, found 1")},
      {[](C1Text& t) { drg_column(t)["index"] = 64; },
       at("drg_parents[2].column.index: 64 is more than the largest value, 63")},
      {[](C1Text& t) { drg_column(t) = Json::array(); }, at("drg_parents[2].column: expected an object")},
      {[](C1Text& t) { inner_proof(t)["replica_column_proofs"]["drg_parents"].erase(0); },
       at("drg_parents: expected 6 elements, found 5")},
      {[](C1Text& t) {
         auto& e = inner_proof(t)["replica_column_proofs"]["exp_parents"];
         e.push_back(e[0]);
       },
       at("exp_parents: expected 8 elements, found more")},
      {[](C1Text& t) { inner_proof(t)["replica_column_proofs"].erase("c_x"); },
       "challenge 1: key \"c_x\" is missing"},
      {[](C1Text& t) { tree_d(t)["path"]["path"].erase(0); },
       at("comm_d_proofs.path: expected 6 elements, found 5")},
      {[](C1Text& t) { tree_d(t)["path"]["path"][3]["index"] = 2; },
       at("comm_d_proofs.path[3].index: 2 is more than the largest value, 1")},
      {[](C1Text& t) { tree_d(t)["path"]["path"][3]["hashes"].push_back(filled(1)); },
       at("comm_d_proofs.path[3].hashes: expected 1 elements, found more")},
      {[](C1Text& t) { tree_d(t)["path"]["path"][3]["hashes"] = Json::array(); },
       at("comm_d_proofs.path[3].hashes: expected 1 elements, found 0")},
      {[](C1Text& t) { tree_d(t)["path"]["path"][3].erase("index"); },
       at("comm_d_proofs.path[3]: key \"index\" is missing")},
      {[](C1Text& t) { tree_d(t)["leaf"] = filled(200); },
       at("comm_d_proofs.leaf: not below the field modulus")},
      {[](C1Text& t) { tree_d(t).erase("root"); }, at("comm_d_proofs: key \"root\" is missing")},
      {[](C1Text& t) { inner_proof(t)["comm_d_proofs"] = Json::object(); },
       at("comm_d_proofs: key \"data\" is missing")},
      {[](C1Text& t) {
         tree_r(t) = {{"Sub", tree_r(t)["Single"]}};
       },
       at("comm_r_last_proof: the proof is of kind \"Sub\", this tree needs \"Single\"")},
      {[](C1Text& t) { tree_r(t)["Single"]["path"]["path"][1]["hashes"][6] = filled(255); },
       at("comm_r_last_proof.path[1].hashes[6]: not below the field modulus")},
      {[](C1Text& t) { tree_r(t)["Single"]["path"]["path"][1]["index"] = 8; },
       at("comm_r_last_proof.path[1].index: 8 is more")},
      {[](C1Text& t) { inner_proof(t)["labeling_proofs"].erase(0); },
       at("labeling_proofs: expected 2 elements, found 1")},
      {[](C1Text& t) { inner_proof(t)["labeling_proofs"][1]["parents"].erase(0); },
       at("labeling_proofs[1].parents: expected 37 elements, found 36")},
      {[](C1Text& t) { inner_proof(t)["labeling_proofs"][1]["node"] = 64; },
       at("labeling_proofs[1].node: 64 is more than the largest value, 63")},
      {[](C1Text& t) { inner_proof(t)["labeling_proofs"][1]["layer_index"] = 4294967296; },
       at("labeling_proofs[1].layer_index: 4294967296 is more")},
      {[](C1Text& t) { inner_proof(t)["encoding_proof"]["parents"][36] = Json::array(); },
       at("encoding_proof.parents[36]: expected 32 bytes, found 0")},
      {[](C1Text& t) { inner_proof(t) = nullptr; }, "partition 0, challenge 1: expected an object"},
  };
  const C1Text good = C1Text::load("c1-2KiB-v1_1-1.json");
  for (const auto& [change, wanted] : cases) {
    C1Text text = good;
    change(text);
    expect_error(text.join(), wanted);
  }
}

TEST(C1Errors, SubAndTopTrees) {
  expect_inner_errors("c1-32KiB-v1_1-1.json",
                      {{[](C1Text& t) { tree_r(t)["Top"]["top_proof"]["path"] = Json::array(); },
                        "comm_r_last_proof.top_proof.path: expected 1 elements, found 0"},
                       {[](C1Text& t) { tree_r(t)["Top"]["top_proof"]["path"][0]["index"] = 2; },
                        "comm_r_last_proof.top_proof.path[0].index: 2 is more than the largest value, 1"},
                       {[](C1Text& t) { tree_r(t)["Top"]["sub_proof"]["path"][0]["hashes"].erase(0); },
                        "comm_r_last_proof.sub_proof.path[0].hashes: expected 7 elements, found 6"},
                       {[](C1Text& t) { tree_r(t)["Top"].erase("sub_proof"); },
                        "comm_r_last_proof: key \"sub_proof\" is missing"},
                       {[](C1Text& t) {
                          tree_r(t) = {{"Single", tree_r(t)["Top"]}};
                        },
                        "kind \"Single\", this tree needs \"Top\""}});
  expect_inner_errors("c1-16KiB-v1_1-1.json",
                      {{[](C1Text& t) { tree_r(t)["Sub"]["base_proof"]["path"].erase(0); },
                        "comm_r_last_proof.base_proof.path: expected 2 elements, found 1"},
                       {[](C1Text& t) {
                          tree_r(t) = {{"Top", tree_r(t)["Sub"]}};
                        },
                        "kind \"Top\", this tree needs \"Sub\""}});
}

}  // namespace
}  // namespace cuzk
