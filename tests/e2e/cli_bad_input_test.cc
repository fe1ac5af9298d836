// What `cuzk` says and does about wrong flags, C1 files and parameter files: one line on stderr that names what is wrong, the
// exit code of docs/operations.md, and no output file.
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <map>

#include "cli_fixture.h"

namespace cuzk {
namespace {

constexpr const char* kGoodC1 = "c1-2KiB-v1_1-1.json";

class BadInput : public testing::Test {
 protected:
  // Proves `c1` and expects the exit code, one line on stderr with all of `mentions`, and no output file.
  void expect_refused(const std::string& c1, const std::string& params, int exit_code,
                      const std::vector<std::string>& mentions) {
    SCOPED_TRACE(c1);
    const ProgramResult result = cuzk({"prove", "--c1", c1, "--miner-id", "1000", "--params-dir", params,
                                       "--out", scratch_.file("out.proof")});
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    for (const std::string& mention : mentions)
      EXPECT_NE(result.err.find(mention), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(scratch_.file("out.proof")));
  }
  void expect_bad_c1(const std::string& text, const std::vector<std::string>& mentions) {
    write_text(scratch_.file("bad.json"), text);
    expect_refused(scratch_.file("bad.json"), scratch_.file("no-params"), 2, mentions);
  }
  void expect_bad_inner(const std::function<void(nlohmann::json&)>& change,
                        const std::vector<std::string>& mentions) {
    write_changed_c1(data_file(kGoodC1), scratch_.file("bad.json"), change);
    expect_refused(scratch_.file("bad.json"), scratch_.file("no-params"), 2, mentions);
  }
  static nlohmann::json& challenge(nlohmann::json& inner, std::size_t i) {
    return inner["vanilla_proofs"].begin().value()[0][i];
  }

