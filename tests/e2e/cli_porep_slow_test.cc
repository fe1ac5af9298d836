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
  const ScratchFolder scratch;
  const ProgramResult result =
      cuzk({"prove", "--c1", data_file("c1-32KiB-v1_1-1.json"), "--miner-id", "1000", "--params-dir",
            parameters.directory, "--out", scratch.file("proof"), "--test-blinding"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_file(scratch.file("proof")), read_file(data_file("c1-32KiB-v1_1-1.proof")));
}

}  // namespace
}  // namespace cuzk
