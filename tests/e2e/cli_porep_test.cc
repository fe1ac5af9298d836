// `cuzk setup`, `prove` and `verify` on real 2 KiB sectors against the files of the reference prover.
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "cli_fixture.h"

namespace cuzk {
namespace {

constexpr const char* kCacheName =
    "v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"
    "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f";

ProgramResult prove(const std::string& c1, const std::string& out, bool test_blinding) {
  std::vector<std::string> arguments = {"prove",
                                        "--c1",
                                        data_file(c1),
                                        "--miner-id",
                                        "1000",
                                        "--params-dir",
                                        test_parameters("porep", "2KiB").directory,
                                        "--out",
                                        out,
                                        "--json"};
  if (test_blinding) arguments.push_back("--test-blinding");
  return cuzk(arguments);
}

ProgramResult verify(const std::string& c1, const std::string& proof) {
  return cuzk({"verify", "--c1", data_file(c1), "--proof", proof, "--params-dir",
               test_parameters("porep", "2KiB").directory});
}

TEST(Setup, WritesTheReferencesBytes) {
  ASSERT_EQ(test_parameters("porep", "2KiB").setup.exit_code, 0)
      << test_parameters("porep", "2KiB").setup.err;
  EXPECT_NE(test_parameters("porep", "2KiB").setup.err.find("tests only"), std::string::npos);
  const std::string base = test_parameters("porep", "2KiB").directory + "/" + kCacheName;
  EXPECT_EQ(sha256_of_file(base + ".params"),
            "c63cfa30d74334d017d1c81a3848f2efef602d7316e61779669b341b3e9cb671");
  EXPECT_EQ(sha256_of_file(base + ".vk"), "cf7ab7c97690a71ebca58cefbaaeca568e70591ed97366cc730dc40a441f1c71");
  const auto meta = read_file(base + ".meta");
  const auto parsed = nlohmann::json::parse(meta.begin(), meta.end());
  EXPECT_EQ(parsed["sector_size"], 2048);
  EXPECT_EQ(parsed["test_only"], true);
  const auto report = nlohmann::json::parse(test_parameters("porep", "2KiB").setup.out);
  EXPECT_EQ(report["params_bytes"], 1114707768);
}

TEST(Setup, DoesNotReplaceFilesUnasked) {
  ASSERT_EQ(test_parameters("porep", "2KiB").setup.exit_code, 0);
  const ProgramResult again = cuzk({"setup", "--circuit", "porep", "--sector-size", "2KiB", "--params-dir",
                                    test_parameters("porep", "2KiB").directory});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.err.find("--force"), std::string::npos) << again.err;
}

class ReferenceProofs : public testing::TestWithParam<const char*> {};

TEST_P(ReferenceProofs, ComeOutByteForByte) {
  const ScratchFolder scratch;
  const std::string name = GetParam();
  const ProgramResult result = prove(name + ".json", scratch.file("proof"), true);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(to_hex(read_file(scratch.file("proof"))), to_hex(read_file(data_file(name + ".proof"))));
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["proof"], to_hex(read_file(data_file(name + ".proof"))));
  EXPECT_LT(report["peak_memory_bytes"], std::uint64_t{2560} << 20);
}

INSTANTIATE_TEST_SUITE_P(AllOf2KiB, ReferenceProofs,
                         testing::Values("c1-2KiB-v1-4", "c1-2KiB-v1_1-1", "c1-2KiB-v1_1-2",
                                         "c1-2KiB-synthetic-4"));

TEST(Prove, RandomBlindingDiffersAndVerifies) {
  const ScratchFolder scratch;
  for (const char* name : {"first", "second"}) {
    const ProgramResult result = prove("c1-2KiB-v1_1-1.json", scratch.file(name), false);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(verify("c1-2KiB-v1_1-1.json", scratch.file(name)).exit_code, 0);
  }
  EXPECT_NE(read_file(scratch.file("first")), read_file(scratch.file("second")));
}

TEST(Verify, AcceptsTheReferencesProofsAndNothingElse) {
  const ScratchFolder scratch;
  for (const char* name : {"c1-2KiB-v1-4", "c1-2KiB-v1_1-1", "c1-2KiB-v1_1-2", "c1-2KiB-synthetic-4"}) {
    const ProgramResult result = verify(std::string(name) + ".json", data_file(std::string(name) + ".proof"));
    EXPECT_EQ(result.exit_code, 0) << name << ": " << result.err;
  }
  EXPECT_EQ(verify("c1-2KiB-v1_1-2.json", data_file("c1-2KiB-v1_1-1.proof")).exit_code, 1)
      << "inputs of another sector";

  const auto proof = read_file(data_file("c1-2KiB-v1_1-1.proof"));
  const auto refused = [&](std::vector<std::uint8_t> bytes, const std::string& what) {
    write_file(scratch.file("bad"), bytes);
    const ProgramResult result = verify("c1-2KiB-v1_1-1.json", scratch.file("bad"));
    EXPECT_EQ(result.exit_code, 1) << what << ": " << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  };
  for (std::size_t bit = 3; bit < 8 * proof.size(); bit += 97) {
    auto changed = proof;
    changed[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
    refused(changed, "bit " + std::to_string(bit));
  }
  refused({proof.begin(), proof.begin() + 191}, "191 bytes");
  auto longer = proof;
  longer.push_back(0);
  refused(longer, "193 bytes");
  refused({}, "no bytes");
}

}  // namespace
}  // namespace cuzk
