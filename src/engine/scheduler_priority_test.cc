// Who goes before whom, and what a critical job may hold up.
#include "engine/scheduler_test_support.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)

TEST_F(SchedulerTest, HigherPriorityFirstThenInOrder) {
  const JobKey low = ready(Priority::low, kPorep);
  const JobKey normal = ready(Priority::normal, kPorep);
  const JobKey normal2 = ready(Priority::normal, kPorep);
  const JobKey high = ready(Priority::high, kWindow);
  const JobKey critical = ready(Priority::critical, kWinning);
  for (const JobKey wanted : {critical, high, normal, normal2, low, JobKey{0}}) EXPECT_EQ(prove(), wanted);
}

TEST_F(SchedulerTest, D25CriticalGoesBetweenTwoPartitions) {
  const JobKey porep = ready(Priority::normal, kPorep, 10);
  EXPECT_EQ(prove(), porep);
  const JobKey winning = ready(Priority::critical, kWinning);
  EXPECT_EQ(prove(), winning);
  EXPECT_EQ(prove(), porep);
}

TEST_F(SchedulerTest, D25AFreeWorkerIsKeptForACriticalWitness) {
  const JobKey porep = ready(Priority::normal, kPorep, 10);
  const JobKey winning = valid(Priority::critical, kWinning);
  EXPECT_FALSE(take());  // although PoRep is ready
  Scheduler::WorkerView other = view_;
  other.index = 1;
  const auto second = scheduler_->take_worker_task(other, now_);
  ASSERT_TRUE(second);  // one worker is enough for one witness
  EXPECT_EQ(second->key.job, porep);
  scheduler_->set_state({winning, 0}, State::ready);
  EXPECT_EQ(prove(), winning);
}

TEST_F(SchedulerTest, D25NoWorkerIsKeptForAWitnessThatWaitsForMemory) {
  const JobKey critical = valid(Priority::critical, kWinning);
  const JobKey normal = ready(Priority::normal, kPorep, 2);
  scheduler_->set_state({critical, 0}, State::synthesizing);
  EXPECT_FALSE(take().has_value());
  scheduler_->set_short_of_memory(critical, true);
  EXPECT_EQ(prove(), normal);
  scheduler_->set_short_of_memory(critical, false);
  EXPECT_FALSE(take().has_value());
  scheduler_->set_state({critical, 0}, State::ready);
  EXPECT_EQ(prove(), critical);
  EXPECT_EQ(prove(), normal);
}

TEST_F(SchedulerTest, D25NoWorkerIsKeptForAWitnessThatMayNotBeMade) {
  make({.max_circuits = 1, .max_ahead = 30});
  const JobKey normal = ready(Priority::normal, kPorep);
  const JobKey critical = valid(Priority::critical, kWinning);
  EXPECT_FALSE(scheduler_->take_host_task({kPorep, kWinning}, false, now_));
  EXPECT_EQ(prove(), normal);
  EXPECT_FALSE(take()) << "there is nothing else to do";
  const auto task = scheduler_->take_host_task({kPorep, kWinning}, false, now_);
  ASSERT_TRUE(task);
  EXPECT_EQ(task->key.job, critical);
}

TEST_F(SchedulerTest, D25NoWorkerIsKeptForAWitnessBehindALoadThatWaitsForMemory) {
  view_.resident = {kPorep, kWinning};
  view_.blocked = {kWindow};
  scheduler_->set_blocked({kWindow});
  const JobKey normal = ready(Priority::normal, kPorep);
  const JobKey first = valid(Priority::critical, kWindow);
  valid(Priority::critical, kWinning);
  EXPECT_FALSE(scheduler_->take_host_task({kPorep, kWinning}, false, now_));
  EXPECT_EQ(prove(), normal);
  const auto load = take();
  ASSERT_TRUE(load);
  EXPECT_EQ(load->kind, Kind::load);
  EXPECT_EQ(load->key.job, first);
}

TEST_F(SchedulerTest, D25NoWorkerIsKeptForAWitnessThatWasPutBack) {
  const JobKey critical = valid(Priority::critical, kWinning);
  const JobKey normal = ready(Priority::normal, kPorep, 2);
  ASSERT_EQ(scheduler_->take_host_task({kWinning}, false, now_)->key.job, critical);
  EXPECT_FALSE(take());
  scheduler_->set_state({critical, 0}, State::pending);
  EXPECT_EQ(prove(), normal);
  ASSERT_EQ(scheduler_->take_host_task({kWinning}, false, now_)->key.job, critical);
  scheduler_->set_state({critical, 0}, State::ready);
  EXPECT_EQ(prove(), critical);
}

TEST_F(SchedulerTest, D25AWorkerThatLeavesIsKeptForNobody) {
  ready(Priority::normal, kPorep, 2);
  valid(Priority::critical, kWinning);
  EXPECT_FALSE(take());
  scheduler_->forget_worker(view_.index);
  view_.index = 1;
  EXPECT_FALSE(take()) << "this one is kept free instead";
}

TEST_F(SchedulerTest, D25NoAgeBeatsCritical) {
  ready(Priority::high, kPorep, 3);
  now_ += seconds(100000);
  const JobKey winning = ready(Priority::critical, kWinning);
  EXPECT_EQ(prove(), winning);
}

TEST_F(SchedulerTest, D25LowAgesPastAnEndlessHigh) {
  const JobKey low = ready(Priority::low, kPorep);
  int turns = 0;
  for (; turns < 1000; ++turns) {
    ready(Priority::high, kWindow);
    if (prove() == low) break;
    now_ += seconds(1);
  }
  // Low is 1, high is 3: after three steps it is ahead.
  EXPECT_GE(turns, 179);
  EXPECT_LE(turns, 181);
}

TEST_F(SchedulerTest, AgedJobsTakeEveryOtherTurnAtMost) {
  std::vector<JobKey> old;
  for (int i = 0; i < 4; ++i) old.push_back(ready(Priority::normal, kPorep));
  now_ += seconds(1000);
  std::vector<JobKey> high;
  for (int i = 0; i < 4; ++i) high.push_back(ready(Priority::high, kWindow));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(prove(), old[i]);
    EXPECT_EQ(prove(), high[i]);
  }
}

}  // namespace
}  // namespace cuzk
