// Jobs in trouble: wrong proofs, wrong input, shortages and losses of devices; and who goes before whom.
#include <algorithm>
#include <thread>

#include "engine/engine_jobs_test_support.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)
using std::chrono::milliseconds;
using std::chrono::seconds;
using Desk = TestBackend::Desk;

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
    ASSERT_EQ(winning.state, JobState::completed) << (winning.error ? winning.error->message : "");
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

}  // namespace
}  // namespace cuzk
