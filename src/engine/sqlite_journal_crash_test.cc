// The journal against the world: a writer killed at random moments, a disk that is full, a folder that cannot be written to.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <map>
#include <random>

#include "engine/journal_test_support.h"
#include "engine/sqlite_database.h"

namespace cuzk {
namespace {

using JournalUnderFire = JournalTest;

// What the child reports: a number once accept() returned, and again with finished set once finish() did.
struct Report {
  unsigned number;
  bool finished;
};

[[noreturn]] void write_until_killed(const std::filesystem::path& path, unsigned first, int out) {
  auto journal = open_sqlite_journal(path);
  if (!journal.is_ok()) ::_exit(3);
  for (unsigned number = first;; ++number) {
    const JournalEntry entry = example_entry(number);
    if (!journal.value()->accept(entry).is_ok()) ::_exit(4);
    Report report{number, false};
    (void)!::write(out, &report, sizeof report);
    if (number % 3 == 0) continue;  // stays unfinished
    const JobSnapshot job = number % 3 == 1 ? completed_job(entry) : failed_job(entry);
    if (!journal.value()->finish(job).is_ok()) ::_exit(5);
    report.finished = true;
    (void)!::write(out, &report, sizeof report);
  }
}

std::vector<Report> run_and_kill(const std::filesystem::path& path, unsigned first, useconds_t after_us) {
  int pipe_ends[2];
  if (::pipe(pipe_ends) != 0) throw std::runtime_error("pipe");
  const pid_t child = ::fork();
  if (child == 0) write_until_killed(path, first, pipe_ends[1]);
  ::close(pipe_ends[1]);
  ::usleep(after_us);
  ::kill(child, SIGKILL);
  std::vector<Report> reports;
  for (Report report{}; ::read(pipe_ends[0], &report, sizeof report) == sizeof report;)
    reports.push_back(report);
  ::close(pipe_ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself with " << WEXITSTATUS(status);
  return reports;
}

unsigned number_of(const std::string& job_id) {
  return static_cast<unsigned>(std::stoul(job_id.substr(4)));
}

// What is in the journal: number -> whether finished. Every job must be as it was written, and there once.
std::map<unsigned, bool> read_present(Journal& journal) {
  std::map<unsigned, bool> present;
  const std::vector<JournalEntry> unfinished = journal.recover().value();
  for (const JournalEntry& entry : unfinished) {
    expect_equal(entry, example_entry(number_of(entry.job_id)));
    EXPECT_TRUE(present.emplace(number_of(entry.job_id), false).second) << "twice: " << entry.job_id;
  }
  const std::vector<JobSnapshot> finished = journal.recent(1'000'000).value();
  for (const JobSnapshot& job : finished) {
    const unsigned number = number_of(job.job_id);
    const JournalEntry entry = example_entry(number);
    const std::optional<JobSnapshot> whole = journal.find(job.job_id).value();
    expect_equal(*whole, number % 3 == 1 ? completed_job(entry) : failed_job(entry));
    EXPECT_TRUE(present.emplace(number, true).second) << "twice: " << job.job_id;
  }
  return present;
}

TEST_F(JournalUnderFire, KilledWritersLoseNothingThatTheyReported) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::uniform_int_distribution<useconds_t> delay_us(2000, 250'000);
  std::map<unsigned, bool> reported;  // number -> whether finished
  unsigned next = 0;
  for (int round = 0; round < 20 && !HasFailure(); ++round) {
    for (const Report& report : run_and_kill(path(), next, delay_us(random)))
      reported[report.number] = report.finished;
    const auto journal = open();
    const std::map<unsigned, bool> present = read_present(*journal);
    for (const auto& [number, finished] : reported) {
      const auto found = present.find(number);
      ASSERT_NE(found, present.end()) << "job " << number << " was accepted and is gone";
      if (finished) {
        EXPECT_TRUE(found->second) << "the outcome of job " << number << " was written and is gone";
      }
    }
    // An accept may have become durable without the child's having said so.
    if (!present.empty()) next = present.rbegin()->first + 1;
  }
  EXPECT_GT(reported.size(), 50u) << "the kills came too early to show anything";
}

// Runs `body` in a child process, which may change its mounts and its user; the child's failure is the caller's.
void in_child(const std::function<std::string()>& body) {
  int pipe_ends[2];
  ASSERT_EQ(::pipe(pipe_ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string complaint = body();
    (void)!::write(pipe_ends[1], complaint.data(), complaint.size());
    ::_exit(0);
  }
  ::close(pipe_ends[1]);
  std::string complaint;
  char buffer[512];
  for (ssize_t n; (n = ::read(pipe_ends[0], buffer, sizeof buffer)) > 0;)
    complaint.append(buffer, static_cast<std::size_t>(n));
  ::close(pipe_ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "the child was ended by signal " << WTERMSIG(status);
  if (complaint.starts_with("skip: ")) GTEST_SKIP() << complaint.substr(6);
  EXPECT_EQ(complaint, "");
}

std::string fill_small_disk(const std::filesystem::path& folder) {
  if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
    return "skip: this user may not make a mount namespace";
  ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  if (::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=4m") != 0) return "skip: tmpfs cannot be mounted";
  auto opened = open_sqlite_journal(folder / "journal.db");
  if (!opened.is_ok()) return opened.status().message();
  Journal& journal = *opened.value();
  JournalEntry large = example_entry(1);
  large.request.vanilla_proofs.assign(1, std::string(8'000'000, 'x'));
  for (int attempt = 0; attempt < 3; ++attempt) {
    const Status refused = journal.accept(large);
    if (refused.code() != StatusCode::resource_exhausted) return "a full disk gave " + refused.to_string();
    if (refused.message().find((folder / "journal.db").string()) == std::string::npos)
      return "the file is not named: " + refused.message();
  }
  if (!journal.recover().value().empty()) return "a refused job is in the journal";
  const JournalEntry small = example_entry(2);
  if (Status accepted = journal.accept(small); !accepted.is_ok()) return accepted.message();
  if (Status finished = journal.finish(completed_job(small)); !finished.is_ok()) return finished.message();
  return "";
}

TEST_F(JournalUnderFire, AFullDiskIsResourceExhaustedAndTheJournalLivesOn) {
  in_child([&] { return fill_small_disk(folder()); });
}

TEST_F(JournalUnderFire, AFullDatabaseIsResourceExhausted) {
  open();
  auto database = SqliteDatabase::open(path(), SqliteDatabase::Access::write);
  ASSERT_TRUE(database.is_ok());
  ASSERT_TRUE(database.value().query_int("PRAGMA max_page_count = 20").is_ok());
  const Status full = database.value().execute(
      "INSERT INTO job (job_id, request_id, content_digest, accepted_at_ms, kind, sector_size, "
      "registered_proof, sector_number, miner_id, randomness, partition_index, comm_r_old, comm_r_new, "
      "comm_d_new) "
      "VALUES ('a', '', x'', 0, 'porep', 0, 0, 0, 0, zeroblob(1000000), 0, x'', x'', x'')");
  EXPECT_EQ(full.code(), StatusCode::resource_exhausted) << full.message();
  EXPECT_NE(full.message().find(path().string()), std::string::npos) << full.message();
}

// As an ordinary user, for whom modes hold.
std::string open_in_read_only_folder(const std::filesystem::path& folder) {
  if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0))
    return "skip: setuid is not allowed";
  for (const auto& path : {folder / "journal.db", folder / "new" / "journal.db"}) {
    const auto opened = open_sqlite_journal(path);
    if (opened.is_ok()) return path.string() + " was opened";
    const Status& status = opened.status();
    if (status.code() != StatusCode::unavailable) return "wrong class: " + status.to_string();
    if (status.message().find("Permission denied") == std::string::npos ||
        status.message().find(folder.string()) == std::string::npos)
      return "unclear: " + status.message();
  }
  return "";
}

TEST_F(JournalUnderFire, AReadOnlyFolderIsUnavailable) {
  ASSERT_EQ(::chmod(folder().c_str(), 0555), 0);
  in_child([&] { return open_in_read_only_folder(folder()); });
  ASSERT_EQ(::chmod(folder().c_str(), 0755), 0);
}

TEST_F(JournalUnderFire, ALockHeldByAnotherProcessNamesItsPid) {
  int pipe_ends[2];
  ASSERT_EQ(::pipe(pipe_ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto journal = open_sqlite_journal(path());
    (void)!::write(pipe_ends[1], "r", 1);
    ::pause();
    ::_exit(0);
  }
  char ready = 0;
  ASSERT_EQ(::read(pipe_ends[0], &ready, 1), 1);
  const auto refused = open_sqlite_journal(path());
  ASSERT_FALSE(refused.is_ok());
  EXPECT_EQ(refused.status().code(), StatusCode::unavailable);
  EXPECT_NE(refused.status().message().find("pid " + std::to_string(child)), std::string::npos)
      << refused.status().message();
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_NE(open(), nullptr) << "a killed holder leaves no lock behind";
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
}

}  // namespace
}  // namespace cuzk
