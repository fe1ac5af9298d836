// The life of jobs: queue, idempotency, cancel, drain, shut-down, recovery, faults of backends.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "engine/engine_test_support.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)
using std::chrono::milliseconds;
using std::chrono::seconds;
using Desk = TestBackend::Desk;

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
    std::vector<std::shared_ptr<Desk>> desks = {desk_};
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
  std::shared_ptr<Desk> desk_ = std::make_shared<Desk>();
  std::shared_ptr<Desk> other_desk_ = std::make_shared<Desk>();
  std::unique_ptr<Engine> engine_;
};

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

TEST_F(EngineJobs, D12AWrongProofIsMadeAgainOnAnotherWorker) {
  desk_->is_wrong = [](unsigned) { return true; };
  make(2);
  const JobSnapshot job = await_job(*engine_, submit());
  ASSERT_EQ(job.state, JobState::completed) << job.error->message;
  const EngineStatus status = engine_->status();
  // The right worker may have been first.
  EXPECT_EQ(status.self_check_failures, status.workers[0].faults);
  EXPECT_EQ(status.retries, status.workers[0].faults);
  EXPECT_EQ(status.workers[1].faults, 0u);
}

TEST_F(EngineJobs, D12AWrongProofOnTheOnlyWorkerIsRetriedOnceThenFails) {
  desk_->is_wrong = [](unsigned call) { return call != 1; };
  make();
  EXPECT_EQ(await_job(*engine_, submit()).state, JobState::completed);
  EXPECT_EQ(desk_->calls(), 2u);
  const JobSnapshot failed = [&] {
    const auto id = engine_->submit(window_request()).value().job_id;
    return await_job(*engine_, id);
  }();
  ASSERT_EQ(failed.state, JobState::failed);
  EXPECT_EQ(failed.error->code, StatusCode::prover_fault);
  EXPECT_TRUE(failed.error->retryable);
  EXPECT_TRUE(failed.proof.empty());
  EXPECT_EQ(desk_->calls(), 4u);
  const EngineStatus status = engine_->status();
  EXPECT_EQ(status.self_check_failures, 3u);
  EXPECT_EQ(status.retries, 2u);
  EXPECT_EQ(status.workers[0].faults, 3u);
  EXPECT_TRUE(status.workers[0].usable);
  const auto failures = engine_->metrics().failed;
  EXPECT_EQ(failures.at({ProofKind::window, "prover_fault"}), 1u);
}

TEST_F(EngineJobs, D12AWorkerThatIsWrongAgainAndAgainLeavesIfThereIsAnother) {
  desk_->is_wrong = [](unsigned) { return true; };
  other_desk_->prove_time = milliseconds(20);
  make(2);
  const JobSnapshot job = await_job(*engine_, submit(30));
  ASSERT_EQ(job.state, JobState::completed) << job.error->message;
  EXPECT_TRUE(eventually([&] { return !engine_->status().workers[0].usable; }));
  EXPECT_FALSE(engine_->status().workers[0].unusable_because.empty());
}

TEST_F(EngineJobs, D33NotSatisfiedIsPermanentAndNotRetried) {
  desk_->on_prove = [](unsigned) { return not_satisfied("constraint 7 of 9 does not hold: a * b != c"); };
  make();
  const JobSnapshot job = await_job(*engine_, submit());
  ASSERT_EQ(job.state, JobState::failed);
  EXPECT_EQ(job.error->code, StatusCode::not_satisfied);
  EXPECT_FALSE(job.error->retryable);
  EXPECT_NE(job.error->message.find("partition 0: constraint 7"), std::string::npos);
  EXPECT_EQ(desk_->calls(), 1u);
  EXPECT_EQ(engine_->status().self_check_failures, 0u);
  EXPECT_EQ(engine_->metrics().failed.at({ProofKind::window, "not_satisfied"}), 1u);
}

TEST_F(EngineJobs, D08AShortageOfTheDeviceIsRetriedWithBackOff) {
  desk_->on_prove = [](unsigned call) {
    return call < 2 ? resource_exhausted("GPU memory: needs 100 bytes, 50 are free") : Status::ok();
  };
  make();
  EXPECT_EQ(await_job(*engine_, submit()).state, JobState::completed);
  EXPECT_EQ(desk_->calls(), 3u);
  {
    const std::lock_guard lock(desk_->mutex);
    desk_->on_prove = [](unsigned) { return resource_exhausted("GPU memory: needs 100 bytes, 50 are free"); };
  }
  const JobSnapshot job = await_job(*engine_, submit());
  ASSERT_EQ(job.state, JobState::failed);
  EXPECT_EQ(job.error->code, StatusCode::resource_exhausted);
  EXPECT_TRUE(job.error->retryable);
  EXPECT_NE(job.error->message.find("needs 100 bytes, 50 are free"), std::string::npos);
}

