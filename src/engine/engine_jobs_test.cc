// The life of jobs: queue, idempotency, cancel, drain, shut-down, recovery, waiting and watching.
#include <algorithm>
#include <thread>

#include "engine/engine_jobs_test_support.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)
using std::chrono::milliseconds;
using std::chrono::seconds;
using Desk = TestBackend::Desk;

TEST_F(EngineJobs, PartitionsComeInOrderAndTheNextWitnessIsMadeMeanwhile) {
  make();
  desk_->close();
  const std::string id = submit(4);
  ASSERT_TRUE(desk_->wait_for_prove());
  // The first partition is on the backend: others are synthesized.
  EXPECT_TRUE(eventually([&] { return engine_->find(id).value().timings.synth > 0; }));
  EXPECT_TRUE(eventually([&] {
    const JobSnapshot job = engine_->find(id).value();
    return std::count_if(job.spans.begin(), job.spans.end(),
                         [](const PhaseSpan& span) { return span.phase == "synth"; }) >= 3;
  }));
  desk_->open();
  const JobSnapshot job = await_job(*engine_, id);
  ASSERT_EQ(job.state, JobState::completed);
  EXPECT_EQ(job.proof.size(), 4 * 192u);
  EXPECT_EQ(job.partitions_done, 4u);
}

// Says when it is asked for the statement.
class AskedInput final : public ProofInput {
 public:
  explicit AskedInput(std::shared_ptr<const ProofInput> input) : input_(std::move(input)) {}
  const CircuitParameters& circuit() const noexcept override { return input_->circuit(); }
  std::string registered_proof() const override { return input_->registered_proof(); }
  std::size_t num_proofs() const noexcept override { return input_->num_proofs(); }
  std::uint64_t partition_of(std::size_t i) const noexcept override { return input_->partition_of(i); }
  std::vector<InputFinding> validate(bool first) const override { return input_->validate(first); }
  Witness witness(std::size_t i, const R1cs& r1cs) const override { return input_->witness(i, r1cs); }
  std::vector<Fr> public_inputs(std::size_t i) const override {
    ++asked;
    return input_->public_inputs(i);
  }
  mutable std::atomic<unsigned> asked{0};

 private:
  std::shared_ptr<const ProofInput> input_;
};

// Of a WindowPoSt the public inputs are most of the work of verification: it is done when the proof returns.
TEST_F(EngineJobs, TheStatementIsPreparedWhileTheBackendWorks) {
  make();
  desk_->close();
  const auto input = std::make_shared<AskedInput>(window_input(1));
  const std::string id = engine_->submit(input, Priority::normal, {}).value().job_id;
  ASSERT_TRUE(desk_->wait_for_prove());
  EXPECT_TRUE(eventually([&] { return input->asked == 1; }));
  desk_->open();
  EXPECT_EQ(await_job(*engine_, id).state, JobState::completed);
  EXPECT_EQ(input->asked, 1u) << "nothing of it is done twice";
}

TEST_F(EngineJobs, D09ManyPartitionsHoldFewWitnesses) {
  config_.max_circuits = 3;
  make();
  const std::string id = submit(126);
  std::uint64_t most = 0;
  while (!is_final(state(id))) {
    most = std::max(most, engine_->status().host_memory.used_bytes);
    std::this_thread::sleep_for(milliseconds(5));
  }
  const JobSnapshot job = await_job(*engine_, id);
  ASSERT_EQ(job.state, JobState::completed) << job.error->message;
  EXPECT_EQ(job.proof.size(), 126 * 192u);
  EXPECT_LE(most, engine_->status().host_memory.limit_bytes);
  EXPECT_EQ(desk_->most_in_prove, 1u);
}

TEST_F(EngineJobs, D09ABudgetTooSmallForOnePartitionIsRefusedWithTheNumbers) {
  config_.host_memory_limit_bytes = 20 << 20;
  make();
  const Status refused = engine_->submit(window_request()).status();
  EXPECT_EQ(refused.code(), StatusCode::resource_exhausted);
  EXPECT_NE(refused.message().find("wpost-2k needs "), std::string::npos) << refused.message();
  EXPECT_NE(refused.message().find("the limit is 20971520"), std::string::npos) << refused.message();
  EXPECT_EQ(desk_->loads, 0u);
}

