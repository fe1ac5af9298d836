// The log: one line an event whatever is in it, in both formats; rotation, reopening, levels; and what the engine's events become.
#include "daemon_log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "engine_log.h"

namespace cuzk {
namespace {

class DaemonLogs : public ::testing::Test {
 protected:
  DaemonLogs() {
    std::string name = (std::filesystem::temp_directory_path() / "cuzk-log-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
    folder_ = name;
    options_.file = folder_ / "cuzk.log";
  }
  ~DaemonLogs() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<DaemonLog> open() { return std::move(DaemonLog::create(options_)).value(); }
  static std::vector<std::string> lines_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

  std::filesystem::path folder_;
  LogOptions options_;
};

TEST_F(DaemonLogs, TextLinesHaveTimeLevelJobAndText) {
  auto log = open();
  log->write(LogLevel::info, "completed", "job-1");
  log->write(LogLevel::warning, "without a job");
  log->close();
  const auto lines = lines_of(options_.file);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(lines[0].ends_with(" info job=job-1 completed")) << lines[0];
  EXPECT_TRUE(lines[1].ends_with(" warning without a job")) << lines[1];
  EXPECT_EQ(lines[0].find('T'), 10u) << lines[0];
}

TEST_F(DaemonLogs, NothingThatAClientSendsMakesALineOfItsOwn) {
  const std::string hostile = std::string("a\nb\r\x1b[31m \"\\ \xff\xe2\x82\xac ", 18) + '\0' + "end";
  for (const bool json : {false, true}) {
    options_.json = json;
    auto log = open();
    log->write(LogLevel::error, hostile, hostile);
    log->close();
    const auto lines = lines_of(options_.file);
    ASSERT_EQ(lines.size(), 1u) << "json " << json;
    for (const char c : lines[0]) EXPECT_GE(static_cast<unsigned char>(c), 0x20u);
    if (json) {
      const auto object = nlohmann::json::parse(lines[0]);
      EXPECT_EQ(object["level"], "error");
      EXPECT_EQ(object["job_id"], object["message"]);
      EXPECT_EQ(object["message"].get<std::string>().substr(0, 3), "a\nb");
    }
    std::filesystem::remove(options_.file);
  }
}

TEST_F(DaemonLogs, LevelsBelowTheChosenOneAreLeftOut) {
  options_.level = LogLevel::warning;
  auto log = open();
  for (const LogLevel level :
       {LogLevel::trace, LogLevel::debug, LogLevel::info, LogLevel::warning, LogLevel::error})
    log->write(level, "x");
  log->close();
  EXPECT_EQ(lines_of(options_.file).size(), 2u);
}

TEST_F(DaemonLogs, FilesRotateAndOldOnesGo) {
  options_.max_bytes = 2000;
  options_.max_files = 2;
  auto log = open();
  for (int i = 0; i < 200; ++i) log->write(LogLevel::info, std::string(60, 'x'));
  log->close();
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    EXPECT_LE(entry.file_size(), 2000u) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 3u) << "the file and two that were renamed";
}

TEST_F(DaemonLogs, ReopensAfterSomebodyRenamedTheFile) {
  auto log = open();
  log->write(LogLevel::info, "before");
  // Wait until it is in the file: the rename must not come before.
  while (lines_of(options_.file).empty()) std::this_thread::yield();
  std::filesystem::rename(options_.file, folder_ / "old.log");
  ASSERT_TRUE(log->reopen().is_ok());
  log->write(LogLevel::info, "after");
  log->close();
  EXPECT_EQ(lines_of(folder_ / "old.log").size(), 1u);
  ASSERT_EQ(lines_of(options_.file).size(), 1u);
  EXPECT_TRUE(lines_of(options_.file)[0].ends_with(" info after"));
}

TEST_F(DaemonLogs, AFileThatCannotBeWrittenIsAnError) {
  options_.file = folder_;  // a folder is no file
  const auto log = DaemonLog::create(options_);
  ASSERT_FALSE(log.is_ok());
  EXPECT_EQ(log.status().code(), StatusCode::unavailable);
  EXPECT_NE(log.status().message().find(folder_.string()), std::string::npos);
}

TEST_F(DaemonLogs, ManyThreadsLoseNothing) {
  auto log = open();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) log->write(LogLevel::info, "line");
    });
  }
  for (std::thread& thread : threads) thread.join();
  log->close();
  EXPECT_EQ(lines_of(options_.file).size(), 2000u);
}

TEST_F(DaemonLogs, AFailureSaysWhatWhereAndWhetherToTryAgain) {
  auto log = open();
  EngineLog observer(*log, true, {"cuda", "cpu"});
  JobSnapshot job;
  job.job_id = "job-1";
  job.state = JobState::failed;
  job.error = JobError{StatusCode::not_satisfied, "validate", "sector 12: comm_r is wrong", false, {}};
  observer.job_changed(job);
  job.error->code = StatusCode::prover_fault;
  job.error->retryable = true;
  observer.job_changed(job);
  observer.span_ended(job, {"synth", 1, -1, 0, 5});
  observer.span_ended(job, {"ntt", 1, 0, 0, 5});
  observer.span_ended(job, {"ntt", 2, 1, 0, 5});
  observer.note(EngineObserver::Level::error, "GPU 0 is retired");
  log->close();
  const auto lines = lines_of(options_.file);
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_TRUE(lines[0].ends_with(
      " warning job=job-1 failed: not_satisfied in phase validate: sector 12: comm_r is wrong; "
      "trying again will not help"))
      << lines[0];
  EXPECT_NE(lines[1].find(" error job=job-1 failed: prover_fault"), std::string::npos)
      << "our fault is an error";
  EXPECT_TRUE(lines[2].ends_with(" info job=job-1 CUZK_TIMING phase=synth partition=1 ms=5.0")) << lines[2];
  EXPECT_TRUE(lines[3].ends_with(" CUZK_TIMING phase=ntt partition=1 gpu=0 ms=5.0")) << lines[3];
  EXPECT_TRUE(lines[4].ends_with(" CUZK_TIMING phase=ntt partition=2 worker=1 backend=cpu ms=5.0"))
      << lines[4];
  EXPECT_TRUE(lines[5].ends_with(" error GPU 0 is retired"));
  EXPECT_EQ(observer.num_events(), 6u);
}

TEST_F(DaemonLogs, TimingCanBeLeftOut) {
  auto log = open();
  EngineLog(*log, false, {}).span_ended({}, {"synth", 1, -1, 0, 5});
  log->close();
  EXPECT_TRUE(lines_of(options_.file).empty());
}

}  // namespace
}  // namespace cuzk
