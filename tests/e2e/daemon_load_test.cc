// Many clients, many jobs: every proof is its own client's, nothing grows, and the counters add up (D39).
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <random>
#include <thread>

#include "proof_requests.h"
#include "running_daemon.h"

namespace cuzk {
namespace {

TEST(DaemonLoad, SixteenClientsOfFourKindsEachGetTheirOwnProof) {
  RunningDaemon daemon({std::begin(kClientKinds), std::end(kClientKinds)});
  ASSERT_NO_FATAL_FAILURE(daemon.start());
  std::vector<std::thread> clients;
  for (std::uint64_t i = 0; i < 16; ++i)
    clients.emplace_back([&, i] {
      // A PoRep and two updates, which take longest; the others are PoSts.
      const ProofKind kind = i == 3       ? ProofKind::porep
                             : i % 8 == 6 ? ProofKind::update
                             : i % 4 == 0 ? ProofKind::winning
                                          : ProofKind::window;
      const v1::SubmitProofRequest request = proof_request(kind, i);
      const auto proved =
          DaemonClient(i % 2 == 0 ? daemon.tcp_address() : daemon.socket_address()).prove(request);
      ASSERT_EQ(proved.value.result().status(), v1::AwaitProofResponse::COMPLETED) << proved.message;
      const Status valid = check_proof(request, proved.value.result().proof());
      EXPECT_TRUE(valid.is_ok()) << i << ": " << valid.to_string();
      EXPECT_FALSE(check_proof(proof_request(kind, i + 100), proved.value.result().proof()).is_ok())
          << "a proof of these inputs only";
    });
  for (std::thread& client : clients) client.join();
  daemon.stop();
}

// 60 jobs; the slow suite has 500.
std::size_t num_jobs() {
  const char* const given = std::getenv("CUZK_TEST_JOBS");
  return given != nullptr ? static_cast<std::size_t>(std::atoi(given)) : 60;
}

// What a process may gain in the second half of the jobs: free lists of the allocator (72 MB were seen; a job's own memory is up to
// 400 MB, so that one that is kept shows), a page of the journal's cache, a connection of gRPC that has not closed yet.
constexpr std::uint64_t kSlackBytes = std::uint64_t{128} << 20;
constexpr std::uint64_t kSlackFiles = 8;
constexpr std::uint64_t kSlackThreads = 4;

class DaemonSoak : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NO_FATAL_FAILURE(daemon_.start()); }

  // One job as the i-th client has it: good, faulty, refused, or cancelled while it waits or runs.
  void one_job(std::size_t i);
  void run_jobs(std::size_t begin, std::size_t end);
  void count(const v1::AwaitProofResponse& ended);
  void expect_counters_add_up(bool is_idle);
  // Until the figures do not fall any more.
  ProcessUse settled_use();

  RunningDaemon daemon_{{ProofKind::winning, ProofKind::window, ProofKind::update}};
  std::atomic<int> submitted_ = 0, completed_ = 0, failed_ = 0, cancelled_ = 0, refused_ = 0;
};

void DaemonSoak::count(const v1::AwaitProofResponse& ended) {
  switch (ended.status()) {
    case v1::AwaitProofResponse::COMPLETED:
      ++completed_;
      break;
    case v1::AwaitProofResponse::FAILED:
      ++failed_;
      break;
    case v1::AwaitProofResponse::CANCELLED:
      ++cancelled_;
      break;
    default:
      ADD_FAILURE() << ended.status() << " " << ended.error_message();
  }
}

