// The rules of the scheduler, without threads and without time passing by itself.
#include "engine/scheduler.h"

#include <gtest/gtest.h>

#include "engine/circuit_id.h"

namespace cuzk {
namespace {

using Kind = Scheduler::WorkerTask::Kind;
using HostKind = Scheduler::HostTask::Kind;
using State = Scheduler::State;
using std::chrono::seconds;

const CircuitParameters* circuit(const char* id) {
  return find_circuit(id).value();
}
const CircuitParameters* const kPorep = circuit("porep-2k");
const CircuitParameters* const kWindow = circuit("wpost-2k");
const CircuitParameters* const kWinning = circuit("winning-2k");

class SchedulerTest : public ::testing::Test {
 protected:
  void make(Scheduler::Options options) {
    options.age_step = seconds(60);
    scheduler_.emplace(options);
  }
  void SetUp() override {
    make({.max_circuits = 30, .max_ahead = 30});
    view_.resident = {kPorep, kWindow, kWinning};
  }
  // A job that is checked, and whose witnesses are made.
  JobKey ready(Priority priority, const CircuitParameters* circuit, unsigned partitions = 1) {
    const JobKey key = valid(priority, circuit, partitions);
    for (unsigned i = 0; i < partitions; ++i) scheduler_->set_state({key, i}, State::ready);
    return key;
  }
  JobKey valid(Priority priority, const CircuitParameters* circuit, unsigned partitions = 1) {
    const JobKey key = next_++;
    scheduler_->add(key, priority, circuit, partitions, now_);
    scheduler_->validated(key);
    return key;
  }
  std::optional<Scheduler::WorkerTask> take() { return scheduler_->take_worker_task(view_, now_); }
  // The job of the next proof, 0 if there is none; the proof is then done.
  JobKey prove() {
    const auto task = take();
    if (!task) return 0;
    EXPECT_EQ(task->kind, Kind::prove);
    scheduler_->set_state(task->key, State::done);
    return task->key.job;
  }

  std::optional<Scheduler> scheduler_;
  Scheduler::WorkerView view_;
  Scheduler::Clock::time_point now_ = Scheduler::Clock::time_point() + seconds(1000);
  JobKey next_ = 1;
};

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

// Else nobody would prove what holds the memory that it waits for.
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
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(2))
      << "about 0.1 s; minutes if each counts all";
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
  view_.served_elsewhere[kPorep] = 1;
  view_.is_alone = false;
  const JobKey one = ready(Priority::normal, kPorep);
  EXPECT_FALSE(take());
  ready(Priority::normal, kPorep);
  const auto load = take();
  ASSERT_TRUE(load);
  EXPECT_EQ(load->kind, Kind::load);
  EXPECT_EQ(load->key.job, one);
}

TEST_F(SchedulerTest, ARetryGoesToAnotherWorkerIfThereIsOne) {
  const JobKey job = ready(Priority::normal, kPorep);
  ASSERT_TRUE(take());
  scheduler_->prove_again({job, 0}, view_.index, {});
  view_.is_alone = false;
  EXPECT_FALSE(take());
  view_.is_alone = true;
  EXPECT_TRUE(take());
  scheduler_->prove_again({job, 0}, view_.index, now_ + seconds(5));
  EXPECT_FALSE(take());
  now_ += seconds(5);
  EXPECT_TRUE(take());
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
