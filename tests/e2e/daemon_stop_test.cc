// D27: how a daemon at work stops: drained by a call, by one SIGTERM, by two.
#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "daemon_exit_code.h"
#include "proof_requests.h"
#include "running_daemon.h"

namespace cuzk {
namespace {

class DaemonStop : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NO_FATAL_FAILURE(daemon_.start()); }

  std::string submit(ProofKind kind, std::uint64_t seed) {
    requests_.push_back(proof_request(kind, seed));
    const auto submitted = daemon_.client().submit(requests_.back());
    EXPECT_TRUE(submitted.is_ok()) << submitted.message;
    ids_.push_back(submitted.value.job_id());
    return ids_.back();
  }
  // A PoRep that is being proved, and five window PoSts behind it.
  void submit_one_running_and_five_queued() {
    const std::string first = submit(ProofKind::porep, 1);
    ASSERT_TRUE(daemon_.wait_for_state(first, {"proving"}));
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      requests_.push_back(proof_request(ProofKind::window, seed));
      requests_.back().set_priority(v1::LOW);
      const auto submitted = daemon_.client().submit(requests_.back());
      ASSERT_TRUE(submitted.is_ok()) << submitted.message;
      ids_.push_back(submitted.value.job_id());
    }
  }
  void expect_all_end_after_restart() {
    ASSERT_NO_FATAL_FAILURE(daemon_.start());
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      const auto ended = daemon_.client().await(ids_[i]);
      ASSERT_EQ(ended.value.status(), v1::AwaitProofResponse::COMPLETED) << ended.message;
      EXPECT_TRUE(check_proof(requests_[i], ended.value.proof()).is_ok());
    }
    daemon_.stop();
  }

  RunningDaemon daemon_{{ProofKind::window, ProofKind::update, ProofKind::porep}};
  std::vector<v1::SubmitProofRequest> requests_;
  std::vector<std::string> ids_;
};

TEST_F(DaemonStop, D27OneSignalFinishesWhatRunsAndTellsTheOthers) {
  ASSERT_NO_FATAL_FAILURE(submit_one_running_and_five_queued());
  Answer<v1::AwaitProofResponse> running;
  Answer<v1::AwaitProofResponse> queued;
  std::thread first([&] { running = daemon_.client().await(ids_.front()); });
  std::thread last([&] { queued = daemon_.client().await(ids_.back()); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  daemon_.stop();
  first.join();
  last.join();
  EXPECT_TRUE(running.is_ok()) << running.message;
  EXPECT_EQ(running.value.status(), v1::AwaitProofResponse::COMPLETED) << running.value.error_message();
  EXPECT_TRUE(check_proof(requests_.front(), running.value.proof()).is_ok());
  EXPECT_EQ(queued.code, kRpcUnavailable) << queued.message;
  EXPECT_EQ(queued.retryable, "true");
  expect_all_end_after_restart();
}

TEST_F(DaemonStop, D27TwoSignalsCutOffAndTheJournalHasEverything) {
  ASSERT_NO_FATAL_FAILURE(submit_one_running_and_five_queued());
  daemon_.process().send(SIGTERM);
  ASSERT_TRUE(daemon_.process().wait_for_line("stopping: ")) << daemon_.process().log();
  const auto second = std::chrono::steady_clock::now();
  daemon_.process().send(SIGTERM);
  const auto code = daemon_.process().wait_for_exit();
  EXPECT_LT(std::chrono::steady_clock::now() - second, std::chrono::seconds(10));
  EXPECT_TRUE(daemon_.process().wait_for_line("a second signal")) << daemon_.process().log();
  ASSERT_TRUE(code.has_value());
  // The phase in progress ended in the time that is left, or it was cut off.
  EXPECT_TRUE(*code == kExitSuccess || *code == kExitCutOff) << *code;
  expect_all_end_after_restart();
}

TEST_F(DaemonStop, D27DrainRefusesNewJobsUntilUndrain) {
  const std::string running = submit(ProofKind::update, 1);
  const auto drained = daemon_.client().drain();
  ASSERT_TRUE(drained.is_ok()) << drained.message;
  EXPECT_EQ(drained.value.unfinished_jobs(), 1u);
  EXPECT_TRUE(daemon_.client().status().value.draining());
  EXPECT_NE(http_get(daemon_.process().http_port(), "/readyz", 503), "");
  const auto refused = daemon_.client().submit(proof_request(ProofKind::window, 1));
  EXPECT_EQ(refused.code, kRpcUnavailable) << refused.message;
  EXPECT_EQ(refused.error_class, "unavailable");
  EXPECT_EQ(refused.retryable, "true");
  EXPECT_GT(refused.retry_after_ms, 0);
  const auto ended = daemon_.client().await(running);
  EXPECT_EQ(ended.value.status(), v1::AwaitProofResponse::COMPLETED) << ended.message;
  ASSERT_TRUE(daemon_.client().undrain().is_ok());
  const auto proved = daemon_.client().prove(proof_request(ProofKind::window, 2));
  EXPECT_EQ(proved.value.result().status(), v1::AwaitProofResponse::COMPLETED) << proved.message;
  daemon_.stop();
}

}  // namespace
}  // namespace cuzk
