// One job over several backends: all of them prove, the proofs stand in order, a lost device leaves its work to the others and a failure
// ends the job.
#include "proof_job.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "engine/engine_test_support.h"
#include "gen/gen_post.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)
using Desk = TestBackend::Desk;

constexpr unsigned kPartitions = 8;

// Each partition of two sectors of its own, so that no two proofs are equal.
std::shared_ptr<const ProofInput> input_of_many() {
  const SectorShape* shape = find_sector_shape(std::string_view("2KiB")).value();
  const RegisteredPost proof = registered_post(PostKind::window, *shape, ApiVersion::v1_2_0).value();
  GeneratedPost post = gen_post({.proof = proof, .sectors = 2 * kPartitions}).value();
  return make_post_input(proof, post.randomness, std::move(post.sectors), std::nullopt).value();
}

// The processor's backend, slowed down so that others get their turn.
class SlowBackend final : public Backend {
 public:
  explicit SlowBackend(std::shared_ptr<std::atomic<unsigned>> calls) : calls_(std::move(calls)) {}
  std::string_view name() const noexcept override { return cpu_.name(); }
  MemoryPlan plan(const CircuitShape& shape) const override { return cpu_.plan(shape); }
  Result<std::unique_ptr<ResidentCircuit>> load(const SrsView& srs, std::shared_ptr<const R1cs> r1cs,
                                                ProgressObserver* progress) override {
    return cpu_.load(srs, std::move(r1cs), progress);
  }
  Result<Proof> prove(ResidentCircuit& circuit, const Witness& witness, const Blinding& blinding,
                      ProveTimings& timings) override {
    ++*calls_;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return cpu_.prove(circuit, witness, blinding, timings);
  }

 private:
  const std::shared_ptr<std::atomic<unsigned>> calls_;
  CpuBackend cpu_;
};

Result<JobSnapshot> run(std::shared_ptr<const ProofInput> input, Backends backends) {
  Progress progress(true);
  const ProofJobOptions options{test_params(), true, false, true};
  return run_proof_job(std::move(input), options, std::move(backends), progress);
}

TEST(ProofJobOnSeveralBackends, MakesTheProofsOfOneInTheirOrder) {
  const auto input = input_of_many();
  Backends one;
  one.push_back(std::make_unique<CpuBackend>());
  const auto alone = run(input, std::move(one));
  ASSERT_TRUE(alone.is_ok()) << alone.status().to_string();
  ASSERT_EQ(alone.value().proof.size(), kPartitions * 192u);

  Backends both;
  std::vector<std::shared_ptr<std::atomic<unsigned>>> calls;
  for (int i = 0; i < 2; ++i) {
    calls.push_back(std::make_shared<std::atomic<unsigned>>(0));
    both.push_back(std::make_unique<SlowBackend>(calls.back()));
  }
  const auto shared = run(input, std::move(both));
  ASSERT_TRUE(shared.is_ok()) << shared.status().to_string();
  EXPECT_EQ(to_hex(shared.value().proof), to_hex(alone.value().proof));
  EXPECT_GE(*calls[0], 1u);
  EXPECT_GE(*calls[1], 1u);
  EXPECT_EQ(*calls[0] + *calls[1], kPartitions);
}

class ProofJob : public ::testing::Test {
 protected:
  Result<JobSnapshot> run_at(const std::vector<std::shared_ptr<Desk>>& desks) {
    Backends backends;
    for (const auto& desk : desks) {
      desk->prove_time = std::chrono::milliseconds(100);
      backends.push_back(std::make_unique<TestBackend>(desk));
    }
    return run(window_input(kPartitions), std::move(backends));
  }

  const std::shared_ptr<Desk> first_ = std::make_shared<Desk>(), second_ = std::make_shared<Desk>();
};

TEST_F(ProofJob, ALostDeviceLeavesItsPartitionsToTheOthers) {
  first_->on_prove = [](unsigned) { return unavailable("the device is lost"); };
  const auto job = run_at({first_, second_});
  ASSERT_TRUE(job.is_ok()) << job.status().to_string();
  EXPECT_EQ(job.value().proof.size(), kPartitions * 192u);
  EXPECT_EQ(second_->calls(), kPartitions);
}

TEST_F(ProofJob, TheFirstFailureEndsTheJob) {
  const auto fail_second = [](unsigned call) {
    return call == 1 ? Status(StatusCode::not_satisfied, "constraint 7 fails") : Status::ok();
  };
  for (const auto& desk : {first_, second_}) desk->on_prove = fail_second;
  const auto job = run_at({first_, second_});
  ASSERT_FALSE(job.is_ok());
  EXPECT_EQ(job.status().code(), StatusCode::not_satisfied);
  EXPECT_NE(job.status().message().find("constraint 7 fails"), std::string::npos) << job.status().message();
  EXPECT_LT(first_->calls() + second_->calls(), kPartitions);
}

}  // namespace
}  // namespace cuzk
