// `cuzk-bench` as a script uses it: flags, exit codes, JSON, and proofs in its own process.
#include <gtest/gtest.h>

#include "cli_fixture.h"

namespace cuzk {
namespace {

constexpr const char* kRandomness = "b3929a15aefaadad1e512efabfda36bc6742d3beeeb8f8b5952440de717fe532";

using Arguments = std::vector<std::string>;

ProgramResult bench(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), CUZK_BENCH_PROGRAM);
  return run_program(arguments, {"CUZK_CACHE_DIR="});
}

std::vector<std::string> window_flags() {
  return {"--kind",
          "window",
          "--sector-size",
          "2KiB",
          "--randomness",
          kRandomness,
          "--vanilla",
          data_file("window-2KiB-1.vproof"),
          data_file("window-2KiB-2.vproof")};
}

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

TEST(BenchCli, WrongFlagsAreExitCode2) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"nothing"},
                                             {"ntt", "--log-n", "29"},
                                             {"ntt", "--log-n", "x"},
                                             {"msm", "--group", "g3"},
                                             {"msm", "--backend", "gpu"},
                                             {"synth", "--kind", "porep", "--sector-size", "3KiB"},
                                             {"proof", "--kind", "aggregate"},
                                             {"gpu", "--only", "everything"},
                                             {"single"},
                                             {"single", "--c1", "/nonexistent.json", "--in-process"},
                                             {"batch", "--count", "0"},
                                             {"get", "/nonexistent.json", "/a"}}) {
    const ProgramResult result = bench(arguments);
    EXPECT_EQ(result.exit_code, 2) << (arguments.empty() ? "" : arguments.back()) << ": " << result.err;
    EXPECT_FALSE(result.err.empty());
  }
}

TEST(BenchCli, WhatIsNotThereIsExitCode3) {
  const ProgramResult none = bench({"proof", "--kind", "window", "--params-dir", "/nonexistent", "--json"});
  EXPECT_EQ(none.exit_code, 3) << none.err;
  EXPECT_EQ(nlohmann::json::parse(none.out)["error"]["class"], "unavailable");
  const ProgramResult daemon =
      bench(joined({"single", "--server", "unix:/nonexistent.sock", "--connect-timeout", "0.2", "--json"},
                   window_flags()));
  EXPECT_EQ(daemon.exit_code, 3) << daemon.err;
  EXPECT_EQ(nlohmann::json::parse(daemon.out)["error"]["class"], "unavailable");
}

// Before a daemon is even looked for.
TEST(BenchCli, OutputThatCannotBeWrittenIsSaidBeforeTheWork) {
  for (const Arguments& flags :
       {Arguments{"single", "--timeline"}, {"single", "--out"}, {"batch", "--timeline"}}) {
    const ProgramResult result = bench(
        joined(joined(flags, {"/nonexistent/file", "--server", "unix:/nonexistent.sock"}), window_flags()));
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_NE(result.err.find("/nonexistent/file"), std::string::npos) << result.err;
  }
}

TEST(BenchCli, PrimitivesAreCheckedAndReported) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"ntt", "--log-n", "1", "12"},
                                             {"msm", "--log-n", "10"},
                                             {"msm", "--log-n", "10", "--scalars", "witness"},
                                             {"msm", "--log-n", "6", "--group", "g2"}}) {
    const ProgramResult result = bench(joined(arguments, {"--runs", "2", "--json"}));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto report = nlohmann::json::parse(result.out);
    EXPECT_FALSE(report["run"]["commit"].get<std::string>().empty());
    ASSERT_FALSE(report["results"].empty());
    for (const auto& line : report["results"]) {
      EXPECT_EQ(line["ok"], true);
      EXPECT_EQ(line["runs"], 2);
      EXPECT_LE(line["min_ms"], line["median_ms"]);
      EXPECT_LE(line["median_ms"], line["max_ms"]);
    }
  }
}

TEST(BenchCli, SynthesisIsCheckedAndCounted) {
  const ProgramResult result =
      bench({"synth", "--kind", "window", "--sector-size", "2KiB", "--runs", "1", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  const auto& one = report["cases"][0];
  EXPECT_EQ(one["ok"], true);
  EXPECT_GT(one["constraints"], 1000);
  const auto& counters = one["counters_of_last_run"];
  EXPECT_TRUE(!counters["instructions"].is_null() || counters["unavailable"].is_string());
}

TEST(BenchCli, GetPrintsOneValue) {
  const ScratchFolder scratch;
  write_text(scratch.file("a.json"), R"({"a": [{"b": "text"}, 2.5]})");
  EXPECT_EQ(bench({"get", scratch.file("a.json"), "/a/0/b"}).out, "text\n");
  EXPECT_EQ(bench({"get", scratch.file("a.json"), "/a/1"}).out, "2.5\n");
  const ProgramResult none = bench({"get", scratch.file("a.json"), "/a/7"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(none.out, "");
}

TEST(BenchCli, WholeProofsVerify) {
  const std::string params = test_parameters("window", "2KiB").directory;
  const ProgramResult result =
      bench({"proof", "--kind", "window", "--params-dir", params, "--proofs", "2", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["verified_proofs"], 3);
  EXPECT_EQ(report["ok"], true);
  EXPECT_GT(report["steady"]["phases_of_a_partition"]["msm_h"]["min_ms"], 0);
}

TEST(BenchCli, RepeatsAreThoseOfTheReferenceAndADifferenceShows) {
  const std::string params = test_parameters("window", "2KiB").directory;
  const auto repeat = [&](const std::string& expected) {
    return bench(
        joined({"repeat", "--params-dir", params, "--times", "3", "--expect", data_file(expected), "--json"},
               joined(window_flags(), {data_file("window-2KiB-3.vproof")})));
  };
  const ProgramResult right = repeat("window-2KiB.proof");
  ASSERT_EQ(right.exit_code, 0) << right.err;
  EXPECT_EQ(nlohmann::json::parse(right.out)["different"], 0);
  const ProgramResult wrong = repeat("windowv1-2KiB.proof");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(nlohmann::json::parse(wrong.out)["as_expected"], false);
}

TEST(BenchCli, JobsInThisProcessVerifyAndDrawATimeline) {
  const ScratchFolder scratch;
  const std::string params = test_parameters("window", "2KiB").directory;
  const std::vector<std::string> common = {"--in-process", "--backend", "cpu",
                                           "--params-dir", params,      "--verify"};
  const ProgramResult single = bench(joined(joined({"single"}, common), window_flags()));
  ASSERT_EQ(single.exit_code, 0) << single.err;
  EXPECT_EQ(single.out.find("=== Proof Result ===\nstatus:    COMPLETED\njob_id:    "), 0u) << single.out;
  EXPECT_NE(single.out.find("verified:  valid\n"), std::string::npos) << single.out;
  const ProgramResult batch = bench(joined(
      joined({"batch", "--count", "4", "--concurrency", "2", "--json", "--timeline", scratch.file("t.svg")},
             common),
      window_flags()));
  ASSERT_EQ(batch.exit_code, 0) << batch.err;
  const auto report = nlohmann::json::parse(batch.out);
  EXPECT_EQ(report["summary"]["by_status"]["COMPLETED"], 4);
  EXPECT_EQ(report["summary"]["invalid_proofs"], 0);
  const auto svg = read_file(scratch.file("t.svg"));
  EXPECT_NE(std::string(svg.begin(), svg.end()).find("msm_h: "), std::string::npos);
}

}  // namespace
}  // namespace cuzk
