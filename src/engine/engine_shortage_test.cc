// Memory that is short: what waits for it neither spins nor is forgotten, and every byte is counted once.
#include <thread>

#include "engine/circuit_id.h"
#include "engine/engine_jobs_test_support.h"
#include "engine/srs_manager.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)
using std::chrono::milliseconds;

constexpr std::uint64_t kResident = 1 << 20;

// What a circuit takes of the host besides kResident.
struct Sizes {
  explicit Sizes(const char* id) {
    const Constraints constraints(record_circuit(*find_circuit(id).value()));
    r1cs = constraints.shape.r1cs_bytes;
    witness = constraints.witness_bytes();
  }
  std::uint64_t r1cs = 0, witness = 0;
};

// Counts how often a stage takes one of its partitions into its hands.
class CountedInput final : public ProofInput {
 public:
  explicit CountedInput(std::shared_ptr<const ProofInput> input) : input_(std::move(input)) {}
  const CircuitParameters& circuit() const noexcept override { return input_->circuit(); }
  std::string registered_proof() const override { return input_->registered_proof(); }
  std::size_t num_proofs() const noexcept override { return input_->num_proofs(); }
  std::uint64_t partition_of(std::size_t i) const noexcept override {
    ++taken;
    return input_->partition_of(i);
  }
  std::vector<InputFinding> validate(bool first) const override { return input_->validate(first); }
  Witness witness(std::size_t i, const R1cs& r1cs) const override { return input_->witness(i, r1cs); }
  std::vector<Fr> public_inputs(std::size_t i) const override { return input_->public_inputs(i); }
  mutable std::atomic<unsigned> taken{0};

 private:
  const std::shared_ptr<const ProofInput> input_;
};

class EngineShortage : public EngineJobs {
 protected:
  EngineShortage() { desk_->resident_bytes = other_desk_->resident_bytes = kResident; }
  std::uint64_t used_bytes() { return engine_->status().host_memory.used_bytes; }
  std::shared_ptr<const ProofInput> winning_input() { return parse_request(winning_request()).value(); }
};

// A witness that lacks memory is put back while a load waits for some: the threads that make witnesses must not hand it to and fro.
TEST_F(EngineShortage, AWitnessThatIsPutBackRests) {
  const Sizes window("wpost-2k"), winning("winning-2k");
  desk_->resident_bytes = other_desk_->resident_bytes = 1;
  config_.host_memory_limit_bytes = winning.r1cs + window.r1cs + 2 + winning.witness + window.witness;
  ASSERT_LT(window.r1cs + window.witness, winning.witness) << "so a second one does not fit";
  std::atomic<bool> is_short{true};
  other_desk_->on_load = [&](unsigned) {
    return is_short ? resource_exhausted("GPU memory: needs 100 bytes, 50 are free") : Status::ok();
  };
  make(2);
  desk_->close();
  const std::string first = engine_->submit(winning_input(), Priority::normal, {}).value().job_id;
  ASSERT_TRUE(desk_->wait_for_prove());
  const auto input = std::make_shared<CountedInput>(winning_input());
  const std::string second = engine_->submit(input, Priority::normal, {}).value().job_id;
  const std::string third = submit();
  const unsigned loads = other_desk_->times_loaded();
  ASSERT_TRUE(eventually([&] { return other_desk_->times_loaded() >= loads + 5; }));
  const unsigned before = input->taken;
  std::this_thread::sleep_for(milliseconds(1000));
  EXPECT_GT(input->taken - before, 0u) << "it is tried again";
  EXPECT_LT(input->taken - before, 200u) << "about 40 in a second; thousands if the threads wake one another";
  is_short = false;
  desk_->open();
  for (const std::string& id : {first, second, third})
    EXPECT_EQ(await_job(*engine_, id).state, JobState::completed);
}

