// The rules of the scheduler, without threads and without time passing by itself: what is loaded, made and proved where.
#include "engine/scheduler_test_support.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)

// Else nobody would prove what holds the memory that it waits for.
// As many witnesses as may be are there: what is ready has to be proved first.
// The load that lacks memory goes first, and gets it from what is ready.
// Else the others would think that one is kept free.
// A decision is made under the engine's mutex, for each event of each partition.
TEST_F(SchedulerTest, DecisionsAreQuickWithManyJobsOfThousandsOfPartitions) {
  constexpr unsigned kJobs = 256, kPartitions = 5000;
  for (unsigned i = 0; i < kJobs; ++i) valid(Priority::normal, i % 2 == 0 ? kPorep : kWindow, kPartitions);
  const CircuitSet loaded = {kPorep, kWindow};
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 500; ++i) {
    const auto made = scheduler_->take_host_task(loaded, false, now_);
    ASSERT_TRUE(made.has_value());
    scheduler_->set_state(made->key, State::ready);
    const auto task = take();
    ASSERT_TRUE(task.has_value());
    EXPECT_EQ(task->key.partition, made->key.partition);
    scheduler_->set_state(task->key, State::done);
    EXPECT_FALSE(scheduler_->wanted().empty());
    EXPECT_EQ(scheduler_->in_hand(task->key.job), 0u);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(10))
      << "about 0.1 s; minutes if each counts all";
}

TEST_F(SchedulerTest, D06EqualJobsAreGroupedByWhatIsLoaded) {
  view_.resident = {kPorep};
  const JobKey porep1 = ready(Priority::normal, kPorep);
  const JobKey window1 = ready(Priority::normal, kWindow);
  const JobKey porep2 = ready(Priority::normal, kPorep);
  const JobKey window2 = ready(Priority::normal, kWindow);
  EXPECT_EQ(prove(), porep1);
  EXPECT_EQ(prove(), porep2);
  const auto load = take();
  ASSERT_TRUE(load);
  EXPECT_EQ(load->kind, Kind::load);
  EXPECT_EQ(load->circuit, kWindow);
  view_.resident = {kWindow};
  EXPECT_EQ(prove(), window1);
  EXPECT_EQ(prove(), window2);
}

TEST_F(SchedulerTest, D06GroupingDoesNotStarve) {
  view_.resident = {kPorep};
  const JobKey window = ready(Priority::normal, kWindow);
  int turns = 0;
  for (; turns < 1000; ++turns) {
    ready(Priority::normal, kPorep);
    const auto task = take();
    ASSERT_TRUE(task);
    if (task->kind == Kind::load) {
      EXPECT_EQ(task->key.job, window);
      break;
    }
    scheduler_->set_state(task->key, State::done);
    now_ += seconds(1);
  }
  EXPECT_EQ(turns, 60);
}

TEST_F(SchedulerTest, NothingIsEvictedForAnEqualWhileTheLoadedOneIsWanted) {
  view_.resident = {kPorep};
  const JobKey porep = valid(Priority::normal, kPorep, 2);
  scheduler_->set_state({porep, 0}, State::synthesizing);
  ready(Priority::normal, kWindow);
  EXPECT_FALSE(take());
  view_.fits = {kWindow};
  const auto load = take();
  ASSERT_TRUE(load);
  EXPECT_EQ(load->kind, Kind::load);
}

TEST_F(SchedulerTest, AHigherJobMayHaveALoadEvict) {
  view_.resident = {kPorep};
  ready(Priority::normal, kPorep, 2);
  ready(Priority::high, kWindow);
  const auto load = take();
  ASSERT_TRUE(load);
  EXPECT_EQ(load->kind, Kind::load);
  // It lacked memory: what is ready goes on, and frees some.
  view_.blocked = {kWindow};
  const auto task = take();
  ASSERT_TRUE(task);
  EXPECT_EQ(task->kind, Kind::prove);
}

