#include "engine/journal_test_support.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace cuzk {
namespace {

std::string filler(unsigned number, std::size_t length) {
  std::string text(length, '\0');
  for (std::size_t i = 0; i < length; ++i) text[i] = static_cast<char>(number * 131 + i * 7 + i / 251);
  return text;
}

JobSnapshot final_job(const JournalEntry& entry, JobState state) {
  JobSnapshot job;
  job.job_id = entry.job_id;
  job.request_id = entry.request.request_id;
  job.kind = entry.request.kind;
  job.sector_size = entry.request.sector_size;
  job.miner_id = entry.request.miner_id;
  job.sector_number = entry.request.sector_number;
  job.priority = entry.request.priority.value_or(Priority::high);
  job.state = state;
  job.partitions = 10;
  job.partitions_done = 4;
  job.accepted_at_ms = entry.accepted_at_ms;
  job.finished_at_ms = entry.accepted_at_ms + 93'984;
  job.timings = {1.5, 0.25, 60525.125, 33229, 93984.0625};
  job.spans = {{"parse", -1, -1, 0, 12.5}, {"ntt", 3, 0, 12.5, 412.7}};
  return job;
}

}  // namespace

JournalEntry example_entry(unsigned number) {
  constexpr ProofKind kKinds[] = {ProofKind::porep, ProofKind::winning, ProofKind::window, ProofKind::update};
  JournalEntry entry;
  entry.job_id = "job-" + std::to_string(number);
  entry.accepted_at_ms = 1'700'000'000'000 + number;
  ProofRequest& request = entry.request;
  request.request_id = "request-" + std::to_string(number);
  request.kind = kKinds[number % 4];
  request.sector_size = std::uint64_t{2048} << (number % 25);
  request.registered_proof = number % 20;
  request.priority = static_cast<Priority>(1 + number % 4);
  request.sector_number = number * 3;
  request.miner_id = 1000 + number;
  if (request.kind == ProofKind::porep) {
    request.vanilla_proof = filler(number, 1 + number * 97 % 40'000);
  } else {
    for (unsigned i = 0; i < 1 + number % 5; ++i)
      request.vanilla_proofs.push_back(filler(number + i, 100 + number * 31 % 9000));
  }
  request.randomness = filler(number, 32);
  request.partition_index = number % 7;
  if (request.kind == ProofKind::update) {
    request.comm_r_old = filler(number + 1, 32);
    request.comm_r_new = filler(number + 2, 32);
    request.comm_d_new = filler(number + 3, 32);
  }
  return entry;
}

JobSnapshot completed_job(const JournalEntry& entry) {
  JobSnapshot job = final_job(entry, JobState::completed);
  job.partitions_done = job.partitions;
  const std::string proof = filler(static_cast<unsigned>(entry.request.miner_id), 1920);
  job.proof.assign(proof.begin(), proof.end());
  return job;
}

JobSnapshot failed_job(const JournalEntry& entry) {
  JobSnapshot job = final_job(entry, JobState::failed);
  InputFinding finding;
  finding.sector_id = 12;
  finding.challenge = ~std::uint64_t{0};
  finding.field = "comm_r";
  finding.expected = "aa";
  finding.found = "bb";
  finding.text = "sector 12: comm_r is \"bb\", wanted \"aa\"";
  job.error =
      JobError{StatusCode::not_satisfied, "validate", "two lines\nand an \xe2\x82\xac", true, {finding}};
  return job;
}

JobSnapshot cancelled_job(const JournalEntry& entry) {
  return final_job(entry, JobState::cancelled);
}

void expect_equal(const JournalEntry& found, const JournalEntry& wanted) {
  EXPECT_EQ(found.job_id, wanted.job_id);
  EXPECT_EQ(found.accepted_at_ms, wanted.accepted_at_ms);
  EXPECT_EQ(found.request.request_id, wanted.request.request_id);
  EXPECT_EQ(found.request.kind, wanted.request.kind);
  EXPECT_EQ(found.request.sector_size, wanted.request.sector_size);
  EXPECT_EQ(found.request.registered_proof, wanted.request.registered_proof);
  EXPECT_EQ(found.request.priority, wanted.request.priority);
  EXPECT_EQ(found.request.vanilla_proof, wanted.request.vanilla_proof);
  EXPECT_EQ(found.request.vanilla_proofs, wanted.request.vanilla_proofs);
  EXPECT_EQ(found.request.sector_number, wanted.request.sector_number);
  EXPECT_EQ(found.request.miner_id, wanted.request.miner_id);
  EXPECT_EQ(found.request.randomness, wanted.request.randomness);
  EXPECT_EQ(found.request.partition_index, wanted.request.partition_index);
  EXPECT_EQ(found.request.comm_r_old, wanted.request.comm_r_old);
  EXPECT_EQ(found.request.comm_r_new, wanted.request.comm_r_new);
  EXPECT_EQ(found.request.comm_d_new, wanted.request.comm_d_new);
}

namespace {

void expect_equal_spans(const JobSnapshot& found, const JobSnapshot& wanted) {
  ASSERT_EQ(found.spans.size(), wanted.spans.size());
  for (std::size_t i = 0; i < wanted.spans.size(); ++i) {
    EXPECT_EQ(found.spans[i].phase, wanted.spans[i].phase);
    EXPECT_EQ(found.spans[i].partition, wanted.spans[i].partition);
    EXPECT_EQ(found.spans[i].worker, wanted.spans[i].worker);
    EXPECT_EQ(found.spans[i].start_ms, wanted.spans[i].start_ms);
    EXPECT_EQ(found.spans[i].ms, wanted.spans[i].ms);
  }
}

void expect_equal_errors(const JobSnapshot& found, const JobSnapshot& wanted) {
  ASSERT_EQ(found.error.has_value(), wanted.error.has_value());
  if (!wanted.error) return;
  EXPECT_EQ(found.error->code, wanted.error->code);
  EXPECT_EQ(found.error->phase, wanted.error->phase);
  EXPECT_EQ(found.error->message, wanted.error->message);
  EXPECT_EQ(found.error->retryable, wanted.error->retryable);
  ASSERT_EQ(found.error->findings.size(), wanted.error->findings.size());
  for (std::size_t i = 0; i < wanted.error->findings.size(); ++i) {
    const InputFinding& a = found.error->findings[i];
    const InputFinding& b = wanted.error->findings[i];
    EXPECT_EQ(a.sector_id, b.sector_id);
    EXPECT_EQ(a.partition, b.partition);
    EXPECT_EQ(a.challenge, b.challenge);
    EXPECT_EQ(a.field, b.field);
    EXPECT_EQ(a.expected, b.expected);
    EXPECT_EQ(a.found, b.found);
    EXPECT_EQ(a.text, b.text);
  }
}

}  // namespace

void expect_equal(const JobSnapshot& found, const JobSnapshot& wanted) {
  EXPECT_EQ(found.job_id, wanted.job_id);
  EXPECT_EQ(found.request_id, wanted.request_id);
  EXPECT_EQ(found.kind, wanted.kind);
  EXPECT_EQ(found.sector_size, wanted.sector_size);
  EXPECT_EQ(found.miner_id, wanted.miner_id);
  EXPECT_EQ(found.sector_number, wanted.sector_number);
  EXPECT_EQ(found.priority, wanted.priority);
  EXPECT_EQ(found.state, wanted.state);
  EXPECT_EQ(found.partitions, wanted.partitions);
  EXPECT_EQ(found.partitions_done, wanted.partitions_done);
  EXPECT_EQ(found.accepted_at_ms, wanted.accepted_at_ms);
  EXPECT_EQ(found.finished_at_ms, wanted.finished_at_ms);
  EXPECT_EQ(found.timings.queue, wanted.timings.queue);
  EXPECT_EQ(found.timings.srs, wanted.timings.srs);
  EXPECT_EQ(found.timings.synth, wanted.timings.synth);
  EXPECT_EQ(found.timings.prove, wanted.timings.prove);
  EXPECT_EQ(found.timings.total, wanted.timings.total);
  EXPECT_EQ(found.proof, wanted.proof);
  expect_equal_spans(found, wanted);
  expect_equal_errors(found, wanted);
}

std::string read_all(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

JournalTest::JournalTest() {
  std::string name = (std::filesystem::temp_directory_path() / "cuzk-journal-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
  folder_ = name;
  path_ = folder_ / "journal.db";
}

JournalTest::~JournalTest() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::unique_ptr<Journal> JournalTest::open() const {
  auto journal = open_sqlite_journal(path_);
  if (!journal.is_ok()) throw std::runtime_error(journal.status().message());
  return std::move(journal).value();
}

}  // namespace cuzk