void DaemonSoak::one_job(std::size_t i) {
  const ProofKind kind = i % 40 == 15 ? ProofKind::update
                         : i % 3 != 0 ? ProofKind::window
                                      : ProofKind::winning;
  DaemonClient client(daemon_.socket_address());
  if (i % 10 == 1) {  // no request at all
    v1::SubmitProofRequest request = proof_request(kind, i);
    request.mutable_vanilla_proofs(0)->resize(100);
    EXPECT_EQ(client.submit(request).code, kRpcInvalidArgument);
    ++refused_;
    return;
  }
  const bool is_faulty = i % 5 == 2;
  const v1::SubmitProofRequest request = is_faulty ? faulty_request(kind, i) : proof_request(kind, i);
  const auto submitted = client.submit(request);
  ASSERT_TRUE(submitted.is_ok()) << submitted.message;
  ++submitted_;
  const std::string& id = submitted.value.job_id();
  const bool is_cancelled = !is_faulty && i % 4 == 0;
  if (is_cancelled) {
    ::usleep(static_cast<useconds_t>(i * 7919 % 400'000));
    const auto answer = client.cancel(id);
    EXPECT_TRUE(answer.is_ok() || answer.code == kRpcInvalidArgument) << answer.message;
  }
  const auto ended = client.await(id);
  ASSERT_TRUE(ended.is_ok()) << ended.message;
  count(ended.value);
  if (is_faulty) {
    EXPECT_EQ(ended.value.status(), v1::AwaitProofResponse::FAILED);
  } else if (!is_cancelled) {
    const Status valid = check_proof(request, ended.value.proof());
    EXPECT_TRUE(valid.is_ok()) << ended.value.error_message() << valid.to_string();
  }
}

void DaemonSoak::run_jobs(std::size_t begin, std::size_t end) {
  std::atomic<std::size_t> next = begin;
  std::vector<std::thread> clients;
  for (int i = 0; i < 6; ++i)
    clients.emplace_back([&] {
      for (std::size_t job; (job = next++) < end;) one_job(job);
    });
  std::atomic<bool> is_done = false;
  std::thread scraper([&] {
    while (!is_done) {
      expect_counters_add_up(false);
      ::usleep(50'000);
    }
  });
  for (std::thread& client : clients) client.join();
  is_done = true;
  scraper.join();
}

void DaemonSoak::expect_counters_add_up(bool is_idle) {
  const Scrape now = daemon_.scrape();
  const auto sum = [&](const char* name) { return now.sum(name); };
  const double ended =
      sum("cuzk_jobs_completed_total") + sum("cuzk_jobs_failed_total") + sum("cuzk_jobs_cancelled_total");
  const double open = sum("cuzk_jobs_pending") + sum("cuzk_jobs_in_progress");
  EXPECT_EQ(sum("cuzk_jobs_submitted_total"), ended + open);
  if (!is_idle) return;
  EXPECT_EQ(open, 0);
  EXPECT_EQ(sum("cuzk_jobs_submitted_total"), submitted_);
  EXPECT_EQ(sum("cuzk_jobs_completed_total"), completed_);
  EXPECT_EQ(sum("cuzk_jobs_failed_total"), failed_);
  EXPECT_EQ(sum("cuzk_jobs_cancelled_total"), cancelled_);
  EXPECT_EQ(sum("cuzk_jobs_refused_total"), refused_);
}

ProcessUse DaemonSoak::settled_use() {
  ProcessUse use = process_use(daemon_.process().pid());
  for (int i = 0; i < 20; ++i) {
    ::usleep(50'000);
    const ProcessUse again = process_use(daemon_.process().pid());
    use.files = std::min(use.files, again.files);
    use.threads = std::min(use.threads, again.threads);
    use.private_bytes = std::min(use.private_bytes, again.private_bytes);
  }
  return use;
}

TEST_F(DaemonSoak, D39JobsWithFailuresAndCancelsLeaveNothingBehind) {
  const std::size_t jobs = num_jobs();
  run_jobs(0, jobs / 2);
  const ProcessUse first = settled_use();
  run_jobs(jobs / 2, jobs);
  const ProcessUse second = settled_use();
  std::printf("%zu jobs: %d completed, %d failed, %d cancelled, %d refused\n", jobs, completed_.load(),
              failed_.load(), cancelled_.load(), refused_.load());
  std::printf("after one half and both: %.1f, %.1f MB; %llu, %llu files; %llu, %llu threads\n",
              static_cast<double>(first.private_bytes) / 1e6, static_cast<double>(second.private_bytes) / 1e6,
              static_cast<unsigned long long>(first.files), static_cast<unsigned long long>(second.files),
              static_cast<unsigned long long>(first.threads),
              static_cast<unsigned long long>(second.threads));
  EXPECT_LE(second.private_bytes, first.private_bytes + kSlackBytes);
  EXPECT_LE(second.files, first.files + kSlackFiles);
  EXPECT_LE(second.threads, first.threads + kSlackThreads);
  EXPECT_GT(completed_, 0);
  EXPECT_GT(failed_, 0);
  EXPECT_GT(cancelled_, 0);
  expect_counters_add_up(true);
  EXPECT_GT(daemon_.metric("cuzk_phase_seconds_count", {{"phase", "verify"}}), 0);

  // A restart begins to count anew and has forgotten no job.
  const int known = daemon_.client().list_jobs(10'000).value.jobs_size();
  daemon_.stop();
  ASSERT_NO_FATAL_FAILURE(daemon_.start());
  EXPECT_EQ(daemon_.metric("cuzk_jobs_submitted_total"), 0);
  EXPECT_EQ(known, submitted_);
}

}  // namespace
}  // namespace cuzk
