// What must not hang, leak or end the process: exceptions in a stage, memory that is short, workers that go at a bad moment.
#include <gtest/gtest.h>

#include <new>
#include <thread>

#include "engine/circuit_id.h"
#include "engine/engine_test_support.h"
#include "engine/sqlite_journal.h"
#include "engine/srs_manager.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)
using std::chrono::milliseconds;
using std::chrono::seconds;
using Desk = TestBackend::Desk;

// An input that runs out of memory in one of its methods.
class HungryInput final : public ProofInput {
 public:
  enum class Where { validate, witness, public_inputs };
  explicit HungryInput(Where where) : where_(where), input_(window_input(1)) {}
  const CircuitParameters& circuit() const noexcept override { return input_->circuit(); }
  std::string registered_proof() const override { return input_->registered_proof(); }
  std::size_t num_proofs() const noexcept override { return input_->num_proofs(); }
  std::uint64_t partition_of(std::size_t i) const noexcept override { return input_->partition_of(i); }
  std::vector<InputFinding> validate(bool stop_at_first) const override {
    eat(Where::validate);
    return input_->validate(stop_at_first);
  }
  Witness witness(std::size_t i, const R1cs& r1cs) const override {
    eat(Where::witness);
    return input_->witness(i, r1cs);
  }
  std::vector<Fr> public_inputs(std::size_t i) const override {
    eat(Where::public_inputs);
    return input_->public_inputs(i);
  }

 private:
  void eat(Where where) const {
    if (where == where_) throw std::bad_alloc();
  }
  const Where where_;
  const std::shared_ptr<const ProofInput> input_;
};

// A journal that calls functions before it accepts and recovers, and forgets.
class HookedJournal final : public Journal {
 public:
  explicit HookedJournal(
      std::function<void()> on_accept, std::function<void()> on_recover = [] {})
      : on_accept_(std::move(on_accept)), on_recover_(std::move(on_recover)) {}
  Status accept(const JournalEntry&) override {
    on_accept_();
    return Status::ok();
  }
  Status finish(const JobSnapshot&) override { return Status::ok(); }
  Result<std::vector<JournalEntry>> recover() override {
    on_recover_();
    return std::vector<JournalEntry>();
  }
  Result<std::optional<JobSnapshot>> find(const std::string&) override {
    return std::optional<JobSnapshot>();
  }
  Result<std::optional<Known>> find_request(const std::string&) override { return std::optional<Known>(); }
  Result<std::vector<JobSnapshot>> recent(std::size_t) override { return std::vector<JobSnapshot>(); }
  Result<std::uint64_t> forget_before(std::int64_t) override { return std::uint64_t{0}; }

 private:
  const std::function<void()> on_accept_, on_recover_;
};

// What a circuit takes of host memory besides its resident part.
struct Sizes {
  explicit Sizes(const char* id) {
    const Constraints constraints(record_circuit(*find_circuit(id).value()));
    r1cs = constraints.shape.r1cs_bytes;
    witness = constraints.witness_bytes();
  }
  std::uint64_t r1cs = 0, witness = 0;
};

class EngineFaults : public ::testing::Test {
 protected:
  void make(std::vector<std::shared_ptr<Desk>> desks) { engine_ = make_engine(config_, std::move(desks)); }
  std::string submit(unsigned partitions = 1, Priority priority = Priority::normal) {
    return engine_->submit(window_input(partitions), priority, {}).value().job_id;
  }
  std::shared_ptr<const ProofInput> winning_input() { return parse_request(winning_request()).value(); }
  std::uint64_t used_bytes() { return engine_->status().host_memory.used_bytes; }
  void expect_still_proves() { EXPECT_EQ(await_job(*engine_, submit()).state, JobState::completed); }
  // Two circuits of these sizes, both resident.
  std::uint64_t resident(const Sizes& a, const Sizes& b) {
    return a.r1cs + b.r1cs + 2 * desk_->resident_bytes;
  }

  EngineConfig config_ = test_config();
  std::shared_ptr<Desk> desk_ = std::make_shared<Desk>();
  std::shared_ptr<Desk> other_desk_ = std::make_shared<Desk>();
  std::unique_ptr<Engine> engine_;
};

TEST_F(EngineFaults, AnInputThatRunsOutOfMemoryFailsItsJobOnly) {
  make({desk_});
  using Where = HungryInput::Where;
  for (const auto& [where, phase] : {std::pair(Where::validate, "validate"),
                                     {Where::witness, "synth"},
                                     {Where::public_inputs, "verify"}}) {
    const auto input = std::make_shared<const HungryInput>(where);
    const JobSnapshot job = await_job(*engine_, engine_->submit(input, Priority::normal, {}).value().job_id);
    ASSERT_EQ(job.state, JobState::failed) << phase;
    EXPECT_EQ(job.error->code, StatusCode::resource_exhausted) << phase;
    EXPECT_EQ(job.error->phase, phase);
    EXPECT_TRUE(job.error->retryable);
  }
  expect_still_proves();
}

