// A scheduler with a clock that a test sets, and jobs in the states that it wants.
#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "engine/circuit_id.h"
#include "engine/scheduler.h"

namespace cuzk::testing {

using Kind = Scheduler::WorkerTask::Kind;
using HostKind = Scheduler::HostTask::Kind;
using State = Scheduler::State;
using std::chrono::seconds;

inline const CircuitParameters* circuit(const char* id) {
  return find_circuit(id).value();
}
inline const CircuitParameters* const kPorep = circuit("porep-2k");
inline const CircuitParameters* const kWindow = circuit("wpost-2k");
inline const CircuitParameters* const kWinning = circuit("winning-2k");

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

}  // namespace cuzk::testing