TEST_F(EngineJobs, D10TheQueueIsBoundedAndEveryJobInItRuns) {
  config_.max_jobs = 10;
  make();
  desk_->close();
  std::atomic<int> refused{0}, accepted{0};
  std::vector<std::thread> clients;
  std::mutex mutex;
  std::vector<std::string> ids;
  const auto input = window_input(1);
  for (int i = 0; i < 50; ++i) {
    clients.emplace_back([&] {
      const Result<Submitted> submitted = engine_->submit(input, Priority::normal, {});
      if (submitted.is_ok()) {
        ++accepted;
        const std::lock_guard lock(mutex);
        ids.push_back(submitted.value().job_id);
      } else {
        refused += submitted.status().code() == StatusCode::resource_exhausted;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(accepted, 10);
  EXPECT_EQ(refused, 40);
  EXPECT_GE(engine_->retry_after_ms(), 1u);
  desk_->open();
  for (const std::string& id : ids) EXPECT_EQ(await_job(*engine_, id).state, JobState::completed);
  EXPECT_TRUE(engine_->submit(input, Priority::normal, {}).is_ok());
}

TEST_F(EngineJobs, D10ARequestIdGivesOneJob) {
  journal_ = std::make_shared<JournalData>();
  make();
  desk_->close();
  ProofRequest request = window_request();
  request.request_id = "wdpost-1000-0";
  std::vector<std::thread> clients;
  std::mutex mutex;
  std::map<std::string, int> ids;
  std::atomic<int> fresh{0};
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&] {
      const Result<Submitted> submitted = engine_->submit(request);
      const std::lock_guard lock(mutex);
      ++ids[submitted.is_ok() ? submitted.value().job_id : submitted.status().to_string()];
      fresh += submitted.is_ok() && !submitted.value().is_known;
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(ids.size(), 1u);
  EXPECT_EQ(fresh, 1);
  EXPECT_EQ(journal_->accepted.size(), 1u);
  ProofRequest other = request;
  other.vanilla_proofs.pop_back();
  const Status refused = engine_->submit(other).status();
  EXPECT_EQ(refused.code(), StatusCode::already_exists);
  EXPECT_NE(refused.message().find(ids.begin()->first), std::string::npos);
  // A cancelled job leaves its id to the next.
  ASSERT_TRUE(engine_->cancel(ids.begin()->first).is_ok());
  desk_->open();
  EXPECT_EQ(await_job(*engine_, ids.begin()->first).state, JobState::cancelled);
  const Result<Submitted> next = engine_->submit(other);
  ASSERT_TRUE(next.is_ok()) << next.status().to_string();
  EXPECT_FALSE(next.value().is_known);
  const JobSnapshot job = await_job(*engine_, next.value().job_id);
  EXPECT_EQ(job.state, JobState::completed);
  EXPECT_TRUE(check_proof(job, other).is_ok());
  EXPECT_TRUE(engine_->submit(other).value().is_known);
}

TEST_F(EngineJobs, CancelWorksWhileQueuedAndBetweenPhases) {
  make();
  desk_->close();
  const std::string running = submit();
  ASSERT_TRUE(desk_->wait_for_prove());
  std::vector<std::string> queued;
  for (int i = 0; i < 5; ++i) queued.push_back(submit());
  const Result<bool> was_queued = engine_->cancel(queued.back());
  ASSERT_TRUE(was_queued.is_ok());
  EXPECT_FALSE(was_queued.value());
  EXPECT_EQ(await_job(*engine_, queued.back()).state, JobState::cancelled);
  const Result<bool> was_running = engine_->cancel(running);
  ASSERT_TRUE(was_running.is_ok());
  EXPECT_TRUE(was_running.value());
  // The desk is closed: only the request to stop ends the proof.
  desk_->close();
  EXPECT_EQ(await_job(*engine_, running).state, JobState::cancelled);
  EXPECT_EQ(engine_->cancel(running).status().code(), StatusCode::invalid_argument);
  EXPECT_EQ(engine_->cancel("nobody").status().code(), StatusCode::not_found);
  desk_->open();
  queued.pop_back();
  for (const std::string& id : queued) EXPECT_EQ(await_job(*engine_, id).state, JobState::completed);
  EXPECT_TRUE(eventually([&] { return counts(ProofKind::window).cancelled == 2; }));
}

TEST_F(EngineJobs, AllMemoryComesBack) {
  make();
  for (const unsigned partitions : {1u, 5u}) {
    EXPECT_EQ(await_job(*engine_, submit(partitions)).state, JobState::completed);
  }
  desk_->close();
  const std::string id = submit(5);
  desk_->wait_for_prove();
  EXPECT_TRUE(engine_->cancel(id).is_ok());
  desk_->open();
  EXPECT_EQ(await_job(*engine_, id).state, JobState::cancelled);
  ASSERT_TRUE(engine_->evict("wpost-2k").is_ok());
  EXPECT_TRUE(eventually([&] { return engine_->status().host_memory.used_bytes == 0; }))
      << engine_->status().host_memory.used_bytes;
}

TEST_F(EngineJobs, D27DrainFinishesWhatIsThere) {
  make();
  desk_->close();
  const std::string running = submit();
  ASSERT_TRUE(desk_->wait_for_prove());
  const std::string queued = submit();
  engine_->drain();
  EXPECT_TRUE(engine_->status().draining);
  const Status refused = engine_->submit(window_request()).status();
  EXPECT_EQ(refused.code(), StatusCode::unavailable);
  EXPECT_FALSE(engine_->wait_idle(milliseconds(50)));
  desk_->open();
  EXPECT_TRUE(engine_->wait_idle(seconds(30)));
  EXPECT_EQ(state(running), JobState::completed);
  EXPECT_EQ(state(queued), JobState::completed);
  engine_->undrain();
  EXPECT_TRUE(engine_->submit(window_request()).is_ok());
}

TEST_F(EngineJobs, D27ShutDownFinishesWhatRunsAndKeepsTheRest) {
  journal_ = std::make_shared<JournalData>();
  config_.max_circuits = 1;
  make();
  desk_->close();
  const std::string running = engine_->submit(window_request()).value().job_id;
  ASSERT_TRUE(desk_->wait_for_prove());
  std::vector<std::string> queued;
  for (int i = 0; i < 5; ++i) queued.push_back(engine_->submit(window_request()).value().job_id);
  std::thread waiter([&] {
    const Status status = engine_->await(queued.front(), std::nullopt).status();
    EXPECT_EQ(status.code(), StatusCode::unavailable);
    EXPECT_NE(status.message().find(queued.front()), std::string::npos);
  });
  std::thread opener([&] {
    std::this_thread::sleep_for(milliseconds(100));
    desk_->open();
  });
  engine_->shut_down(seconds(20));
  waiter.join();
  opener.join();
  EXPECT_EQ(state(running), JobState::completed);
  EXPECT_EQ(engine_->submit(window_request()).status().code(), StatusCode::unavailable);
  engine_.reset();
  EXPECT_EQ(journal_->finished.size(), 1u);

  make();  // the next start
  EXPECT_EQ(engine_->status().recovered_jobs, 5u);
  for (const std::string& id : queued) {
    const JobSnapshot job = await_job(*engine_, id);
    EXPECT_EQ(job.state, JobState::completed);
    EXPECT_TRUE(check_proof(job, window_request()).is_ok());
  }
  EXPECT_EQ(await_job(*engine_, running).state, JobState::completed);  // from the journal
  EXPECT_EQ(engine_->list(100).size(), 6u);
}

TEST_F(EngineJobs, D27ASecondShutDownCutsOff) {
  journal_ = std::make_shared<JournalData>();
  make();
  desk_->close();
  const std::string running = engine_->submit(window_request()).value().job_id;
  ASSERT_TRUE(desk_->wait_for_prove());
  std::thread first([&] { engine_->shut_down(seconds(60)); });
  EXPECT_TRUE(eventually([&] { return engine_->status().draining; }));
  engine_->shut_down(seconds(60));
  first.join();
  engine_.reset();  // ends although the desk is closed
  EXPECT_TRUE(journal_->finished.empty());
  desk_->open();
  make();
  EXPECT_EQ(await_job(*engine_, running).state, JobState::completed);
}

TEST_F(EngineJobs, AJobIsNotAcceptedIfTheJournalCannotHoldIt) {
  journal_ = std::make_shared<JournalData>();
  make();
  journal_->fails = true;
  EXPECT_EQ(engine_->submit(window_request()).status().code(), StatusCode::resource_exhausted);
  EXPECT_TRUE(engine_->list(10).empty());
  journal_->fails = false;
  const std::string id = engine_->submit(window_request()).value().job_id;
  EXPECT_EQ(await_job(*engine_, id).state, JobState::completed);
  EXPECT_EQ(journal_->finished.at(id).proof.size(), 192u);
}

TEST_F(EngineJobs, AwaitEndsAtItsTimeAndWhenItIsToldTo) {
  make();
  desk_->close();
  const std::string id = submit();
  const Result<JobSnapshot> timed = engine_->await(id, milliseconds(30));
  ASSERT_TRUE(timed.is_ok());
  EXPECT_FALSE(is_final(timed.value().state));
  std::atomic<bool> stop{false};
  std::thread stopper([&] {
    std::this_thread::sleep_for(milliseconds(50));
    stop = true;
  });
  const Result<JobSnapshot> stopped = engine_->await(id, std::nullopt, [&] { return stop.load(); });
  stopper.join();
  EXPECT_FALSE(is_final(stopped.value().state));
  EXPECT_EQ(engine_->await("nobody", milliseconds(1)).status().code(), StatusCode::not_found);
  EXPECT_EQ(engine_->find("nobody").status().code(), StatusCode::not_found);
  desk_->open();
}

TEST_F(EngineJobs, WatchAndSubscribeSeeTheJobToItsEnd) {
  make();
  desk_->close();
  const std::string id = submit(2);
  std::atomic<int> changes{0}, ends{0};
  const auto subscription =
      engine_->subscribe(id, [&](JobEvent event) { ++(event == JobEvent::ended ? ends : changes); });
  ASSERT_TRUE(subscription.is_ok());
  std::vector<JobState> states;
  std::thread watcher([&] {
    const Status status = engine_->watch(id, [&](const JobSnapshot& job) {
      states.push_back(job.state);
      return true;
    });
    EXPECT_TRUE(status.is_ok());
  });
  desk_->open();
  await_job(*engine_, id);
  watcher.join();
  EXPECT_EQ(states.back(), JobState::completed);
  EXPECT_TRUE(std::is_sorted(states.begin(), states.end()));
  EXPECT_EQ(ends, 1);
  EXPECT_GT(changes, 5);
  std::atomic<int> late{0};
  ASSERT_TRUE(engine_->subscribe(id, [&](JobEvent) { ++late; }).is_ok());
  EXPECT_EQ(late, 1);
  EXPECT_EQ(engine_->subscribe("nobody", [](JobEvent) {}).status().code(), StatusCode::not_found);
}

TEST_F(EngineJobs, WarmUpMakesAProofBeforeReadiness) {
  config_.warm_up = true;
  config_.preload = {"wpost-2k"};
  make();
  EXPECT_TRUE(eventually([&] { return engine_->status().ready; }));
  EXPECT_EQ(desk_->calls(), 1u);
  EXPECT_EQ(desk_->loads, 2u);
  for (const std::string& note : recorder_.notes()) EXPECT_EQ(note.find("failed"), std::string::npos) << note;
}

TEST(EngineCreate, RefusesSettingsThatCannotWork) {
  const auto create = [](EngineConfig config, bool with_backend) {
    std::vector<std::unique_ptr<Backend>> backends;
    if (with_backend) backends.push_back(std::make_unique<CpuBackend>());
    return Engine::create(std::move(config), std::move(backends), nullptr, nullptr).status();
  };
  EXPECT_EQ(create(test_config(), false).code(), StatusCode::invalid_argument);
  EngineConfig config = test_config();
  config.preload = {"porep-3g"};
  EXPECT_NE(create(config, true).message().find("porep-3g"), std::string::npos);
  config = test_config();
  config.max_jobs = 0;
  EXPECT_EQ(create(config, true).code(), StatusCode::invalid_argument);
}

}  // namespace
}  // namespace cuzk
