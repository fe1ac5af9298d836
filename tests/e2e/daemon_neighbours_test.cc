// D22 without a GPU: two daemons on one machine, each with ports and a journal of its own; and two that want the same journal.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "daemon_exit_code.h"
#include "proof_requests.h"
#include "running_daemon.h"

namespace cuzk {
namespace {

// Jobs of one daemon, submitted before any of another one is awaited.
struct Work {
  explicit Work(std::uint64_t first_seed) : daemon({ProofKind::window}) {
    for (std::uint64_t i = 0; i < 4; ++i)
      requests.push_back(proof_request(ProofKind::window, first_seed + i));
  }
  void submit() {
    for (const v1::SubmitProofRequest& request : requests) {
      const auto submitted = daemon.client().submit(request);
      EXPECT_TRUE(submitted.is_ok()) << submitted.message;
      ids.push_back(submitted.value.job_id());
    }
  }
  void expect_all_proved() {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto ended = daemon.client().await(ids[i]);
      ASSERT_EQ(ended.value.status(), v1::AwaitProofResponse::COMPLETED) << ended.message;
      const Status valid = check_proof(requests[i], ended.value.proof());
      EXPECT_TRUE(valid.is_ok()) << valid.to_string();
    }
  }
  // From the acceptance of its first job to the end of its last one, Unix time.
  std::pair<std::int64_t, std::int64_t> busy_ms() {
    return {daemon.client().watch(ids.front()).value.accepted_at_ms(),
            daemon.client().watch(ids.back()).value.finished_at_ms()};
  }

  RunningDaemon daemon;
  std::vector<v1::SubmitProofRequest> requests;
  std::vector<std::string> ids;
};

TEST(DaemonNeighbours, D22TwoDaemonsAtWorkShareTheProcessorAndNothingElse) {
  Work one(100), other(200);
  for (Work* work : {&one, &other}) ASSERT_NO_FATAL_FAILURE(work->daemon.start());
  for (Work* work : {&one, &other}) work->submit();
  for (Work* work : {&one, &other}) ASSERT_NO_FATAL_FAILURE(work->expect_all_proved());
  EXPECT_LT(std::max(one.busy_ms().first, other.busy_ms().first),
            std::min(one.busy_ms().second, other.busy_ms().second))
      << "they were not busy at the same time";
  EXPECT_EQ(one.daemon.client().await(other.ids.front()).code, kRpcNotFound);
  EXPECT_EQ(other.daemon.client().await(one.ids.front()).code, kRpcNotFound);
  for (Work* work : {&one, &other}) {
    const Scrape now = work->daemon.scrape();
    EXPECT_EQ(now.sum("cuzk_jobs_submitted_total"), 4);
    EXPECT_EQ(now.sum("cuzk_jobs_completed_total"), 4);
    work->daemon.stop();
  }
}

// The holder is named, its jobs go on, its socket stays; and the journal is free once it has ended.
TEST(DaemonNeighbours, D22ASecondDaemonOnTheJournalOfABusyOneIsRefused) {
  Work holder(300);
  ASSERT_NO_FATAL_FAILURE(holder.daemon.start());
  holder.submit();
  std::vector<std::string> flags = holder.daemon.flags();
  *(std::find(flags.begin(), flags.end(), "--server-listen") + 1) = "127.0.0.1:0";
  DaemonProcess second(flags);
  EXPECT_EQ(second.wait_for_exit(), kExitInUse);
  const std::string pid = "pid " + std::to_string(holder.daemon.process().pid());
  const auto refusal = second.wait_for_line(pid);
  ASSERT_TRUE(refusal.has_value()) << second.log();
  EXPECT_NE(refusal->find(holder.daemon.file("journal.db")), std::string::npos) << *refusal;
  EXPECT_TRUE(DaemonClient(holder.daemon.socket_address()).status().is_ok());
  ASSERT_NO_FATAL_FAILURE(holder.expect_all_proved());
  holder.daemon.stop();
  ASSERT_NO_FATAL_FAILURE(holder.daemon.start());
  ASSERT_NO_FATAL_FAILURE(holder.expect_all_proved());
  holder.daemon.stop();
}

}  // namespace
}  // namespace cuzk
