// The journal against its promises: what it took it gives back to the last byte, also after a kill at any moment; it refuses what is
// no journal of its version; and a failure names the file and leaves the journal usable.
#include "engine/sqlite_journal.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "engine/journal_test_support.h"
#include "engine/sqlite_database.h"

namespace cuzk {
namespace {

using Journals = JournalTest;

TEST_F(Journals, GivesBackWhatItTook) {
  const JournalEntry entry = example_entry(7);
  {
    const auto journal = open();
    ASSERT_TRUE(journal->accept(entry).is_ok());
  }
  const auto journal = open();
  const auto recovered = journal->recover();
  ASSERT_TRUE(recovered.is_ok()) << recovered.status().message();
  ASSERT_EQ(recovered.value().size(), 1u);
  expect_equal(recovered.value()[0], entry);
  EXPECT_FALSE(journal->find(entry.job_id).value().has_value())
      << "an unfinished job is not among the finished";
}

TEST_F(Journals, EveryKindOfRequestSurvives) {
  const auto journal = open();
  std::vector<JournalEntry> entries;
  for (unsigned i = 0; i < 12; ++i) entries.push_back(example_entry(i));
  entries[3].request.vanilla_proofs[1].clear();  // an empty element keeps its place
  entries[4].request.request_id = std::string("a\0b", 3);
  entries[5].request.miner_id = ~std::uint64_t{0};
  entries[6].request.priority.reset();
  for (const JournalEntry& entry : entries) ASSERT_TRUE(journal->accept(entry).is_ok());
  const auto recovered = journal->recover();
  ASSERT_TRUE(recovered.is_ok());
  ASSERT_EQ(recovered.value().size(), entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) expect_equal(recovered.value()[i], entries[i]);
}

TEST_F(Journals, FinishedJobsKeepTheirOutcome) {
  const JournalEntry entries[] = {example_entry(1), example_entry(2), example_entry(3)};
  const JobSnapshot outcomes[] = {completed_job(entries[0]), failed_job(entries[1]),
                                  cancelled_job(entries[2])};
  {
    const auto journal = open();
    for (const JournalEntry& entry : entries) ASSERT_TRUE(journal->accept(entry).is_ok());
    for (const JobSnapshot& job : outcomes) {
      const Status finished = journal->finish(job);
      ASSERT_TRUE(finished.is_ok()) << finished.message();
    }
  }
  const auto journal = open();
  EXPECT_TRUE(journal->recover().value().empty());
  for (const JobSnapshot& job : outcomes) {
    const auto found = journal->find(job.job_id);
    ASSERT_TRUE(found.is_ok()) << found.status().message();
    ASSERT_TRUE(found.value().has_value());
    expect_equal(*found.value(), job);
  }
  EXPECT_FALSE(journal->find("no such job").value().has_value());
}

TEST_F(Journals, FinishIsForUnfinishedJobsOnly) {
  const auto journal = open();
  const JournalEntry entry = example_entry(1);
  EXPECT_EQ(journal->finish(completed_job(entry)).code(), StatusCode::internal) << "never accepted";
  ASSERT_TRUE(journal->accept(entry).is_ok());
  EXPECT_EQ(journal->accept(entry).code(), StatusCode::internal) << "the same job id twice";
  ASSERT_TRUE(journal->finish(completed_job(entry)).is_ok());
  EXPECT_EQ(journal->finish(failed_job(entry)).code(), StatusCode::internal) << "a job ends once";
  EXPECT_EQ(journal->find(entry.job_id).value()->state, JobState::completed);
}

TEST_F(Journals, KnowsRequestsByTheirId) {
  const auto journal = open();
  JournalEntry entry = example_entry(1);
  ASSERT_TRUE(journal->accept(entry).is_ok());
  const auto running = journal->find_request(entry.request.request_id).value();
  ASSERT_TRUE(running.has_value());
  EXPECT_EQ(running->job_id, entry.job_id);
  EXPECT_EQ(running->content_digest, entry.request.content_digest());
  ASSERT_TRUE(journal->finish(completed_job(entry)).is_ok());
  EXPECT_EQ(journal->find_request(entry.request.request_id).value()->job_id, entry.job_id);

  JournalEntry again = example_entry(2);
  again.request.request_id = entry.request.request_id;
  ASSERT_TRUE(journal->accept(again).is_ok());
  EXPECT_EQ(journal->find_request(entry.request.request_id).value()->job_id, again.job_id) << "the last one";

  JournalEntry anonymous = example_entry(3);
  anonymous.request.request_id.clear();
  ASSERT_TRUE(journal->accept(anonymous).is_ok());
  EXPECT_FALSE(journal->find_request("").value().has_value());
  EXPECT_FALSE(journal->find_request("unheard of").value().has_value());
}

// Which job had an id last, and how it ended: with both, the engine knows whether the id is free.
TEST_F(Journals, SaysHowTheLastJobOfARequestIdEnded) {
  JournalEntry failed = example_entry(1), cancelled = example_entry(2), next = example_entry(3);
  failed.request.request_id = cancelled.request.request_id = next.request.request_id = "the id";
  const auto last = [](Journal& journal) {
    const std::string id = journal.find_request("the id").value()->job_id;
    return journal.find(id).value();
  };
  auto journal = open();
  ASSERT_TRUE(journal->accept(failed).is_ok());
  EXPECT_FALSE(last(*journal).has_value()) << "runs";
  ASSERT_TRUE(journal->finish(failed_job(failed)).is_ok());
  EXPECT_EQ(last(*journal)->state, JobState::failed);
  ASSERT_TRUE(journal->accept(cancelled).is_ok());
  ASSERT_TRUE(journal->finish(cancelled_job(cancelled)).is_ok());
  journal.reset();
  journal = open();
  EXPECT_EQ(last(*journal)->state, JobState::cancelled);
  ASSERT_TRUE(journal->accept(next).is_ok());
  EXPECT_FALSE(last(*journal).has_value()) << "runs";
  ASSERT_TRUE(journal->finish(completed_job(next)).is_ok());
  journal.reset();
  journal = open();
  EXPECT_EQ(last(*journal)->job_id, next.job_id);
  EXPECT_EQ(journal->find(failed.job_id).value()->state, JobState::failed);
}

TEST_F(Journals, AThousandJobsFinishAndAreForgotten) {
  const auto journal = open();
  for (unsigned i = 0; i < 1000; ++i) {
    const JournalEntry entry = example_entry(i);
    ASSERT_TRUE(journal->accept(entry).is_ok());
    JobSnapshot job = i % 10 == 3 ? failed_job(entry) : completed_job(entry);
    job.finished_at_ms = 1'000'000 + i;
    ASSERT_TRUE(journal->finish(job).is_ok());
  }
  ASSERT_TRUE(journal->accept(example_entry(5000)).is_ok());
  const auto recent = journal->recent(50).value();
  ASSERT_EQ(recent.size(), 50u);
  for (unsigned i = 0; i < 50; ++i) {
    EXPECT_EQ(recent[i].finished_at_ms, 1'000'999 - i);
    EXPECT_TRUE(recent[i].proof.empty());
    EXPECT_TRUE(recent[i].spans.empty());
  }
  EXPECT_EQ(journal->forget_before(1'000'400).value(), 400u);
  EXPECT_EQ(journal->forget_before(1'000'400).value(), 0u);
  EXPECT_EQ(journal->recent(10'000).value().size(), 600u);
  EXPECT_FALSE(journal->find(example_entry(399).job_id).value().has_value());
  EXPECT_TRUE(journal->find(example_entry(400).job_id).value().has_value());
  EXPECT_FALSE(journal->find_request(example_entry(399).request.request_id).value().has_value());
  EXPECT_EQ(journal->forget_before(INT64_MAX).value(), 600u);
  EXPECT_EQ(journal->recover().value().size(), 1u) << "an unfinished job is never forgotten";
}

struct LargeRequestTimes {
  double accept_ms = 0;
  unsigned reads = 0;  // of another job, while it was accepted
  double longest_read_ms = 0;
  double finish_ms = 0;

  bool nobody_waited() const { return reads > 3 && longest_read_ms < accept_ms / 2; }
  bool finish_is_short() const { return finish_ms < accept_ms / 2; }
};

// Accepts and finishes a job of 100 MB while `small`, which has ended, is read again and again.
LargeRequestTimes time_large_request(Journal& journal, const std::filesystem::path& path,
                                     const std::string& small, unsigned number) {
  JournalEntry large = example_entry(number);
  large.request.vanilla_proofs.assign(100, std::string(1'000'000, 'x'));
  LargeRequestTimes times;
  std::atomic<bool> is_done = false;
  const Stopwatch writing;
  std::thread writer([&] {
    EXPECT_TRUE(journal.accept(large).is_ok());
    is_done = true;
  });
  while (!is_done) {
    const Stopwatch reading;
    EXPECT_TRUE(journal.find(small).value().has_value());
    times.longest_read_ms = std::max(times.longest_read_ms, reading.elapsed_ms());
    ++times.reads;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  writer.join();
  times.accept_ms = writing.elapsed_ms();
  // Lets the copy into the database end, which keeps the disk busy.
  auto other = SqliteDatabase::open(path, SqliteDatabase::Access::write);
  EXPECT_TRUE(other.value().execute("PRAGMA wal_checkpoint(FULL)").is_ok());
  const Stopwatch finishing;
  EXPECT_TRUE(journal.finish(completed_job(large)).is_ok());
  times.finish_ms = finishing.elapsed_ms();
  std::printf("accept %.0f ms, %u reads meanwhile, the longest %.1f ms; finish %.1f ms\n", times.accept_ms,
              times.reads, times.longest_read_ms, times.finish_ms);
  return times;
}

// 100 MB on their way to the disk must not keep a client that asks for a result, and what they leave behind is small. Who waits for the
// writer does so every time; whom a loaded machine holds up, not five times.
TEST_F(Journals, LargeRequestsDoNotKeepReadersWaiting) {
  const auto journal = open();
  const JournalEntry small = example_entry(1);
  ASSERT_TRUE(journal->accept(small).is_ok());
  ASSERT_TRUE(journal->finish(completed_job(small)).is_ok());
  bool nobody_waited = false, finish_is_short = false;
  for (unsigned i = 0; i < 5 && !(nobody_waited && finish_is_short); ++i) {
    const LargeRequestTimes times = time_large_request(*journal, path(), small.job_id, 2 + i);
    nobody_waited |= times.nobody_waited();
    finish_is_short |= times.finish_is_short();
  }
  EXPECT_TRUE(nobody_waited) << "a reader waited for the writer";
  EXPECT_TRUE(finish_is_short) << "dropping vanilla proofs must not read or overwrite them";
}

TEST_F(Journals, SpaceOfLargeRequestsIsGivenBack) {
  const auto journal = open();
  JournalEntry large = example_entry(2);
  large.request.vanilla_proofs.assign(1, std::string(150'000'000, 'x'));
  ASSERT_TRUE(journal->accept(large).is_ok());
  ASSERT_TRUE(journal->finish(completed_job(large)).is_ok());
  const auto pages = [&] {
    auto other = SqliteDatabase::open(path(), SqliteDatabase::Access::read);
    return other.value().query_int("PRAGMA page_count").value();
  };
  EXPECT_GT(pages(), 9000);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(journal->forget_before(0).is_ok());
  EXPECT_LT(pages(), 4200);
  EXPECT_TRUE(journal->find(large.job_id).value().has_value());
}

TEST_F(Journals, FileIsPrivateAndHeldByOneProcess) {
  const auto journal = open();
  struct stat info {};
  for (const char* suffix : {"", "-wal", "-shm", ".lock"}) {
    ASSERT_EQ(::stat((path().string() + suffix).c_str(), &info), 0) << suffix;
    EXPECT_EQ(info.st_mode & 0777, 0600u) << suffix;
  }
  const auto second = open_sqlite_journal(path());
  ASSERT_FALSE(second.is_ok());
  EXPECT_EQ(second.status().code(), StatusCode::unavailable);
  EXPECT_NE(second.status().message().find("pid " + std::to_string(::getpid())), std::string::npos)
      << second.status().message();
  EXPECT_TRUE(journal->accept(example_entry(1)).is_ok()) << "the refused opening must not harm the holder";
}

TEST_F(Journals, CreatesItsFolder) {
  set_path(folder() / "a" / "b" / "journal.db");
  EXPECT_NE(open(), nullptr);
}

void expect_refused_untouched(const std::filesystem::path& path, const std::string& part_of_message) {
  const std::string before = read_all(path);
  const auto journal = open_sqlite_journal(path);
  ASSERT_FALSE(journal.is_ok());
  EXPECT_EQ(journal.status().code(), StatusCode::unavailable) << journal.status().message();
  EXPECT_NE(journal.status().message().find(path.string()), std::string::npos) << journal.status().message();
  EXPECT_NE(journal.status().message().find(part_of_message), std::string::npos)
      << journal.status().message();
  EXPECT_EQ(read_all(path), before);
}

void execute(const std::filesystem::path& path, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
}

TEST_F(Journals, OtherFilesAreRefusedAndLeftAsTheyAre) {
  std::ofstream(path()) << std::string(5000, 'x');
  expect_refused_untouched(path(), "not a database");
  set_path(folder() / "foreign.db");
  execute(path(), "CREATE TABLE t (x)");
  expect_refused_untouched(path(), "another program");
  set_path(folder() / "future.db");
  open();
  execute(path(), "PRAGMA user_version = 2");
  expect_refused_untouched(path(), "schema version 2");
  set_path(folder() / "folder");
  std::filesystem::create_directory(path());
  EXPECT_EQ(open_sqlite_journal(path()).status().code(), StatusCode::unavailable);
}

// Every page damaged in turn: each is either found at once or does no harm; none crashes.
TEST_F(Journals, DamageIsFound) {
  {
    const auto journal = open();
    for (unsigned i = 0; i < 30; ++i) {
      ASSERT_TRUE(journal->accept(example_entry(i)).is_ok());
      if (i % 2 == 0) {
        ASSERT_TRUE(journal->finish(completed_job(example_entry(i))).is_ok());
      }
    }
  }
  const std::string whole = read_all(path());
  unsigned refused = 0, pages = 0;
  for (std::size_t page = 0; page * 16384 < whole.size(); ++page, ++pages) {
    std::string damaged = whole;
    for (std::size_t i = page * 16384; i < (page + 1) * 16384; i += 7) damaged[i] = static_cast<char>(i * 31);
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << damaged;
    const auto journal = open_sqlite_journal(path());
    if (journal.is_ok()) {
      (void)journal.value()->recover().is_ok();
      (void)journal.value()->recent(100).is_ok();
      continue;
    }
    ++refused;
    EXPECT_EQ(journal.status().code(), StatusCode::unavailable) << journal.status().message();
    EXPECT_NE(journal.status().message().find(path().string()), std::string::npos);
  }
  EXPECT_GT(pages, 5u);
  EXPECT_GT(refused, pages / 2);
  for (const std::size_t length :
       {std::size_t{1}, std::size_t{100}, whole.size() / 2, whole.size() - 16384}) {
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << whole.substr(0, length);
    EXPECT_FALSE(open_sqlite_journal(path()).is_ok()) << "cut to " << length;
  }
}

TEST_F(Journals, ManyThreadsAtOnce) {
  const auto journal = open();
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < 25; ++i) {
        const JournalEntry entry = example_entry(t * 100 + i);
        EXPECT_TRUE(journal->accept(entry).is_ok());
        EXPECT_TRUE(journal->find_request(entry.request.request_id).value().has_value());
        EXPECT_TRUE(journal->finish(completed_job(entry)).is_ok());
        EXPECT_TRUE(journal->find(entry.job_id).value().has_value());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(journal->recent(1000).value().size(), 200u);
}

}  // namespace
}  // namespace cuzk