TEST_F(EngineFaults, ABackendThatThrowsFailsTheJobOnly) {
  desk_->on_load = [](unsigned call) -> Status {
    if (call == 0) throw std::bad_alloc();
    return Status::ok();
  };
  make({desk_});
  expect_still_proves();  // tried again
  EXPECT_EQ(desk_->loads, 2u);
  desk_->on_prove = [](unsigned) -> Status { throw std::bad_alloc(); };
  const JobSnapshot job = await_job(*engine_, submit());
  ASSERT_EQ(job.state, JobState::failed);
  EXPECT_EQ(job.error->code, StatusCode::resource_exhausted) << job.error->message;
  desk_->on_prove = [](unsigned) -> Status { throw std::runtime_error("a surprise"); };
  const JobSnapshot other = await_job(*engine_, submit());
  ASSERT_EQ(other.state, JobState::failed);
  EXPECT_EQ(other.error->code, StatusCode::internal);
  EXPECT_NE(other.error->message.find("a surprise"), std::string::npos) << other.error->message;
  desk_->on_prove = nullptr;
  expect_still_proves();
}

// The failure arrives after the cancel: nobody will prove that witness.
TEST_F(EngineFaults, AWitnessGoesWithItsCancelledJobWhateverTheBackendSays) {
  const std::array failures = {resource_exhausted("no memory"), internal_error("odd")};
  std::atomic<bool> is_held{false};
  const std::uint64_t resident = Sizes("wpost-2k").r1cs + 1000;
  for (const Status& failure : failures) {
    const auto desk = std::make_shared<Desk>();
    desk->resident_bytes = 1000;
    desk->on_prove = [&](unsigned call) {
      if (call == 0) return Status::ok();
      is_held = true;
      while (is_held) std::this_thread::sleep_for(milliseconds(1));
      return failure;
    };
    make({desk});
    expect_still_proves();
    const std::string id = submit();
    ASSERT_TRUE(eventually([&] { return is_held.load(); }));
    ASSERT_TRUE(engine_->cancel(id).is_ok());
    is_held = false;
    EXPECT_EQ(await_job(*engine_, id).state, JobState::cancelled);
    EXPECT_TRUE(eventually([&] { return used_bytes() == resident; }))
        << used_bytes() - resident << " bytes stay";
  }
}

TEST_F(EngineFaults, AJobThatIsAcceptedAsTheLastWorkerGoesFails) {
  desk_->on_prove = [](unsigned) { return unavailable("fell off the bus"); };
  std::vector<std::unique_ptr<Backend>> backends;
  backends.push_back(std::make_unique<TestBackend>(desk_));
  auto journal = std::make_unique<HookedJournal>(
      [this] { EXPECT_EQ(await_job(*engine_, submit()).state, JobState::failed); });
  engine_ = Engine::create(config_, std::move(backends), std::move(journal), nullptr).value();
  const JobSnapshot job = await_job(*engine_, engine_->submit(window_request()).value().job_id);
  ASSERT_EQ(job.state, JobState::failed);
  EXPECT_EQ(job.error->code, StatusCode::unavailable);
  EXPECT_NE(job.error->message.find("fell off the bus"), std::string::npos) << job.error->message;
}

TEST_F(EngineFaults, AJobForWhichOnlyTheLostWorkerWasLargeEnoughFails) {
  for (const auto& desk : {desk_, other_desk_}) desk->resident_bytes = 500;
  desk_->device.total_bytes = desk_->device.free_bytes = 1000;
  other_desk_->device.total_bytes = other_desk_->device.free_bytes = 100;
  desk_->on_prove = [](unsigned) { return unavailable("fell off the bus"); };
  make({desk_, other_desk_});
  const JobSnapshot job = await_job(*engine_, submit());
  ASSERT_EQ(job.state, JobState::failed);
  EXPECT_EQ(job.error->code, StatusCode::resource_exhausted);
  EXPECT_NE(job.error->message.find("500 bytes, the limit is 100"), std::string::npos) << job.error->message;
}

// What was in use when the witness asked for memory is evicted once it is idle.
TEST_F(EngineFaults, AWitnessGetsTheMemoryOfACircuitThatFallsIdle) {
  const Sizes window("wpost-2k"), winning("winning-2k");
  ASSERT_LT(window.witness, winning.witness);
  desk_->resident_bytes = 1 << 20;
  config_.host_memory_limit_bytes = resident(window, winning) + (window.witness + winning.witness) / 2;
  make({desk_});
  desk_->close();
  const std::string first = submit();
  ASSERT_TRUE(desk_->wait_for_prove());
  ASSERT_TRUE(engine_->preload("winning-2k").is_ok());
  const std::string second = engine_->submit(winning_input(), Priority::normal, {}).value().job_id;
  std::this_thread::sleep_for(milliseconds(200));
  desk_->open();
  EXPECT_EQ(await_job(*engine_, first).state, JobState::completed);
  EXPECT_EQ(await_job(*engine_, second).state, JobState::completed);
}

