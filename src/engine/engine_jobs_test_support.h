// A fixture for jobs on workers that do as they are told, and a journal in memory.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine_test_support.h"

namespace cuzk::testing {

// A journal in memory that can fail and that outlives its engine.
struct JournalData {
  std::mutex mutex;
  std::vector<JournalEntry> accepted;
  std::map<std::string, JobSnapshot> finished;
  std::atomic<bool> fails{false};
};

class MemoryJournal final : public Journal {
 public:
  explicit MemoryJournal(std::shared_ptr<JournalData> data) : data_(std::move(data)) {}
  Status accept(const JournalEntry& entry) override {
    if (data_->fails) return resource_exhausted("journal.db: no space left on device");
    const std::lock_guard lock(data_->mutex);
    data_->accepted.push_back(entry);
    return Status::ok();
  }
  Status finish(const JobSnapshot& job) override {
    if (data_->fails) return resource_exhausted("journal.db: no space left on device");
    const std::lock_guard lock(data_->mutex);
    EXPECT_FALSE(data_->finished.contains(job.job_id)) << "ends once";
    EXPECT_TRUE(is_final(job.state));
    data_->finished[job.job_id] = job;
    return Status::ok();
  }
  Result<std::vector<JournalEntry>> recover() override {
    const std::lock_guard lock(data_->mutex);
    std::vector<JournalEntry> entries;
    for (const JournalEntry& entry : data_->accepted) {
      if (!data_->finished.contains(entry.job_id)) entries.push_back(entry);
    }
    return entries;
  }
  Result<std::optional<JobSnapshot>> find(const std::string& job_id) override {
    const std::lock_guard lock(data_->mutex);
    const auto found = data_->finished.find(job_id);
    if (found == data_->finished.end()) return std::optional<JobSnapshot>();
    return std::optional<JobSnapshot>(found->second);
  }
  Result<std::optional<Known>> find_request(const std::string& request_id) override {
    const std::lock_guard lock(data_->mutex);
    for (auto entry = data_->accepted.rbegin(); entry != data_->accepted.rend(); ++entry) {
      if (entry->request.request_id == request_id)
        return std::optional<Known>({entry->job_id, entry->request.content_digest()});
    }
    return std::optional<Known>();
  }
  Result<std::vector<JobSnapshot>> recent(std::size_t limit) override {
    const std::lock_guard lock(data_->mutex);
    std::vector<JobSnapshot> jobs;
    for (const auto& [id, job] : data_->finished) {
      if (jobs.size() < limit) jobs.push_back(job);
    }
    return jobs;
  }
  Result<std::uint64_t> forget_before(std::int64_t) override { return std::uint64_t{0}; }

 private:
  std::shared_ptr<JournalData> data_;
};

class EngineJobs : public ::testing::Test {
 protected:
  void make(unsigned workers = 1) {
    std::vector<std::shared_ptr<TestBackend::Desk>> desks = {desk_};
    for (unsigned i = 1; i < workers; ++i) desks.push_back(other_desk_);
    engine_ = make_engine(config_, desks, journal_ ? std::make_unique<MemoryJournal>(journal_) : nullptr,
                          &recorder_);
  }
  std::string submit(unsigned partitions = 1, Priority priority = Priority::normal) {
    return engine_->submit(window_input(partitions), priority, {}).value().job_id;
  }
  JobState state(const std::string& id) { return engine_->find(id).value().state; }
  KindCounts counts(ProofKind kind) {
    for (const KindCounts& counts : engine_->status().kinds) {
      if (counts.kind == kind) return counts;
    }
    return {};
  }

  EngineConfig config_ = test_config();
  std::shared_ptr<JournalData> journal_;
  Recorder recorder_;
  std::shared_ptr<TestBackend::Desk> desk_ = std::make_shared<TestBackend::Desk>();
  std::shared_ptr<TestBackend::Desk> other_desk_ = std::make_shared<TestBackend::Desk>();
  std::unique_ptr<Engine> engine_;
};

}  // namespace cuzk::testing
