// PoSt and sector updates through `cuzk`: the reference prover's parameters and proofs byte for byte, generated inputs of every
// kind from `gen` to `verify`, and what `validate`, `circuits` and `check-params` say.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "base/bytes.h"
#include "cli_fixture.h"

namespace cuzk {
namespace {

constexpr const char* kRandomness = "b3929a15aefaadad1e512efabfda36bc6742d3beeeb8f8b5952440de717fe532";
const std::vector<std::string> kUpdateFlags = {
    "--kind",        "update",
    "--sector-size", "2KiB",
    "--comm-r-old",  "c9d01d4ba09aafb9ca154418b421962f5cb65ed8c7eb21bb19fd5cdbdd381d46",
    "--comm-r-new",  "334b6e6006a8b4017e2886ed3a2a7aeea878ff237294e23b81e34d6fa70ed01c",
    "--comm-d-new",  "d8f518990230a55063c4e0c1216aab88a3de699cb091c8772f365bea3a4e5e33"};

std::vector<std::string> post_flags(const std::string& kind, const std::string& size,
                                    const std::string& version, const std::vector<std::string>& files) {
  std::vector<std::string> flags = {"--kind",       kind,        "--sector-size",  size,
                                    "--randomness", kRandomness, "--post-version", version,
                                    "--vanilla"};
  for (const std::string& file : files) flags.push_back(data_file(file));
  return flags;
}

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

struct Case {
  const char* name;
  const char* circuit;
  const char* sector_size;
  std::vector<std::string> flags;
  const char* proof;
  const char* params_sha256;
};

std::vector<Case> reference_cases() {
  return {
      {"Window2KiB", "window", "2KiB",
       post_flags("window", "2KiB", "1.2",
                  {"window-2KiB-1.vproof", "window-2KiB-2.vproof", "window-2KiB-3.vproof"}),
       "window-2KiB.proof", "be642de89625634982debba2bb9748b7ef44cc9a6fbf6abb6ff1781af11b8e3f"},
      {"WindowV1At2KiB", "window", "2KiB",
       post_flags("window", "2KiB", "1.0", {"windowv1-2KiB-1.vproof", "windowv1-2KiB-2.vproof"}),
       "windowv1-2KiB.proof", "be642de89625634982debba2bb9748b7ef44cc9a6fbf6abb6ff1781af11b8e3f"},
      {"Winning2KiB", "winning", "2KiB", post_flags("winning", "2KiB", "1.2", {"winning-2KiB-1.vproof"}),
       "winning-2KiB.proof", "1564706abd7bb229576ca782c6402d8538cd3d51ec037415398ea56ba2757e7d"},
      {"Window8MiB", "window", "8MiB",
       post_flags("window", "8MiB", "1.2", {"window-8MiB-1.vproof", "window-8MiB-2.vproof"}),
       "window-8MiB.proof", "f3ca2c21cb567f66d50f2cdf463e965f968981d5092c129fc3516549b304b793"},
      {"Winning8MiB", "winning", "8MiB", post_flags("winning", "8MiB", "1.2", {"winning-8MiB-1.vproof"}),
       "winning-8MiB.proof", "bf0a76233b251158a6d5017c6a48a92f33e26d52d0c8e2d48d2753fdc37cbc17"},
      {"Window32KiB", "window", "32KiB",
       post_flags("window", "32KiB", "1.2", {"window-32KiB-1.vproof", "window-32KiB-2.vproof"}),
       "window-32KiB.proof", "b82ea9a92d44abd9b4ee93c6b7ec5dadd91bc4870bd07c8f875b879a28329855"},
      {"Update2KiB", "update", "2KiB", joined(kUpdateFlags, {"--vanilla", data_file("update-2KiB-0.pproof")}),
       "update-2KiB.proof", "9dc1762e7745550eacc6a6757a9061df34829a85732887b09d0066556f3402f4"},
  };
}

class ReferenceKinds : public testing::TestWithParam<Case> {};

TEST_P(ReferenceKinds, ComeOutByteForByte) {
  const Case& c = GetParam();
  const ScratchFolder scratch;
  const TestParameters& parameters = test_parameters(c.circuit, c.sector_size);
  ASSERT_EQ(parameters.setup.exit_code, 0) << parameters.setup.err;
  const auto setup = nlohmann::json::parse(parameters.setup.out);
  EXPECT_EQ(sha256_of_file(setup["params"]), c.params_sha256);

  EXPECT_EQ(cuzk(joined({"validate"}, c.flags)).exit_code, 0);
  const std::string out = scratch.file("proof");
  const ProgramResult proved = cuzk(joined(
      {"prove", "--miner-id", "1000", "--params-dir", parameters.directory, "--out", out, "--test-blinding"},
      c.flags));
  ASSERT_EQ(proved.exit_code, 0) << proved.err;
  EXPECT_EQ(to_hex(read_file(out)), to_hex(read_file(data_file(c.proof))));
  const auto verify = [&](const std::string& proof) {
    return cuzk(joined({"verify", "--params-dir", parameters.directory, "--proof", proof}, c.flags))
        .exit_code;
  };
  EXPECT_EQ(verify(data_file(c.proof)), 0);
  auto bytes = read_file(out);
  bytes[bytes.size() - 7] ^= 4;
  write_file(scratch.file("bad"), bytes);
  EXPECT_EQ(verify(scratch.file("bad")), 1);
}

std::string case_name(const testing::TestParamInfo<Case>& c) {
  return c.param.name;
}

INSTANTIATE_TEST_SUITE_P(All, ReferenceKinds, testing::ValuesIn(reference_cases()), case_name);

// The flags that `gen` prints lead from the generated files to a verified proof.
TEST(Generated, InputsOfEveryKindProveAndVerify) {
  const ScratchFolder scratch;
  for (const std::string kind : {"window", "winning", "update"}) {
    SCOPED_TRACE(kind);
    std::vector<std::string> gen = {
        "gen",   "--kind", kind, "--sector-size", "2KiB", "--seed", "7", "--out", scratch.file(kind + ".bin"),
        "--json"};
    if (kind == "window") gen = joined(gen, {"--sectors", "3"});
    const ProgramResult made = cuzk(gen);
    ASSERT_EQ(made.exit_code, 0) << made.err;
    const auto report = nlohmann::json::parse(made.out);
    std::vector<std::string> flags;
    std::istringstream words(report["prove"].get<std::string>());
    for (std::string word; words >> word;) flags.push_back(word);
    const std::string params = test_parameters(kind, "2KiB").directory;
    const std::string proof = scratch.file(kind + ".proof");
    EXPECT_EQ(cuzk(joined({"validate"}, flags)).exit_code, 0);
    const ProgramResult proved = cuzk(joined({"prove", "--params-dir", params, "--out", proof}, flags));
    EXPECT_EQ(proved.exit_code, 0) << proved.err;
    EXPECT_EQ(read_file(proof).size(), kind == "window" ? 384u : 192u);
    EXPECT_EQ(cuzk(joined({"verify", "--params-dir", params, "--proof", proof}, flags)).exit_code, 0);
  }
}

TEST(Generated, PorepOfEverySizeValidates) {
  const ScratchFolder scratch;
  for (const std::string size : {"2KiB", "16KiB", "8MiB", "512MiB", "32GiB", "64GiB"}) {
    SCOPED_TRACE(size);
    const std::string c1 = scratch.file(size + ".json");
    const ProgramResult made = cuzk({"gen", "--kind", "porep", "--sector-size", size, "--out", c1, "--json"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    EXPECT_LT(nlohmann::json::parse(made.out)["peak_memory_bytes"], std::uint64_t{4} << 30);
    const ProgramResult valid = cuzk({"validate", "--c1", c1, "--miner-id", "1000"});
    EXPECT_EQ(valid.exit_code, 0) << valid.err;
  }
}

TEST(Validate, ListsEveryFault) {
  const ScratchFolder scratch;
  auto first = read_file(data_file("window-2KiB-1.vproof"));
  auto second = read_file(data_file("window-2KiB-2.vproof"));
  first[8 + 3] ^= 1;                // comm_r of the first sector
  second[second.size() - 40] ^= 1;  // comm_c of the second
  write_file(scratch.file("1.vproof"), first);
  write_file(scratch.file("2.vproof"), second);
  const ProgramResult result =
      cuzk({"validate", "--kind", "window", "--sector-size", "2KiB", "--randomness", kRandomness, "--vanilla",
            scratch.file("1.vproof"), scratch.file("2.vproof"), "--json"});
  EXPECT_EQ(result.exit_code, 2);
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["verdict"], "invalid");
  std::set<std::uint64_t> sectors;
  for (const auto& finding : report["findings"]) sectors.insert(finding["sector"].get<std::uint64_t>());
  EXPECT_EQ(sectors, (std::set<std::uint64_t>{1, 2}));
}

TEST(Mismatch, OfKindSizeOrRandomnessIsRefusedBeforeProving) {
  const auto refused = [](const std::vector<std::string>& flags, const std::vector<std::string>& mentions) {
    const ProgramResult result =
        cuzk(joined({"prove", "--miner-id", "1000", "--params-dir", "/nonexistent"}, flags));
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    for (const std::string& mention : mentions)
      EXPECT_NE(result.err.find(mention), std::string::npos) << result.err;
  };
  refused(post_flags("window", "8MiB", "1.2", {"window-2KiB-1.vproof"}), {"window-2KiB-1.vproof"});
  refused(post_flags("window", "2KiB", "1.2", {"winning-2KiB-1.vproof"}),
          {"winning-2KiB-1.vproof", "10", "66"});
  refused(post_flags("winning", "2KiB", "1.2", {"window-2KiB-1.vproof"}),
          {"window-2KiB-1.vproof", "66", "10"});
  refused(post_flags("winning", "2KiB", "1.2", {"winning-2KiB-1.vproof", "winning-2KiB-1.vproof"}),
          {"2", "1"});
  refused(post_flags("window", "2KiB", "1.0", {"window-2KiB-2.vproof", "window-2KiB-1.vproof"}),
          {"challenge"});
  auto other_randomness = post_flags("window", "2KiB", "1.2", {"window-2KiB-1.vproof"});
  other_randomness[5][0] = 'c';
  refused(other_randomness, {"challenge"});
  auto large_randomness = post_flags("window", "2KiB", "1.2", {"window-2KiB-1.vproof"});
  large_randomness[5] = std::string(64, 'f');
  refused(large_randomness, {"randomness", "modulus"});
  auto short_randomness = post_flags("window", "2KiB", "1.2", {"window-2KiB-1.vproof"});
  short_randomness[5] = std::string(62, '1');
  refused(short_randomness, {"--randomness", "64", "62"});
  refused(joined(kUpdateFlags,
                 {"--vanilla", data_file("update-2KiB-0.pproof"), data_file("update-2KiB-0.pproof")}),
          {"2", "1"});
  refused(joined(kUpdateFlags, {"--partition", "1", "--vanilla", data_file("update-2KiB-0.pproof")}),
          {"partition 1"});
  refused(joined(kUpdateFlags, {"--vanilla", data_file("update-4KiB-0.pproof")}), {"update-4KiB-0.pproof"});
  refused({"--c1", data_file("c1-2KiB-v1_1-1.json"), "--partition", "1"}, {"partition 1"});
  refused({"--c1", data_file("c1-2KiB-v1_1-1.json"), "--sector-size", "8MiB"}, {"8MiB", "2KiB"});
  refused({}, {"--c1"});
}

TEST(CheckParams, SaysForEachCircuitWhatIsMissing) {
  const TestParameters& parameters = test_parameters("window", "2KiB");
  const ProgramResult one = cuzk(
      {"check-params", "--circuit", "window", "--sector-size", "2KiB", "--params-dir", parameters.directory});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_NE(one.out.find("test only"), std::string::npos) << one.out;
  const ScratchFolder empty;
  const ProgramResult all = cuzk({"check-params", "--params-dir", empty.path().string(), "--json"});
  EXPECT_EQ(all.exit_code, 3);
  const auto report = nlohmann::json::parse(all.out);
  EXPECT_EQ(report["circuits"].size(), 22u);
  for (const auto& row : report["circuits"]) EXPECT_EQ(row["state"], "missing");
  const ProgramResult no_folder = cuzk({"check-params", "--params-dir", "/nonexistent"});
  EXPECT_EQ(no_folder.exit_code, 3);
  EXPECT_NE(no_folder.err.find("/nonexistent: no such folder"), std::string::npos) << no_folder.err;
}

TEST(Circuits, PrintsTheTable) {
  const ProgramResult result = cuzk({"circuits", "--sector-size", "2KiB", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto rows = nlohmann::json::parse(result.out);
  ASSERT_EQ(rows.size(), 4u);
  for (const auto& row : rows) {
    const bool is_update = row["circuit"] == "update";
    const bool is_porep = row["circuit"] == "porep";
    EXPECT_EQ(is_update, row["params_bytes"] == 655789464);
    EXPECT_EQ(is_porep, row["registered_proofs"].size() == 4);
  }
}

}  // namespace
}  // namespace cuzk
