// D09, D10: the memory budget and the queue's limit, under more work than they hold.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "proof_requests.h"
#include "running_daemon.h"

namespace cuzk {
namespace {

// What a process needs beside the budget: code and libraries, gRPC, threads' stacks, SQLite's cache, the allocator's free lists.
constexpr std::uint64_t kSlackBytes = std::uint64_t{200} << 20;

// The most that the process has allocated while `work` runs.
template <typename Work>
std::uint64_t peak_bytes(RunningDaemon& daemon, Work work) {
  std::atomic<bool> is_done = false;
  std::uint64_t peak = 0;
  std::thread watcher([&] {
    while (!is_done) {
      peak = std::max(peak, process_use(daemon.process().pid()).private_bytes);
      ::usleep(10'000);
    }
  });
  work();
  is_done = true;
  watcher.join();
  return peak;
}

void prove_all(RunningDaemon& daemon, ProofKind kind, std::uint64_t count) {
  std::vector<v1::SubmitProofRequest> requests;
  std::vector<std::string> ids;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    requests.push_back(proof_request(kind, seed));
    const auto submitted = daemon.client().submit(requests.back());
    ASSERT_TRUE(submitted.is_ok()) << submitted.message;
    ids.push_back(submitted.value.job_id());
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto ended = daemon.client().await(ids[i]);
    ASSERT_EQ(ended.value.status(), v1::AwaitProofResponse::COMPLETED) << ended.value.error_message();
    EXPECT_TRUE(check_proof(requests[i], ended.value.proof()).is_ok());
  }
}

// A budget for one witness, for two and for all of three jobs: every proof is right, and the process keeps to the budget.
TEST(DaemonMemory, D09ThePeakStaysWithinTheBudget) {
  RunningDaemon daemon({ProofKind::update});
  const std::uint64_t needed = daemon.least_budget(ProofKind::update);
  for (const std::uint64_t limit : {needed, needed + (std::uint64_t{64} << 20), 4 * needed}) {
    SCOPED_TRACE("budget " + std::to_string(limit));
    daemon.add_flags({"--memory-host-limit", std::to_string(limit) + "B"});
    ASSERT_NO_FATAL_FAILURE(daemon.start());
    const std::uint64_t peak = peak_bytes(daemon, [&] { prove_all(daemon, ProofKind::update, 3); });
    std::printf("budget %llu MB: peak %llu MB\n", static_cast<unsigned long long>(limit / 1'000'000),
                static_cast<unsigned long long>(peak / 1'000'000));
    EXPECT_LE(peak, limit + kSlackBytes);
    daemon.stop();
  }
}

// A preloaded circuit that can never fit: said at the start with the numbers, and the daemon does not call itself ready.
TEST(DaemonMemory, D09ABudgetTooSmallForAPreloadedCircuitIsSaidAtTheStart) {
  RunningDaemon daemon({ProofKind::update}, {"--memory-host-limit", "64MiB", "--params-preload", "snap-2k"});
  ASSERT_NO_FATAL_FAILURE(daemon.start());
  const auto line = daemon.process().wait_for_line("snap-2k cannot be preloaded: ");
  ASSERT_TRUE(line.has_value()) << daemon.process().log();
  EXPECT_NE(line->find("67108864"), std::string::npos) << *line;
  ::usleep(300'000);
  EXPECT_NE(http_get(daemon.process().http_port(), "/readyz", 503), "");
  daemon.stop();
}

// Fifty clients at once against ten places: ten jobs, forty that are told at once when to come back. Jobs may end meanwhile and make room,
// so that figures are compared within one scrape.
TEST(DaemonMemory, D10TheQueueTakesTenAndTellsFortyToComeBack) {
  constexpr std::size_t kPlaces = 10;
  RunningDaemon daemon({ProofKind::porep, ProofKind::window}, {"--engine-max-jobs", "10"});
  ASSERT_NO_FATAL_FAILURE(daemon.start_ready());
  v1::SubmitProofRequest request = proof_request(ProofKind::porep, 1);
  std::vector<Answer<v1::SubmitProofResponse>> answers(50);
  std::vector<std::thread> clients;
  for (auto& answer : answers)
    clients.emplace_back([&] { answer = DaemonClient(daemon.tcp_address()).submit(request); });
  for (std::thread& client : clients) client.join();
  std::vector<std::string> ids;
  for (const auto& answer : answers) {
    if (answer.is_ok()) {
      ids.push_back(answer.value.job_id());
      continue;
    }
    EXPECT_EQ(answer.code, kRpcResourceExhausted) << answer.message;
    EXPECT_EQ(answer.error_class, "resource_exhausted");
    EXPECT_GT(answer.retry_after_ms, 0);
    EXPECT_NE(answer.message.find("10"), std::string::npos) << answer.message;
  }
  // Clients that go away while they wait change nothing for their jobs.
  for (const std::string& id : ids) {
    const auto gone = daemon.client().await(id, 0, std::chrono::milliseconds(20));
    EXPECT_TRUE(gone.code == kRpcDeadlineExceeded || gone.is_ok()) << gone.message;
  }
  const Scrape now = daemon.scrape();
  const double completed = now.sum("cuzk_jobs_completed_total");
  const double open = now.sum("cuzk_jobs_pending") + now.sum("cuzk_jobs_in_progress");
  EXPECT_GE(ids.size(), kPlaces);
  EXPECT_LE(static_cast<double>(ids.size()), kPlaces + completed);
  EXPECT_EQ(now.sum("cuzk_jobs_refused_total", {{"class", "resource_exhausted"}}),
            static_cast<double>(answers.size() - ids.size()));
  EXPECT_EQ(now.sum("cuzk_jobs_submitted_total"), static_cast<double>(ids.size()));
  EXPECT_EQ(open + completed, static_cast<double>(ids.size()));
  for (const std::string& id : ids) {
    const auto cancelled = daemon.client().cancel(id);
    EXPECT_TRUE(cancelled.is_ok() || cancelled.code == kRpcInvalidArgument) << cancelled.message;
  }
  for (const std::string& id : ids) EXPECT_TRUE(daemon.wait_for_state(id, {"cancelled", "completed"}));
  // The places are free again.
  EXPECT_TRUE(daemon.client().prove(proof_request(ProofKind::window, 1)).is_ok());
  daemon.stop();
}

// The same request id from sixteen clients at once, while it runs and after its end, is one job.
TEST(DaemonMemory, D10OneRequestIdIsOneJob) {
  RunningDaemon daemon({ProofKind::window});
  ASSERT_NO_FATAL_FAILURE(daemon.start());
  v1::SubmitProofRequest request = proof_request(ProofKind::window, 1);
  request.set_request_id("once");
  std::vector<std::string> ids(16);
  std::vector<std::thread> clients;
  for (std::string& id : ids)
    clients.emplace_back([&] { id = DaemonClient(daemon.tcp_address()).submit(request).value.job_id(); });
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), 1u);
  EXPECT_NE(ids.front(), "");
  EXPECT_EQ(daemon.client().await(ids.front()).value.status(), v1::AwaitProofResponse::COMPLETED);
  EXPECT_EQ(daemon.client().submit(request).value.job_id(), ids.front());
  EXPECT_EQ(daemon.metric("cuzk_jobs_submitted_total"), 1);
  daemon.stop();
}

}  // namespace
}  // namespace cuzk
