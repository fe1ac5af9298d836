// Clients against the daemon as a user runs both: cuzk-bench, and the example in Python. A window PoSt of 2 KiB is proved by each, and every
// proof is verified by `cuzk`, against the inputs of its own request.
#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "cli_fixture.h"
#include "daemon_process.h"

namespace cuzk {
namespace {

constexpr const char* kRandomness = "b3929a15aefaadad1e512efabfda36bc6742d3beeeb8f8b5952440de717fe532";

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

class DaemonClients : public testing::Test {
 protected:
  void SetUp() override {
    const TestParameters& parameters = test_parameters("window", "2KiB");
    ASSERT_EQ(parameters.setup.exit_code, 0) << parameters.setup.err;
    params_ = parameters.directory;
    daemon_.emplace(quiet_daemon_flags(scratch_.path().string(), params_));
    ASSERT_NE(daemon_->grpc_port(), 0) << daemon_->log();
    server_ = "127.0.0.1:" + std::to_string(daemon_->grpc_port());
  }
  void TearDown() override {
    daemon_->send(SIGTERM);
    EXPECT_EQ(daemon_->wait_for_exit(), 0) << daemon_->log();
  }

  static std::vector<std::string> input() {
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
  ProgramResult bench(const std::string& command, const std::vector<std::string>& flags) const {
    return run_program(joined({CUZK_BENCH_PROGRAM, command, "--server", server_}, flags),
                       {"CUZK_CACHE_DIR="});
  }
  ProgramResult python(const std::vector<std::string>& flags) const {
    const std::string stubs = scratch_.file("stubs");
    const ProgramResult made = run_program({CUZK_EXAMPLES "/python/generate", stubs});
    if (made.exit_code != 0) return made;
    return run_program(
        joined({"/usr/bin/python3", CUZK_EXAMPLES "/python/submit_proof.py", "--server", server_}, flags),
        {"CUZK_PYTHON_STUBS=" + stubs});
  }
  // The daemon again, at the same port with the same journal.
  void restart() {
    auto flags = quiet_daemon_flags(scratch_.path().string(), params_);
    flags[1] = server_;
    daemon_.emplace(flags);
  }
  int verify(const std::string& proof) const {
    return cuzk(joined({"verify", "--params-dir", params_, "--proof", proof}, input())).exit_code;
  }

  ScratchFolder scratch_;
  std::string params_;
  std::string server_;
  std::optional<DaemonProcess> daemon_;
};

TEST_F(DaemonClients, CuzkBenchProves) {
  const std::string proof = scratch_.file("proof");
  const ProgramResult single = bench("single", joined({"--params-dir", params_, "--verify", "--out", proof,
                                                       "--timeline", scratch_.file("t.svg")},
                                                      input()));
  ASSERT_EQ(single.exit_code, 0) << single.err << daemon_->log();
  EXPECT_EQ(single.out.find("=== Proof Result ===\nstatus:    COMPLETED\njob_id:    "), 0u) << single.out;
  EXPECT_NE(single.out.find("proof:     192 bytes (hex: "), std::string::npos) << single.out;
  EXPECT_EQ(verify(proof), 0);
  EXPECT_GT(std::filesystem::file_size(scratch_.file("t.svg")), 1000u);

  const ProgramResult batch = bench(
      "batch",
      joined({"--count", "6", "--concurrency", "3", "--params-dir", params_, "--verify", "--json"}, input()));
  ASSERT_EQ(batch.exit_code, 0) << batch.err;
  const auto report = nlohmann::json::parse(batch.out);
  EXPECT_EQ(report["summary"]["by_status"]["COMPLETED"], 6);
  EXPECT_EQ(report["summary"]["invalid_proofs"], 0);

  const ProgramResult jobs = bench("jobs", {"--json"});
  EXPECT_EQ(nlohmann::json::parse(jobs.out)["jobs"].size(), 7u) << jobs.out << jobs.err;
  const ProgramResult status = bench("status", {"--json"});
  EXPECT_EQ(nlohmann::json::parse(status.out)["proofs_completed"], 7) << status.out << status.err;
}

TEST_F(DaemonClients, ABatchOutlivesItsDaemon) {
  ProgramResult batch;
  std::jthread client([&] {
    batch =
        bench("batch",
              joined({"--count", "12", "--concurrency", "3", "--params-dir", params_, "--verify", "--json"},
                     input()));
  });
  EXPECT_TRUE(daemon_->wait_for_line(" completed: ")) << daemon_->log();
  daemon_->send(SIGKILL);
  EXPECT_EQ(daemon_->wait_for_exit(), 128 + SIGKILL);
  restart();
  client.join();
  ASSERT_EQ(batch.exit_code, 0) << batch.err << daemon_->log();
  const auto summary = nlohmann::json::parse(batch.out)["summary"];
  EXPECT_EQ(summary["by_status"]["COMPLETED"], 12) << summary;
  EXPECT_EQ(summary["invalid_proofs"], 0);
  EXPECT_GE(summary["retries"], 1) << "it was asked for again";
}

TEST_F(DaemonClients, AnInterruptedBatchCancelsItsJobs) {
  const std::string pid_file = scratch_.file("pid");
  std::jthread interrupter([&] {
    EXPECT_TRUE(daemon_->wait_for_line(" completed: ")) << daemon_->log();
    const auto pid = read_file(pid_file);
    ::kill(std::stoi(std::string(pid.begin(), pid.end())), SIGINT);
  });
  const ProgramResult batch =
      run_program(joined({"/bin/sh", "-c", "echo $$ >\"$0\"; exec \"$@\"", pid_file, CUZK_BENCH_PROGRAM,
                          "batch", "--server", server_, "--count", "100000", "--concurrency", "2", "--json"},
                         input()),
                  {"CUZK_CACHE_DIR="});
  EXPECT_EQ(batch.exit_code, 130) << batch.err;
  EXPECT_GT(nlohmann::json::parse(batch.out)["summary"]["jobs"], 0);
  const auto unfinished = [&] {
    int count = 0;
    for (const auto& job : nlohmann::json::parse(bench("jobs", {"--json"}).out)["jobs"])
      count += job["finished_at_ms"] == 0;
    return count;
  };
  for (int i = 0; i < 300 && unfinished() > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(unfinished(), 0);
}

TEST_F(DaemonClients, CuzkBenchSaysWhatIsWrong) {
  EXPECT_EQ(bench("cancel", {"no-such-job"}).exit_code, 2);
  EXPECT_EQ(bench("watch", {"no-such-job"}).exit_code, 2);
  EXPECT_EQ(bench("preload", {"no-such-circuit"}).exit_code, 2);
  EXPECT_EQ(bench("validate", input()).exit_code, 0);
  auto other_randomness = input();
  other_randomness[5][0] = 'c';
  const ProgramResult invalid = bench("validate", joined(other_randomness, {"--json"}));
  EXPECT_EQ(invalid.exit_code, 2) << invalid.err;
  EXPECT_EQ(nlohmann::json::parse(invalid.out)["verdict"], "invalid");
  EXPECT_EQ(bench("drain", {}).exit_code, 0);
  const ProgramResult refused = bench("single", joined({"--retries", "0"}, input()));
  EXPECT_EQ(refused.exit_code, 3) << refused.out;
  EXPECT_EQ(bench("undrain", {}).exit_code, 0);
  EXPECT_EQ(bench("single", input()).exit_code, 0);
}

TEST_F(DaemonClients, TheExampleInPythonProves) {
  const std::string proof = scratch_.file("python.proof");
  const ProgramResult proved = python(joined({"--out", proof, "--request-id", "once"}, input()));
  ASSERT_EQ(proved.exit_code, 0) << proved.err << daemon_->log();
  EXPECT_EQ(proved.out.find("=== Proof Result ===\nstatus:    COMPLETED\n"), 0u) << proved.out;
  EXPECT_EQ(verify(proof), 0);
  // The same request again is the same job, and so the same proof.
  const std::string again = scratch_.file("again.proof");
  ASSERT_EQ(python(joined({"--out", again, "--request-id", "once"}, input())).exit_code, 0);
  EXPECT_EQ(read_file(again), read_file(proof));
  auto other = input();
  other.pop_back();
  const ProgramResult conflict = python(joined({"--request-id", "once"}, other));
  EXPECT_EQ(conflict.exit_code, 2) << conflict.err;
  EXPECT_NE(conflict.err.find("ALREADY_EXISTS"), std::string::npos) << conflict.err;
  const ProgramResult missing = python({"--sector-size", "2KiB", "--c1", "/nonexistent"});
  EXPECT_EQ(missing.exit_code, 2) << missing.err;
}

}  // namespace
}  // namespace cuzk