TEST_F(EngineJobs, D08ALostWorkerLeavesAndTheOthersGoOn) {
  desk_->on_prove = [](unsigned) { return unavailable("GPU 0 is retired after: fell off the bus"); };
  other_desk_->prove_time = milliseconds(10);
  make(2);
  EXPECT_EQ(await_job(*engine_, submit(6)).state, JobState::completed);
  EXPECT_TRUE(eventually([&] { return !engine_->status().workers[0].usable; }));
  EXPECT_NE(engine_->status().workers[0].unusable_because.find("fell off the bus"), std::string::npos);
  {
    const std::lock_guard lock(other_desk_->mutex);
    other_desk_->on_prove = [](unsigned) { return unavailable("GPU 1 is retired too"); };
  }
  const JobSnapshot job = await_job(*engine_, submit());
  ASSERT_EQ(job.state, JobState::failed);
  EXPECT_EQ(job.error->code, StatusCode::unavailable);
  EXPECT_TRUE(job.error->retryable);
  const Status refused = engine_->submit(window_request()).status();
  EXPECT_EQ(refused.code(), StatusCode::unavailable);
}

TEST_F(EngineJobs, D25WinningStartsWithinOnePartition) {
  desk_->prove_time = milliseconds(20);
  make();
  ASSERT_TRUE(engine_->preload("winning-2k").is_ok());
  const std::string porep_like = submit(400);
  ASSERT_TRUE(eventually([&] { return desk_->calls() > 2; }));
  for (int i = 0; i < 5; ++i) {
    const Result<Submitted> submitted = engine_->submit(winning_request());
    ASSERT_TRUE(submitted.is_ok()) << submitted.status().to_string();
    const JobSnapshot winning = await_job(*engine_, submitted.value().job_id);
    ASSERT_EQ(winning.state, JobState::completed) << winning.error->message;
    // At most one partition of the other job ran between the submit and the proof, whose verification is another matter.
    const JobSnapshot other = engine_->find(porep_like).value();
    const auto span_of = [&](const std::string& phase) {
      return *std::find_if(winning.spans.begin(), winning.spans.end(),
                           [&](const PhaseSpan& span) { return span.phase == phase; });
    };
    const auto begin = static_cast<double>(winning.accepted_at_ms);
    const double end = begin + span_of("prep_msm").start_ms - span_of("parse").ms;
    const auto started_between =
        std::count_if(other.spans.begin(), other.spans.end(), [&](const PhaseSpan& span) {
          const double at = static_cast<double>(other.accepted_at_ms) + span.start_ms;
          return span.phase == "prep_msm" && at > begin + 30 && at + 5 < end;
        });
    EXPECT_LE(started_between, 1);
  }
  EXPECT_TRUE(engine_->cancel(porep_like).is_ok());
}

TEST_F(EngineJobs, D25ALongPartitionGivesWayAtAPhase) {
  config_.preempt_above = milliseconds(100);
  make();
  ASSERT_TRUE(engine_->preload("winning-2k").is_ok());
  desk_->close();
  const std::string window = submit();
  ASSERT_TRUE(desk_->wait_for_prove());
  const Result<Submitted> winning = engine_->submit(winning_request());
  ASSERT_TRUE(winning.is_ok());
  // The window proof is given up; winning then stands at the desk, alone.
  EXPECT_TRUE(eventually([&] { return desk_->calls() == 2; }));
  desk_->open();
  EXPECT_EQ(await_job(*engine_, winning.value().job_id).state, JobState::completed);
  EXPECT_EQ(await_job(*engine_, window).state, JobState::completed);
  EXPECT_EQ(desk_->calls(), 3u);
}

TEST_F(EngineJobs, D30AllFaultySectorsAreNamedBeforeAnyProof) {
  make();
  ProofRequest request = window_request();
  std::swap(request.randomness[0], request.randomness[5]);  // other challenges
  const Result<std::vector<InputFinding>> findings = engine_->validate(request);
  ASSERT_TRUE(findings.is_ok()) << findings.status().to_string();
  std::map<std::uint64_t, int> sectors;
  for (const InputFinding& finding : findings.value()) ++sectors[*finding.sector_id];
  EXPECT_EQ(sectors.size(), 2u);
  const JobSnapshot job = await_job(*engine_, engine_->submit(request).value().job_id);
  ASSERT_EQ(job.state, JobState::failed);
  EXPECT_EQ(job.error->code, StatusCode::invalid_argument);
  EXPECT_EQ(job.error->phase, "validate");
  EXPECT_EQ(job.error->findings.size(), findings.value().size());
  EXPECT_FALSE(job.error->retryable);
  EXPECT_EQ(desk_->calls(), 0u);
  EXPECT_TRUE(engine_->validate(window_request()).value().empty());
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