// A worker is kept free for a critical job only if that job can get on.
TEST_F(EngineFaults, D25AWorkerIsNotKeptForAWitnessThatLacksTheMemoryOfOthers) {
  const Sizes window("wpost-2k"), winning("winning-2k");
  desk_->resident_bytes = 1 << 20;
  config_.pin = {"wpost-2k"};
  const std::uint64_t free = std::max(winning.witness, 3 * window.witness + window.witness / 4);
  ASSERT_LT(free - 2 * window.witness, winning.witness);
  config_.host_memory_limit_bytes = resident(window, winning) + free;
  make({desk_});
  ASSERT_TRUE(engine_->preload("winning-2k").is_ok());
  desk_->close();
  const std::string first = submit(4);
  ASSERT_TRUE(eventually([&] { return used_bytes() >= resident(window, winning) + 3 * window.witness; }));
  const std::string second = engine_->submit(winning_input(), Priority::critical, {}).value().job_id;
  std::this_thread::sleep_for(milliseconds(200));
  desk_->open();
  EXPECT_EQ(await_job(*engine_, second).state, JobState::completed);
  EXPECT_EQ(await_job(*engine_, first).state, JobState::completed);
}

TEST_F(EngineFaults, AnEngineThatCannotStartSaysSo) {
  std::vector<std::unique_ptr<Backend>> backends;
  backends.push_back(std::make_unique<TestBackend>(desk_));
  const Status status =
      Engine::create(config_, std::move(backends),
                     std::make_unique<HookedJournal>([] {}, [] { throw std::bad_alloc(); }), nullptr)
          .status();
  EXPECT_EQ(status.code(), StatusCode::resource_exhausted);
  EXPECT_EQ(status.message().find("the engine cannot start: "), 0u) << status.message();
}

// A refused request was the last that the engine had to do: who waits for that is told.
TEST_F(EngineFaults, D27AnEngineIsIdleOnceARequestIsRefused) {
  std::atomic<bool> is_held{false};
  std::vector<std::unique_ptr<Backend>> backends;
  backends.push_back(std::make_unique<TestBackend>(desk_));
  auto journal = std::make_unique<HookedJournal>([&is_held] {
    is_held = true;
    while (is_held) std::this_thread::sleep_for(milliseconds(1));
    throw std::bad_alloc();
  });
  engine_ = Engine::create(config_, std::move(backends), std::move(journal), nullptr).value();
  std::thread client([&] { EXPECT_FALSE(engine_->submit(window_request()).is_ok()); });
  ASSERT_TRUE(eventually([&] { return is_held.load(); }));
  const auto begin = std::chrono::steady_clock::now();
  std::thread waiter([&] { EXPECT_TRUE(engine_->wait_idle(seconds(60))); });
  std::this_thread::sleep_for(milliseconds(200));
  is_held = false;
  waiter.join();
  client.join();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(30)) << "seen when its time was up";
}

TEST_F(EngineFaults, TheLongestTimesAreWaitedFor) {
  make({desk_});
  desk_->close();
  const std::string id = submit();
  std::thread opener([&] {
    std::this_thread::sleep_for(milliseconds(100));
    desk_->open();
  });
  const Result<JobSnapshot> job = engine_->await(id, milliseconds::max());
  EXPECT_EQ(job.value().state, JobState::completed);
  desk_->close();
  submit();
  opener.join();
  opener = std::thread([&] {
    std::this_thread::sleep_for(milliseconds(100));
    desk_->open();
  });
  EXPECT_TRUE(engine_->wait_idle(milliseconds::max()));
  opener.join();
}

// journal.h: the id passes on, also to a job after a restart.
TEST_F(EngineFaults, D10ARequestIdOfAFailedOrCancelledJobIsFreeAlsoAfterARestart) {
  const ScratchFolder folder;
  const auto start = [&] {
    engine_.reset();
    engine_ = make_engine(config_, {desk_}, open_sqlite_journal(folder.path() / "journal.db").value());
  };
  ProofRequest failing = window_request(), cancelled = window_request();
  failing.request_id = "fails";
  cancelled.request_id = "is cancelled";
  desk_->on_prove = [](unsigned) { return not_satisfied("constraint 7 does not hold"); };
  start();
  const std::string failed_id = engine_->submit(failing).value().job_id;
  EXPECT_EQ(await_job(*engine_, failed_id).state, JobState::failed);
  desk_->close();
  const std::string cancelled_id = engine_->submit(cancelled).value().job_id;
  ASSERT_TRUE(engine_->cancel(cancelled_id).is_ok());
  EXPECT_EQ(await_job(*engine_, cancelled_id).state, JobState::cancelled);
  desk_->on_prove = nullptr;
  desk_->open();
  start();
  for (ProofRequest request : {failing, cancelled}) {
    request.vanilla_proofs.pop_back();  // other content
    const Result<Submitted> next = engine_->submit(request);
    ASSERT_TRUE(next.is_ok()) << next.status().to_string();
    EXPECT_FALSE(next.value().is_known);
    EXPECT_EQ(await_job(*engine_, next.value().job_id).state, JobState::completed);
    start();
    EXPECT_EQ(engine_->submit(request).value().job_id, next.value().job_id) << "a completed job keeps it";
  }
  EXPECT_EQ(engine_->find(failed_id).value().state, JobState::failed) << "the job itself is still known";
}

}  // namespace
}  // namespace cuzk
