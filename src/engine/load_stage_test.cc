// The load stage by hand, without the engine's threads: moments that no timing of a test would hit.
#include "engine/load_stage.h"

#include <gtest/gtest.h>

#include "engine/close_stage.h"
#include "engine/engine_test_support.h"
#include "engine/submission.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)

std::vector<std::unique_ptr<Backend>> one_backend(const std::shared_ptr<TestBackend::Desk>& desk) {
  std::vector<std::unique_ptr<Backend>> backends;
  backends.push_back(std::make_unique<TestBackend>(desk));
  return backends;
}

std::shared_ptr<TestBackend::Desk> desk_with(std::uint64_t device_bytes) {
  auto desk = std::make_shared<TestBackend::Desk>();
  desk->device.total_bytes = desk->device.free_bytes = device_bytes;
  return desk;
}

class LoadStageTest : public ::testing::Test {
 protected:
  // Of a device with so many bytes; 0: of a processor.
  explicit LoadStageTest(std::uint64_t device_bytes = 0) : desk_(desk_with(device_bytes)) {}
  JobPtr submit() {
    EXPECT_TRUE(submission_.submit(window_input(1), Priority::normal, {}).is_ok());
    return core_.open.begin()->second;
  }
  void cancel(const JobPtr& job) {
    {
      const std::lock_guard lock(core_.mutex);
      core_.cancel(job);
    }
    CloseStage(core_).run(job);
  }
  std::multiset<std::string> phases_of(const JobRecord& job) {
    const std::lock_guard lock(core_.mutex);
    std::multiset<std::string> phases;
    for (const PhaseSpan& span : job.spans) phases.insert(span.phase);
    return phases;
  }
  void expect_counted_as_cancelled() {
    const KindCounts& counts = core_.counts[ProofKind::window];
    EXPECT_EQ(counts.pending, 0u);
    EXPECT_EQ(counts.in_progress, 0u);
    EXPECT_EQ(counts.cancelled, 1u);
  }
  const CircuitParameters& circuit() { return window_input(1)->circuit(); }

  const std::shared_ptr<TestBackend::Desk> desk_;
  EngineCore core_{test_config(), one_backend(desk_), nullptr, nullptr};
  Submission submission_{core_};
  LoadStage stage_{core_};
};

TEST_F(LoadStageTest, BeginsTheJobAndMakesTheCircuitResident) {
  const JobPtr job = submit();
  stage_.run(core_.workers[0], job);
  EXPECT_TRUE(core_.srs->is_resident(0, circuit()));
  EXPECT_EQ(core_.counts[ProofKind::window].in_progress, 1u);
  EXPECT_EQ(phases_of(*job), (std::multiset<std::string>{"queue", "record", "srs_load"}));
  EXPECT_TRUE(job->running.empty());
  cancel(job);
  expect_counted_as_cancelled();
}

// The worker had decided, and the job ended before the worker began.
TEST_F(LoadStageTest, AJobThatHasEndedIsNotBegun) {
  const JobPtr job = submit();
  cancel(job);
  stage_.run(core_.workers[0], job);
  expect_counted_as_cancelled();
  EXPECT_EQ(desk_->times_loaded(), 0u) << "for nobody";
  EXPECT_EQ(core_.workers[0].loading, nullptr);
}

TEST_F(LoadStageTest, AJobThatEndsDuringTheLoadStaysAsItWasReported) {
  const JobPtr job = submit();
  desk_->on_load = [&](unsigned) {
    cancel(job);
    return Status::ok();
  };
  stage_.run(core_.workers[0], job);
  expect_counted_as_cancelled();
  EXPECT_EQ(phases_of(*job).count("srs_load"), 0u);
  EXPECT_EQ(phases_of(*job).count("record"), 0u);
  EXPECT_TRUE(core_.srs->is_resident(0, circuit()));
  EXPECT_EQ((core_.metrics.snapshot().phases.at({"srs_load", ProofKind::window}).count), 1u);
}

TEST_F(LoadStageTest, AShortageThatWitnessesExplainIsWaitedFor) {
  const JobPtr job = submit();
  job->partitions[0].witness = std::make_shared<const HeldWitness>();
  desk_->on_load = [](unsigned) { return resource_exhausted("host memory"); };
  for (int i = 0; i < 10; ++i) stage_.run(core_.workers[0], job);
  EXPECT_FALSE(job->stop);
  EXPECT_EQ(core_.workers[0].blocked.at(&circuit()).attempts, 0u);
}

class DeviceLoadStageTest : public LoadStageTest {
 protected:
  DeviceLoadStageTest() : LoadStageTest(1000) {}
};

// What other programs have of a device does not come back with our witnesses.
TEST_F(DeviceLoadStageTest, ADeviceThatOthersFillIsAskedLessAndLessOftenThenNoMore) {
  const JobPtr job = submit();
  job->partitions[0].witness = std::make_shared<const HeldWitness>();
  desk_->on_load = [](unsigned) { return resource_exhausted("GPU memory: needs 100 bytes, 50 are free"); };
  EngineTime retry_at{};
  for (unsigned attempt = 1; attempt < 6; ++attempt) {
    stage_.run(core_.workers[0], job);
    ASSERT_FALSE(job->stop) << attempt;
    const WorkerRecord::Blocked& blocked = core_.workers[0].blocked.at(&circuit());
    EXPECT_EQ(blocked.attempts, attempt);
    EXPECT_GT(blocked.retry_at, retry_at);
    retry_at = blocked.retry_at;
  }
  EXPECT_TRUE(core_.load_waits);
  stage_.run(core_.workers[0], job);
  ASSERT_TRUE(job->stop);
  EXPECT_EQ(job->error->code, StatusCode::resource_exhausted);
  EXPECT_TRUE(core_.workers[0].blocked.empty());
  EXPECT_FALSE(core_.load_waits) << "nobody waits for it any more";
}

}  // namespace
}  // namespace cuzk
