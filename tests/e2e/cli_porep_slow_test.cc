// The largest PoRep for which the reference prover's proof is at hand: 32 KiB, the tree shape of 64 GiB.
#include <gtest/gtest.h>

#include "cli_fixture.h"

namespace cuzk {
namespace {

TEST(Porep32KiB, ComesOutByteForByte) {
  const TestParameters& parameters = test_parameters("porep", "32KiB");
  ASSERT_EQ(parameters.setup.exit_code, 0) << parameters.setup.err;
  const auto report = nlohmann::json::parse(parameters.setup.out);
  EXPECT_EQ(report["params_bytes"], 1221180984);
  EXPECT_EQ(sha256_of_file(report["params"]),
            "995362f17b6d008f8c1e91f2c98d741d5dfa0197fb7a7de0fc2bef5407ac9f2a");
  EXPECT_EQ(sha256_of_file(report["vk"]), "e4ea6adf8b93bbe822794aacc2001fec781b649a54ca527c038a7aff7e11fefe");
  const ScratchFolder scratch;
  const ProgramResult result =
      cuzk({"prove", "--c1", data_file("c1-32KiB-v1_1-1.json"), "--miner-id", "1000", "--params-dir",
            parameters.directory, "--out", scratch.file("proof"), "--test-blinding"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_file(scratch.file("proof")), read_file(data_file("c1-32KiB-v1_1-1.proof")));
}

}  // namespace
}  // namespace cuzk