TEST_F(SchedulerTest, ALoadThatWaitsForMemoryIsTriedAgainWhenNothingIsReady) {
  view_.resident = {kPorep};
  view_.blocked = {kWindow};
  const JobKey porep = ready(Priority::normal, kPorep, 2);
  ready(Priority::low, kWindow);
  EXPECT_EQ(prove(), porep);
  EXPECT_EQ(prove(), porep);
  view_.refused = {kWindow};  // not yet
  EXPECT_FALSE(take());
  view_.refused = {};
  const auto load = take();
  ASSERT_TRUE(load);
  EXPECT_EQ(load->kind, Kind::load);
}

TEST_F(SchedulerTest, InputsAreCheckedWhileALoadWaitsForMemory) {
  valid(Priority::high, kWindow);
  valid(Priority::normal, kPorep, 2);
  const JobKey unchecked = next_++;
  scheduler_->add(unchecked, Priority::low, kPorep, 1, now_);
  scheduler_->set_blocked({kWindow});
  const auto task = scheduler_->take_host_task({kPorep}, false, now_);
  ASSERT_TRUE(task);
  EXPECT_EQ(task->kind, HostKind::validate);
  EXPECT_EQ(task->key.job, unchecked);
}

TEST_F(SchedulerTest, ALoadThatWaitsForMemoryStopsNewWitnesses) {
  valid(Priority::normal, kPorep, 2);
  valid(Priority::high, kWindow);
  scheduler_->set_blocked({kWindow});
  EXPECT_FALSE(scheduler_->take_host_task({kPorep}, false, now_));
  scheduler_->set_blocked({});
  EXPECT_TRUE(scheduler_->take_host_task({kPorep}, false, now_));
}

TEST_F(SchedulerTest, ASecondWorkerLoadsOnlyWhatTheFirstCannotTake) {
  view_.resident = {};
  view_.served_elsewhere[kPorep] = {1};
  view_.others_can_take = {kPorep};
  const JobKey one = ready(Priority::normal, kPorep);
  EXPECT_FALSE(take());
  ready(Priority::normal, kPorep);
  const auto load = take();
  ASSERT_TRUE(load);
  EXPECT_EQ(load->kind, Kind::load);
  EXPECT_EQ(load->key.job, one);
}

TEST_F(SchedulerTest, ARetryGoesToAnotherWorkerIfOneCanTakeIt) {
  const JobKey job = ready(Priority::normal, kPorep);
  ASSERT_TRUE(take());
  scheduler_->prove_again({job, 0}, view_.index, {});
  view_.others_can_take = {kPorep};
  EXPECT_FALSE(take());
  view_.others_can_take = {kWindow};
  EXPECT_TRUE(take());
  scheduler_->prove_again({job, 0}, view_.index, {});
  view_.others_can_take = {kPorep};
  now_ += seconds(60);
  EXPECT_TRUE(take()) << "the other one did not";
  view_.others_can_take = {};
  scheduler_->prove_again({job, 0}, view_.index, now_ + seconds(5));
  EXPECT_FALSE(take());
  now_ += seconds(5);
  EXPECT_TRUE(take());
}

// The idle worker that has the circuit is the one that failed.
TEST_F(SchedulerTest, AWorkerLoadsForARetryThatTheOneWithTheCircuitMayNotTake) {
  const JobKey job = ready(Priority::normal, kPorep);
  ASSERT_TRUE(take());
  scheduler_->prove_again({job, 0}, view_.index, {});
  Scheduler::WorkerView other;
  other.index = 1;
  other.others_can_take = {kPorep};
  other.served_elsewhere[kPorep] = {0, 2};
  EXPECT_FALSE(scheduler_->take_worker_task(other, now_)) << "worker 2 takes it";
  other.served_elsewhere[kPorep] = {0};
  const auto load = scheduler_->take_worker_task(other, now_);
  ASSERT_TRUE(load);
  EXPECT_EQ(load->kind, Kind::load);
  other.resident = {kPorep};
  const auto task = scheduler_->take_worker_task(other, now_);
  ASSERT_TRUE(task);
  EXPECT_EQ(task->kind, Kind::prove);
}

