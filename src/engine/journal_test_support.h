// What the tests of the journal share: jobs made from a number, so that a reader in another process knows what must be there, and a
// folder of their own.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/stopwatch.h"
#include "engine/sqlite_journal.h"

namespace cuzk {

// Equal numbers give equal jobs. Sizes vary up to about 40 KB.
JournalEntry example_entry(unsigned number);
JobSnapshot completed_job(const JournalEntry& entry);
JobSnapshot failed_job(const JournalEntry& entry);
JobSnapshot cancelled_job(const JournalEntry& entry);

void expect_equal(const JournalEntry& found, const JournalEntry& wanted);
void expect_equal(const JobSnapshot& found, const JobSnapshot& wanted);

std::string read_all(const std::filesystem::path& path);

class JournalTest : public ::testing::Test {
 protected:
  JournalTest();
  ~JournalTest() override;

  const std::filesystem::path& folder() const noexcept { return folder_; }
  const std::filesystem::path& path() const noexcept { return path_; }
  void set_path(std::filesystem::path path) { path_ = std::move(path); }
  // The journal at path(); fails the test if it does not open.
  std::unique_ptr<Journal> open() const;

 private:
  std::filesystem::path folder_;
  std::filesystem::path path_;
};

}  // namespace cuzk
