// D25: a WinningPoSt that comes at any moment of a stream of other proofs waits for the partition in progress and for nothing more.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "engine/engine_test_support.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)

enum class Moment { synthesis, proof, verification };

// The stream's input, which says when a witness is being made.
class StreamInput final : public ProofInput {
 public:
  StreamInput(unsigned partitions, std::function<void(Moment)> told)
      : input_(window_input(partitions)), told_(std::move(told)) {}
  const CircuitParameters& circuit() const noexcept override { return input_->circuit(); }
  std::string registered_proof() const override { return input_->registered_proof(); }
  std::size_t num_proofs() const noexcept override { return input_->num_proofs(); }
  std::uint64_t partition_of(std::size_t i) const noexcept override { return input_->partition_of(i); }
  std::vector<InputFinding> validate(bool stop_at_first) const override {
    return input_->validate(stop_at_first);
  }
  Witness witness(std::size_t i, const R1cs& r1cs) const override {
    told_(Moment::synthesis);
    return input_->witness(i, r1cs);
  }
  std::vector<Fr> public_inputs(std::size_t i) const override { return input_->public_inputs(i); }

 private:
  const std::shared_ptr<const ProofInput> input_;
  const std::function<void(Moment)> told_;
};

// Reads from the events, which come in the order in which things happened, what was started between the acceptance of a job and its own
// proof: each partition waits twice, for its synthesis and then for its proof.
class StartOrder final : public EngineObserver {
 public:
  explicit StartOrder(std::function<void(Moment)> told) : told_(std::move(told)) {}
  void job_changed(const JobSnapshot& job) override {
    const std::lock_guard lock(mutex_);
    if (job.state == JobState::queued) accepted_.emplace(job.job_id, starts_);
  }
  void span_ended(const JobSnapshot& job, const PhaseSpan& span) override {
    if (span.phase == "overhead" && span.worker >= 0) told_(Moment::verification);
    if (span.phase != "wait") return;
    const std::lock_guard lock(mutex_);
    if (++waits_[{job.job_id, span.partition}] != 2) return;
    started_.emplace(job.job_id, starts_++);
  }
  void note(Level, const std::string&) override {}

  // Proofs of others. Once the job has ended.
  unsigned started_before(const std::string& job_id) {
    EXPECT_TRUE(eventually([&] {
      const std::lock_guard lock(mutex_);
      return started_.contains(job_id);
    }));
    const std::lock_guard lock(mutex_);
    return started_.at(job_id) - accepted_.at(job_id);
  }

 private:
  const std::function<void(Moment)> told_;
  std::mutex mutex_;
  unsigned starts_ = 0;
  std::map<std::string, unsigned> accepted_, started_;  // starts before
  std::map<std::pair<std::string, int>, unsigned> waits_;
};

// CUZK_TEST_SEED, or one of the clock.
std::uint64_t test_seed() {
  const char* const given = std::getenv("CUZK_TEST_SEED");
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  const std::uint64_t seed =
      given != nullptr ? std::strtoull(given, nullptr, 10) : static_cast<std::uint64_t>(now);
  std::printf("CUZK_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  return seed;
}

class EnginePriority : public ::testing::Test {
 protected:
  // Called by the engine's threads at each moment of the stream.
  void at(Moment moment) {
    std::unique_lock lock(mutex_);
    if (!wanted_ || *wanted_ != moment || skip_-- > 0) return;
    wanted_.reset();
    lock.unlock();
    // An observer may not call the engine: that one is answered by the test's thread.
    const std::string id = moment == Moment::verification ? "" : submit_winning();
    lock.lock();
    is_there_ = true;
    submitted_ = id;
    changed_.notify_all();
  }
  std::string submit_winning() {
    const Result<Submitted> submitted = engine_->submit(winning_request());
    EXPECT_TRUE(submitted.is_ok()) << submitted.status().to_string();
    return submitted.is_ok() ? submitted.value().job_id : "refused";
  }
  // Has a WinningPoSt submitted at such a moment; its job.
  std::string submit_at(Moment moment, unsigned skip) {
    std::unique_lock lock(mutex_);
    is_there_ = false;
    skip_ = static_cast<int>(skip);
    wanted_ = moment;
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::minutes(1), [&] { return is_there_; }));
    lock.unlock();
    return submitted_.empty() ? submit_winning() : submitted_;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Moment> wanted_;
  int skip_ = 0;
  bool is_there_ = false;
  std::string submitted_;
  StartOrder order_{[this](Moment moment) { at(moment); }};
  std::shared_ptr<TestBackend::Desk> desk_ = std::make_shared<TestBackend::Desk>();
  std::unique_ptr<Engine> engine_;
};

TEST_F(EnginePriority, D25WinningAtAnyMomentWaitsForOnePartitionAtMost) {
  std::mt19937_64 random(test_seed());
  desk_->prove_time = std::chrono::milliseconds(10);
  desk_->on_prove = [this](unsigned) {
    at(Moment::proof);
    return Status::ok();
  };
  engine_ = make_engine(test_config(), {desk_}, nullptr, &order_);
  ASSERT_TRUE(engine_->preload("winning-2k").is_ok());
  const auto input = std::make_shared<const StreamInput>(2000, [this](Moment moment) { at(moment); });
  const std::string stream = engine_->submit(input, Priority::normal, {}).value().job_id;
  for (int round = 0; round < 50; ++round) {
    const auto moment = static_cast<Moment>(random() % 3);
    const auto skip = static_cast<unsigned>(random() % 3);
    const std::string id = submit_at(moment, skip);
    const JobSnapshot job = await_job(*engine_, id);
    ASSERT_EQ(job.state, JobState::completed) << round;
    ASSERT_EQ(job.priority, Priority::critical);
    EXPECT_LE(order_.started_before(id), 1u)
        << "round " << round << ", moment " << static_cast<int>(moment) << " after " << skip;
  }
  EXPECT_FALSE(is_final(engine_->find(stream).value().state)) << "there was always other work";
  EXPECT_TRUE(engine_->cancel(stream).is_ok());
}

}  // namespace
}  // namespace cuzk