TEST_F(SchedulerTest, D09WitnessesAreBounded) {
  make({.max_circuits = 4, .max_ahead = 30});
  const JobKey job = valid(Priority::normal, kPorep, 126);
  int begun = 0;
  while (const auto task = scheduler_->take_host_task({kPorep}, false, now_)) {
    EXPECT_EQ(task->kind, HostKind::synthesize);
    EXPECT_EQ(task->key.partition, static_cast<unsigned>(begun));
    scheduler_->set_state(task->key, State::ready);
    ++begun;
  }
  EXPECT_EQ(begun, 3);  // the fourth is for critical jobs
  valid(Priority::critical, kWinning);
  EXPECT_TRUE(scheduler_->take_host_task({kWinning}, true, now_));
  EXPECT_FALSE(scheduler_->take_host_task({kWinning}, false, now_));
  scheduler_->set_state({job, 0}, State::verifying);
  EXPECT_FALSE(scheduler_->take_host_task({kPorep}, false, now_));
  scheduler_->set_state({job, 0}, State::done);
  scheduler_->set_state({job, 1}, State::done);
  EXPECT_TRUE(scheduler_->take_host_task({kPorep}, false, now_));
}

TEST_F(SchedulerTest, D09WitnessesAheadOfTheWorkersAreBoundedForEachCircuit) {
  make({.max_circuits = 30, .max_ahead = 2});
  valid(Priority::normal, kPorep, 10);
  valid(Priority::normal, kWindow, 10);
  int begun = 0;
  while (scheduler_->take_host_task({kPorep, kWindow}, false, now_)) ++begun;
  EXPECT_EQ(begun, 4);
}

TEST_F(SchedulerTest, ChecksComeBeforeSynthesisOfTheSamePriority) {
  valid(Priority::normal, kPorep, 2);
  scheduler_->add(next_, Priority::normal, kPorep, 1, now_);
  const auto task = scheduler_->take_host_task({kPorep}, false, now_);
  ASSERT_TRUE(task);
  EXPECT_EQ(task->kind, HostKind::validate);
  EXPECT_EQ(task->key.job, next_);
  EXPECT_EQ(scheduler_->in_hand(next_), 1u);
  EXPECT_FALSE(scheduler_->has_begun(next_));
}

TEST_F(SchedulerTest, AStoppedJobGetsNothingMore) {
  const JobKey job = ready(Priority::normal, kPorep, 3);
  ASSERT_EQ(take()->key.job, job);
  scheduler_->stop(job);
  EXPECT_FALSE(take());
  EXPECT_FALSE(scheduler_->take_host_task({kPorep}, false, now_));
  EXPECT_EQ(scheduler_->in_hand(job), 1u);
  scheduler_->set_state({job, 0}, State::done);
  EXPECT_EQ(scheduler_->in_hand(job), 0u);
}

TEST_F(SchedulerTest, D27OnlyJobsThatHaveBegunGoOn) {
  const JobKey begun = ready(Priority::normal, kPorep, 2);
  EXPECT_EQ(prove(), begun);
  ready(Priority::high, kPorep);
  scheduler_->start_no_new_jobs();
  EXPECT_EQ(prove(), begun);
  EXPECT_EQ(prove(), 0u);
}

TEST_F(SchedulerTest, PositionCountsTheJobsAhead) {
  const JobKey a = valid(Priority::normal, kPorep);
  const JobKey b = valid(Priority::normal, kPorep);
  const JobKey c = valid(Priority::high, kWindow);
  EXPECT_EQ(scheduler_->position(a), 1u);
  EXPECT_EQ(scheduler_->position(b), 2u);
  EXPECT_EQ(scheduler_->position(c), 0u);
  scheduler_->remove(c);
  EXPECT_EQ(scheduler_->position(b), 1u);
}

}  // namespace
}  // namespace cuzk
