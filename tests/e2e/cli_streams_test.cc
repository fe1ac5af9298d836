// `cuzk` where its streams or its disk do not take what it writes: never a success, never half a file, never text in a file of another.
#include <gtest/gtest.h>

#include <map>

#include "cli_fixture.h"

namespace cuzk {
namespace {

using Arguments = std::vector<std::string>;

const char* const kC1 = "c1-2KiB-v1_1-1.json";

// Each command that needs no parameters, and prints.
std::vector<Arguments> quick_commands(const ScratchFolder& scratch) {
  return {{"--help"},
          {"--version"},
          {"prove", "--help"},
          {"inspect", data_file(kC1)},
          {"inspect", data_file(kC1), "--json"},
          {"validate", "--c1", data_file(kC1)},
          {"circuits", "--circuit", "window", "--sector-size", "2KiB"},
          {"r1cs", "--circuit", "window", "--sector-size", "2KiB", "--no-digest"},
          {"gen", "--kind", "window", "--sector-size", "2KiB", "--out", scratch.file("w.vproof")}};
}

TEST(Streams, OutputThatDoesNotArriveIsAFailure) {
  const ScratchFolder scratch;
  for (const Arguments& arguments : quick_commands(scratch)) {
    SCOPED_TRACE(arguments.front());
    EXPECT_EQ(cuzk(arguments).exit_code, 0);
    for (const char* redirection : {">/dev/full", ">&-"}) {
      const ProgramResult result = cuzk_redirected(redirection, arguments);
      EXPECT_EQ(result.exit_code, 1) << redirection;
      EXPECT_NE(result.err.find("standard output cannot be written"), std::string::npos) << result.err;
    }
  }
}

TEST(Streams, AFailureKeepsItsCodeWithoutStandardOutput) {
  EXPECT_EQ(cuzk_redirected(">/dev/full", {"inspect", data_file("no-such-file"), "--json"}).exit_code, 2);
}

// Standard error is closed, so the next file that is opened would get its number.
TEST(Streams, NothingIsPrintedIntoFiles) {
  const ScratchFolder scratch;
  std::map<std::string, std::string> digests;
  for (const std::string redirection : {"", ">&- 2>&-", "2>&-"}) {
    const std::string folder = scratch.file("params" + std::to_string(digests.size()));
    (void)cuzk_redirected(redirection, {"setup", "--circuit", "window", "--sector-size", "2KiB",
                                        "--params-dir", folder, "--timing"});
    std::string files;
    for (const char* extension : {".params", ".vk", ".meta"}) {
      for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == extension) files += sha256_of_file(entry.path()) + ' ';
      }
    }
    digests[redirection] = files;
  }
  EXPECT_EQ(digests[""].size(), 3 * 65u);
  for (const auto& [redirection, files] : digests) EXPECT_EQ(files, digests[""]) << redirection;
}

TEST(Streams, AReaderThatGoesAwayDoesNotCostTheFile) {
  const ScratchFolder scratch;
  (void)cuzk_redirected("| head -c 1 >&2", {"gen", "--kind", "winning", "--sector-size", "2KiB", "--out",
                                            scratch.file("w.vproof")});
  EXPECT_EQ(cuzk({"inspect", scratch.file("w.vproof")}).exit_code, 0);
}

TEST(Streams, AFileMayBeAStream) {
  const ScratchFolder scratch;
  const Arguments gen = {"gen", "--kind", "winning", "--sector-size", "2KiB", "--seed", "7", "--out"};
  Arguments to_file = gen, to_stream = gen;
  to_file.push_back(scratch.file("file"));
  to_stream.push_back("/dev/fd/3");
  ASSERT_EQ(cuzk(to_file).exit_code, 0);
  const ProgramResult streamed = cuzk_redirected("3>\"" + scratch.file("stream") + "\"", to_stream);
  ASSERT_EQ(streamed.exit_code, 0) << streamed.err;
  EXPECT_EQ(read_file(scratch.file("stream")), read_file(scratch.file("file")));
}

TEST(Streams, AFullDiskLeavesNoFile) {
  const ScratchFolder scratch;
  const std::string out = scratch.file("out");
  for (const char* kind : {"porep", "winning", "window", "update"}) {
    const ProgramResult result =
        cuzk_on_full_disk(512, {"gen", "--kind", kind, "--sector-size", "2KiB", "--out", out});
    EXPECT_EQ(result.exit_code, 1) << kind << result.err;
    EXPECT_NE(result.err.find(out), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("File too large"), std::string::npos) << result.err;
    EXPECT_TRUE(std::filesystem::is_empty(scratch.path())) << kind;
  }
}

TEST(Interrupt, LeavesNothingBehind) {
  const ScratchFolder scratch;
  for (const char* folder : {"params", "out"}) std::filesystem::create_directory(scratch.file(folder));
  const ProgramResult setup =
      cuzk_interrupted(2, {"--threads", "1", "setup", "--circuit", "porep", "--sector-size", "2KiB",
                           "--params-dir", scratch.file("params")});
  EXPECT_EQ(setup.exit_code, 130) << setup.err;
  EXPECT_TRUE(std::filesystem::is_empty(scratch.file("params")));

  const std::string params = test_parameters("porep", "2KiB").directory;
  const ProgramResult prove =
      cuzk_interrupted(1, {"--threads", "1", "prove", "--c1", data_file(kC1), "--miner-id", "1000",
                           "--params-dir", params, "--out", scratch.file("out/proof")});
  EXPECT_EQ(prove.exit_code, 130) << prove.err;
  EXPECT_TRUE(std::filesystem::is_empty(scratch.file("out")));
}

TEST(Streams, AFolderIsNoOutput) {
  const ScratchFolder scratch;
  const ProgramResult result = cuzk({"prove", "--c1", data_file(kC1), "--miner-id", "1000", "--params-dir",
                                     scratch.file("no-params"), "--out", scratch.path().string()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("is a folder"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace cuzk
