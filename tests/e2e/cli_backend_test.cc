// --backend and --gpu where no GPU is to be seen: one line that says why, the exit code of docs/operations.md, and the CPU only
// where it was allowed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "cli_fixture.h"

namespace cuzk {
namespace {

class BackendOption : public testing::Test {
 protected:
  // On every machine the same: an empty list hides the GPUs that are there.
  void SetUp() override { setenv("CUDA_VISIBLE_DEVICES", "", 1); }
  void TearDown() override { unsetenv("CUDA_VISIBLE_DEVICES"); }

  ProgramResult prove(const std::vector<std::string>& flags) {
    std::vector<std::string> arguments = {"prove",
                                          "--c1",
                                          data_file("c1-2KiB-v1_1-1.json"),
                                          "--miner-id",
                                          "1000",
                                          "--params-dir",
                                          scratch_.file("no-params"),
                                          "--out",
                                          scratch_.file("out.proof")};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const ProgramResult result = cuzk(arguments);
    EXPECT_FALSE(std::filesystem::exists(scratch_.file("out.proof")));
    return result;
  }
  static std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  static bool says_no_gpu(const std::string& text) {
    return text.find("no GPU") != std::string::npos || text.find("no CUDA backend") != std::string::npos;
  }

  ScratchFolder scratch_;
};

TEST_F(BackendOption, CudaWithoutAGpuIsOneLineAndExitCode3) {
  for (const std::vector<std::string>& flags : {std::vector<std::string>{"--backend", "cuda"},
                                                {"--backend", "cuda", "--gpu", "0"},
                                                {"--backend", "cuda", "--gpu", "GPU-1234"},
                                                {"--backend", "auto", "--gpu", "0"}}) {
    const ProgramResult result = prove(flags);
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    EXPECT_TRUE(says_no_gpu(result.err)) << result.err;
  }
}

TEST_F(BackendOption, AutoFallsBackToTheCpuAndSaysSo) {
  const ProgramResult result = prove({"--backend", "auto"});
  EXPECT_EQ(result.exit_code, 3) << result.err;  // of the parameters that are missing
  const std::size_t note = result.err.find("proving on the CPU: ");
  ASSERT_NE(note, std::string::npos) << result.err;
  EXPECT_TRUE(says_no_gpu(result.err.substr(note))) << result.err;
  EXPECT_NE(result.err.find("no-params"), std::string::npos) << result.err;
  EXPECT_EQ(lines(result.err), 2u) << result.err;
}

TEST_F(BackendOption, TheCpuTakesNoGpu) {
  const ProgramResult result = prove({"--gpu", "0"});
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(lines(result.err), 1u) << result.err;
  EXPECT_NE(result.err.find("--gpu 0"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace cuzk
