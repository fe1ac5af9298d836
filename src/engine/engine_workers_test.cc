// Several workers, not all alike: nothing waits for a worker that will not take it. D12, D23.
#include <atomic>
#include <thread>

#include "engine/engine_jobs_test_support.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)

class EngineWorkers : public EngineJobs {
 protected:
  // Both workers are devices with so many bytes, and a circuit takes 500.
  void make_devices(std::uint64_t first, std::uint64_t second) {
    for (const auto& [desk, bytes] : {std::pair(desk_, first), {other_desk_, second}}) {
      desk->resident_bytes = 500;
      desk->device.name = "a device";
      desk->device.total_bytes = desk->device.free_bytes = bytes;
    }
    make(2);
  }
};

// The worker that has the circuit idles, and is the one that must not make the proof again.
TEST_F(EngineWorkers, D12AWrongProofIsMadeAgainByAWorkerThatHasToLoadForIt) {
  std::atomic<bool> was_wrong{false};
  other_desk_->on_load = [&](unsigned) {
    return was_wrong ? Status::ok() : resource_exhausted("not before the other one was wrong");
  };
  desk_->is_wrong = [&](unsigned) {
    was_wrong = true;
    return true;
  };
  make(2);
  const JobSnapshot job = await_job(*engine_, submit());
  ASSERT_EQ(job.state, JobState::completed) << job.error->message;
  const EngineStatus status = engine_->status();
  EXPECT_EQ(status.workers[0].faults, 1u);
  EXPECT_EQ(status.workers[1].proofs, 1u);
}

TEST_F(EngineWorkers, D12AWrongProofIsMadeAgainByItsOwnWorkerIfNoOtherIsLargeEnough) {
  desk_->is_wrong = [](unsigned call) { return call == 0; };
  config_.age_step = std::chrono::hours(1);
  make_devices(1000, 100);
  const JobSnapshot job = await_job(*engine_, submit());
  ASSERT_EQ(job.state, JobState::completed) << job.error->message;
  EXPECT_EQ(engine_->status().workers[0].proofs, 2u);
}

// Says when its statement is asked for, and answers when it is told to.
class SlowStatement final : public ProofInput {
 public:
  explicit SlowStatement(std::shared_ptr<const ProofInput> input) : input_(std::move(input)) {}
  const CircuitParameters& circuit() const noexcept override { return input_->circuit(); }
  std::string registered_proof() const override { return input_->registered_proof(); }
  std::size_t num_proofs() const noexcept override { return input_->num_proofs(); }
  std::uint64_t partition_of(std::size_t i) const noexcept override { return input_->partition_of(i); }
  std::vector<InputFinding> validate(bool first) const override { return input_->validate(first); }
  Witness witness(std::size_t i, const R1cs& r1cs) const override { return input_->witness(i, r1cs); }
  std::vector<Fr> public_inputs(std::size_t i) const override {
    while (!may_answer) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return input_->public_inputs(i);
  }
  mutable std::atomic<bool> may_answer{false};

 private:
  const std::shared_ptr<const ProofInput> input_;
};

// What was proved is verified and given out, whoever is lost meanwhile.
TEST_F(EngineWorkers, D08AProofThatIsMadeOutlivesTheLastWorker) {
  desk_->on_prove = [](unsigned call) { return call == 0 ? Status::ok() : unavailable("fell off the bus"); };
  make();
  const auto slow = std::make_shared<const SlowStatement>(window_input(1));
  const std::string made = engine_->submit(slow, Priority::normal, {}).value().job_id;
  ASSERT_TRUE(eventually([&] { return desk_->calls() == 1; }));
  const std::string lost = submit();
  EXPECT_EQ(await_job(*engine_, lost).state, JobState::failed);
  EXPECT_FALSE(is_final(state(made)));
  slow->may_answer = true;
  const JobSnapshot job = await_job(*engine_, made);
  EXPECT_EQ(job.state, JobState::completed) << job.error->message;
}

// A wrong one cannot be made again.
TEST_F(EngineWorkers, D08AWrongProofFailsItsJobOnceTheLastWorkerIsLost) {
  desk_->on_prove = [](unsigned call) { return call == 0 ? Status::ok() : unavailable("fell off the bus"); };
  desk_->is_wrong = [](unsigned) { return true; };
  make();
  const auto slow = std::make_shared<const SlowStatement>(window_input(1));
  const std::string made = engine_->submit(slow, Priority::normal, {}).value().job_id;
  ASSERT_TRUE(eventually([&] { return desk_->calls() == 1; }));
  EXPECT_EQ(await_job(*engine_, submit()).state, JobState::failed);
  slow->may_answer = true;
  const JobSnapshot job = await_job(*engine_, made);
  ASSERT_EQ(job.state, JobState::failed);
  EXPECT_EQ(job.error->code, StatusCode::unavailable);
}

// Worker 1 lacks the memory for what worker 0 has: nobody has to make room for that.
TEST_F(EngineWorkers, ALoadThatIsBlockedHoldsNobodyUpWhereAnotherWorkerHasTheCircuit) {
  other_desk_->on_load = [](unsigned call) {
    return call == 0 ? Status::ok() : resource_exhausted("GPU memory: needs 100 bytes, 50 are free");
  };
  make(2);
  ASSERT_TRUE(engine_->preload("winning-2k").is_ok());
  desk_->close();
  const std::string window = submit(6);
  ASSERT_TRUE(desk_->wait_for_prove());
  ASSERT_TRUE(eventually([&] { return other_desk_->times_loaded() >= 3; }));
  const std::shared_ptr<const ProofInput> winning = parse_request(winning_request()).value();
  const std::string low = engine_->submit(winning, Priority::low, {}).value().job_id;
  EXPECT_EQ(await_job(*engine_, low).state, JobState::completed);
  EXPECT_FALSE(is_final(state(window)));
  desk_->open();
  EXPECT_EQ(await_job(*engine_, window).state, JobState::completed);
}

}  // namespace
}  // namespace cuzk