  ScratchFolder scratch_;
};

TEST_F(BadInput, C1FilesOfTheWrongForm) {
  expect_refused(scratch_.file("missing.json"), scratch_.file("no-params"), 2, {"missing.json"});
  expect_refused(scratch_.path().string(), scratch_.file("no-params"), 2, {"cuzk-test-"});
  for (const char* text : {"", "{}", "[]", "null", "not json", "\x00\x01", "{\"SectorNum\":1}"}) {
    expect_bad_c1(text, {"bad.json"});
  }
  const auto good = read_file(data_file(kGoodC1));
  for (const std::size_t length : {std::size_t{1}, good.size() / 2, good.size() - 2}) {
    expect_bad_c1(std::string(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)),
                  {"bad.json"});
  }
}

TEST_F(BadInput, C1ValuesThatCannotBe) {
  expect_bad_inner(
      [](auto& inner) { challenge(inner, 1)["comm_r_last_proof"]["data"].begin().value()["leaf"][31] = 255; },
      {"partition 0", "challenge 1", "comm_r_last_proof", "leaf", "modulus"});
  expect_bad_inner(
      [](auto& inner) {
        challenge(inner, 0)["comm_d_proofs"]["data"].begin().value()["path"]["path"].erase(0);
      },
      {"partition 0", "challenge 0", "comm_d_proofs", "6"});
  expect_bad_inner([](auto& inner) { inner["registered_proof"] = "StackedDrg8MiBV1_1"; }, {"8MiB", "2"});
  expect_bad_inner([](auto& inner) { inner["registered_proof"] = "StackedDrg3KiBV1"; }, {"StackedDrg3KiBV1"});
  expect_bad_inner(
      [](auto& inner) {
        inner["comm_r"] = nlohmann::json::array({1, 2, 3});
      },
      {"comm_r", "32", "3"});
}

TEST_F(BadInput, C1ValuesThatDoNotBelongTogether) {
  const auto flip = [](nlohmann::json& byte) { byte = byte.get<int>() ^ 1; };
  expect_bad_inner(
      [&](auto& inner) {
        flip(challenge(inner, 1)["replica_column_proofs"]["drg_parents"][2]["inclusion_proof"]["data"]
                 .begin()
                 .value()["path"]["path"][1]["hashes"][3][0]);
      },
      {"partition 0", "challenge 1", "drg_parents[2]"});
  expect_bad_inner(
      [&](auto& inner) { flip(challenge(inner, 0)["comm_d_proofs"]["data"].begin().value()["leaf"][5]); },
      {"partition 0", "challenge 0", "comm_d_proofs"});
  expect_bad_inner([&](auto& inner) { flip(inner["seed"][0]); }, {"partition 0", "challenge 0"});
  expect_bad_inner([&](auto& inner) { flip(inner["ticket"][0]); }, {"replica_id"});
  const ProgramResult other_miner = cuzk({"prove", "--c1", data_file(kGoodC1), "--miner-id", "1001",
                                          "--params-dir", scratch_.file("no-params")});
  EXPECT_EQ(other_miner.exit_code, 2);
  EXPECT_NE(other_miner.err.find("replica_id"), std::string::npos) << other_miner.err;
}

TEST_F(BadInput, ParameterFiles) {
  const std::string c1 = data_file(kGoodC1);
  expect_refused(c1, scratch_.file("no-params"), 3, {"no-params", ".params"});

  const std::string name =
      "v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"
      "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f.params";
  const std::string good = test_parameters("porep", "2KiB").directory + "/" + name;
  const std::string bad = scratch_.file(name);
  const std::string wanted = "1114707768";
  std::filesystem::copy_file(good, bad);
  std::filesystem::resize_file(bad, 1114707768 - 1);
  expect_refused(c1, scratch_.path(), 3, {name, "1114707767", wanted});
  std::filesystem::resize_file(bad, 1114707768 / 2);
  expect_refused(c1, scratch_.path(), 3, {name, wanted});
  std::filesystem::copy_file(good, bad, std::filesystem::copy_options::overwrite_existing);
  std::filesystem::resize_file(bad, 1114707768 + 1);
  expect_refused(c1, scratch_.path(), 3, {name, "1114707769", wanted});
  std::filesystem::resize_file(bad, 0);
  expect_refused(c1, scratch_.path(), 3, {name});
  std::filesystem::remove(bad);
  std::filesystem::create_directory(bad);
  expect_refused(c1, scratch_.path(), 3, {name});
  std::filesystem::remove(bad);
  std::filesystem::copy_file(
      data_file("v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
                "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0.params"),
      bad);
  expect_refused(c1, scratch_.path(), 3, {name});
}

TEST_F(BadInput, ADamagedPointOfAParameterFile) {
  const std::string name =
      "v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"
      "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f.params";
  std::filesystem::copy_file(test_parameters("porep", "2KiB").directory + "/" + name, scratch_.file(name));
  {
    std::FILE* file = std::fopen(scratch_.file(name).c_str(), "r+b");
    ASSERT_NE(file, nullptr);
    std::fseek(file, 868 + 40 * 96 + 4 + 96 * 1000 + 50, SEEK_SET);
    const int byte = std::fgetc(file);
    std::fseek(file, -1, SEEK_CUR);
    std::fputc(byte ^ 1, file);
    std::fclose(file);
  }
  expect_refused(data_file(kGoodC1), scratch_.path(), 3, {name, "h", "1000"});
}

TEST_F(BadInput, OutputThatCannotBeWritten) {
  const ProgramResult result =
      cuzk({"prove", "--c1", data_file(kGoodC1), "--miner-id", "1000", "--params-dir",
            test_parameters("porep", "2KiB").directory, "--out", scratch_.file("no/such/folder/proof")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("no/such/folder/proof"), std::string::npos) << result.err;
}

TEST(Flags, AreCheckedAndExplained) {
  EXPECT_EQ(cuzk({"--help"}).exit_code, 0);
  EXPECT_NE(cuzk({"--help"}).out.find("prove"), std::string::npos);
  EXPECT_EQ(cuzk({"prove", "--help"}).exit_code, 0);
  EXPECT_EQ(cuzk({}).exit_code, 2);
  EXPECT_EQ(cuzk({"prove"}).exit_code, 2);
  EXPECT_EQ(cuzk({"frobnicate"}).exit_code, 2);
  EXPECT_EQ(cuzk({"prove", "--c1", "x", "--miner-id", "-1"}).exit_code, 2);
  EXPECT_EQ(cuzk({"r1cs", "--circuit", "porep", "--sector-size", "3KiB"}).exit_code, 2);
  EXPECT_EQ(cuzk({"r1cs", "--circuit", "nonsense", "--sector-size", "2KiB"}).exit_code, 2);
  EXPECT_EQ(cuzk({"--threads", "0", "r1cs", "--circuit", "porep", "--sector-size", "2KiB"}).exit_code, 2);
  EXPECT_EQ(cuzk({"--version"}).exit_code, 0);
}

TEST(Flags, WhatIsWrongIsNamed) {
  const auto expect = [](const std::vector<std::string>& arguments, const std::string& message) {
    const ProgramResult result = cuzk(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.err.substr(0, result.err.find('\n')), "cuzk: " + message);
  };
  expect({"prov"}, "there is no command prov; the nearest is prove");
  expect({"prove", "--minor-id=7"}, "there is no flag --minor-id of prove; the nearest is --miner-id");
  expect({"inspect", "a", "b"}, "\"b\" is not expected by inspect");
  expect({"prove", "--c1", "x"}, "--miner-id is required; see cuzk prove --help");
  expect({"setup", "--circuit", "porep", "--sector-size", "32GB"},
         "--sector-size: \"32GB\" is none of 2KiB, 4KiB, 16KiB, 32KiB, 8MiB, 16MiB, 512MiB, 1GiB, 32GiB, "
         "64GiB; see "
         "cuzk setup --help");
  const ProgramResult folder = cuzk({"check-params", "--params-dir", "/nonexistent"});
  EXPECT_EQ(folder.exit_code, 3);
  EXPECT_EQ(folder.err, "cuzk: /nonexistent: no such folder\n");
}

TEST(R1csCommand, PrintsCountsAndDigest) {
  const ProgramResult result = cuzk({"r1cs", "--circuit", "porep", "--sector-size", "2KiB", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["constraints"], 2687921);
  EXPECT_EQ(report["aux"], 2685673);
  EXPECT_EQ(report["params_bytes"], 1114707768);
  EXPECT_EQ(report["digest"], "c48acf08e6220b0839cc17ab449cb1bf5d81d70f6c4048d301be4cadb3658429");
}

TEST(InspectCommand, TellsFilesFromTheirContent) {
  const auto kind = [](const std::string& path) {
    const ProgramResult result = cuzk({"inspect", path, "--json", "--digest"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.exit_code == 0 ? nlohmann::json::parse(result.out) : nlohmann::json();
  };
  const std::string window =
      "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
      "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0";
  EXPECT_EQ(kind(data_file(kGoodC1))["kind"], "C1");
  EXPECT_EQ(kind(data_file(kGoodC1))["registered_proof"], "StackedDrg2KiBV1_1");
  EXPECT_EQ(kind(data_file("c1-2KiB-v1_1-1.proof"))["kind"], "proof");
  EXPECT_EQ(kind(data_file("window-2KiB.proof"))["partitions"], 2);
  EXPECT_EQ(kind(data_file(window + ".vk"))["kind"], "verifying key");
  const auto params = kind(data_file(window + ".params"));
  EXPECT_EQ(params["kind"], "parameters");
  EXPECT_EQ(params["points"]["h"], 32767);
  EXPECT_EQ(params["blake2b_128"], "e05651afe58c6cd4e21128b2bd824749");
  EXPECT_EQ(cuzk({"inspect", data_file("README.md")}).exit_code, 2);
  EXPECT_EQ(cuzk({"inspect", data_file("no-such-file")}).exit_code, 2);
}

// A setup onto a full disk: nothing is left of it, and parameters that it was to replace stay whole and marked as tests'.
TEST(BadSetup, AFullDiskLeavesWhatWasThere) {
  const ScratchFolder scratch;
  const std::vector<std::string> setup = {
      "setup",  "--circuit", "window", "--sector-size", "2KiB", "--params-dir", scratch.file("params"),
      "--force"};
  constexpr std::size_t kSmall = 2'000'000;  // the parameters have 11.5 MB
  const auto files = [&] {
    std::map<std::string, std::string> digests;
    for (const auto& entry : std::filesystem::directory_iterator(scratch.file("params")))
      digests[entry.path().extension()] = sha256_of_file(entry.path());
    return digests;
  };

  const ProgramResult none = cuzk_on_full_disk(kSmall, setup);
  EXPECT_EQ(none.exit_code, 1) << none.err;
  EXPECT_NE(none.err.find(".params: reserve: File too large"), std::string::npos) << none.err;
  EXPECT_EQ(files().size(), 0u);

  ASSERT_EQ(cuzk(setup).exit_code, 0);
  const auto before = files();
  ASSERT_EQ(before.size(), 3u);
  EXPECT_EQ(cuzk_on_full_disk(kSmall, setup).exit_code, 1);
  EXPECT_EQ(files(), before);
}

}  // namespace
}  // namespace cuzk