TEST_F(EngineShortage, ALoadThatLacksMemoryIsTriedAgainThenItsJobsFailWithTheNumbers) {
  desk_->on_load = [](unsigned call) {
    return call < 3 || call > 3 ? resource_exhausted("GPU memory: needs 100 bytes, 50 are free")
                                : Status::ok();
  };
  make();
  EXPECT_EQ(await_job(*engine_, submit()).state, JobState::completed);
  EXPECT_EQ(desk_->times_loaded(), 4u);
  ASSERT_TRUE(eventually([&] { return engine_->evict("wpost-2k").is_ok(); }));
  const JobSnapshot job = await_job(*engine_, submit());
  ASSERT_EQ(job.state, JobState::failed);
  EXPECT_EQ(job.error->code, StatusCode::resource_exhausted);
  EXPECT_EQ(job.error->phase, "srs_load");
  EXPECT_TRUE(job.error->retryable);
  EXPECT_NE(job.error->message.find("needs 100 bytes, 50 are free"), std::string::npos);
  EXPECT_TRUE(eventually([&] { return used_bytes() == 0; })) << used_bytes();
}

// The tries of a job that is gone are not those of the next.
TEST_F(EngineShortage, ALoadThatNobodyWaitsForIsForgotten) {
  desk_->on_load = [](unsigned call) {
    return call < 7 ? resource_exhausted("GPU memory: needs 100 bytes, 50 are free") : Status::ok();
  };
  make();
  const std::string first = submit();
  ASSERT_TRUE(eventually([&] { return desk_->times_loaded() >= 4; }));
  ASSERT_TRUE(engine_->cancel(first).is_ok());
  EXPECT_EQ(await_job(*engine_, first).state, JobState::cancelled);
  const JobSnapshot next = await_job(*engine_, submit());
  ASSERT_EQ(next.state, JobState::completed) << next.error->message;
  EXPECT_EQ(desk_->times_loaded(), 8u);
}

// A GPU's circuits hold nothing of the host but their constraints; a witness that lacks them gets them.
TEST_F(EngineShortage, AWitnessGetsTheMemoryOfTheConstraintsOfAnIdleCircuit) {
  const Sizes window("wpost-2k"), winning("winning-2k");
  desk_->resident_bytes = 100;
  desk_->device.total_bytes = desk_->device.free_bytes = 1000;
  config_.host_memory_limit_bytes = window.r1cs + winning.r1cs + winning.witness - 1;
  ASSERT_LE(window.witness, winning.witness);
  make();
  EXPECT_EQ(await_job(*engine_, submit()).state, JobState::completed);
  const std::string id = engine_->submit(winning_input(), Priority::normal, {}).value().job_id;
  EXPECT_EQ(await_job(*engine_, id).state, JobState::completed);
}

TEST_F(EngineShortage, D09TheMemoryOfRecoveredJobsIsCountedOnce) {
  const Sizes window("wpost-2k");
  const std::uint64_t message = window_request().memory_bytes();
  journal_ = std::make_shared<JournalData>();
  for (const char* id : {"a", "b", "c"}) journal_->accepted.push_back({id, 1, window_request()});
  // One witness at a time, and one message less than another three.
  const std::uint64_t loaded = window.r1cs + kResident;
  config_.host_memory_limit_bytes = loaded + window.witness + 5 * message + message / 2;
  ASSERT_LT(3 * message, 2 * window.witness);
  make();
  desk_->close();
  ASSERT_TRUE(desk_->wait_for_prove());
  EXPECT_TRUE(eventually([&] { return used_bytes() == loaded + window.witness + 3 * message; }))
      << used_bytes();
  desk_->open();
  for (const char* id : {"a", "b", "c"}) EXPECT_EQ(await_job(*engine_, id).state, JobState::completed);
  EXPECT_TRUE(eventually([&] { return used_bytes() == loaded; })) << used_bytes() - loaded << " bytes stay";
  // Were those three counted still, three more would be too many.
  desk_->close();
  std::vector<std::string> more;
  for (int i = 0; i < 3; ++i) {
    const Result<Submitted> submitted = engine_->submit(window_request());
    ASSERT_TRUE(submitted.is_ok()) << submitted.status().to_string();
    more.push_back(submitted.value().job_id);
  }
  desk_->open();
  for (const std::string& id : more) EXPECT_EQ(await_job(*engine_, id).state, JobState::completed);
}

}  // namespace
}  // namespace cuzk
