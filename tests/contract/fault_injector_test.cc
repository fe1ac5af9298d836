// The faults that tests inject are faults: a verifier sees them, and a second try without them is right.
#include "support/fault_injector.h"

#include <gtest/gtest.h>

#include "contract/fixture.h"
#include "cpu/cpu_backend.h"

namespace cuzk::contract {
namespace {

class FaultInjectorTest : public testing::Test {
 protected:
  void SetUp() override {
    auto loaded = injector_.load(of_.srs.view(), of_.r1cs);
    ASSERT_TRUE(loaded.is_ok()) << loaded.status().to_string();
    resident_ = std::move(loaded).value();
  }
  Result<Proof> prove() {
    ProveTimings timings;
    return injector_.prove(*resident_, witness_, test_blinding(), timings);
  }
  bool is_right(const Result<Proof>& proof) const {
    return proof.is_ok() && verify_for(of_, witness_, proof.value()).is_ok() &&
           proof.value() == expected_proof(of_.spec, Values::random_bits, 1, test_blinding());
  }

  const Circuit& of_ = circuit({.num_constraints = 33, .seed = 33});
  const Witness witness_ = reference::random_witness(of_.spec, Values::random_bits, 1);
  FaultInjector injector_{std::make_unique<CpuBackend>()};
  std::unique_ptr<ResidentCircuit> resident_;
};

TEST_F(FaultInjectorTest, WrongProofsAreSeenByTheVerifierAndGoneAtTheSecondTry) {
  EXPECT_TRUE(is_right(prove()));
  for (const auto fault : {FaultInjector::Fault::wrong_limb, FaultInjector::Fault::wrong_sum}) {
    injector_.inject(fault, 1, 1);
    EXPECT_TRUE(is_right(prove()));
    const Result<Proof> wrong = prove();
    ASSERT_TRUE(wrong.is_ok());
    EXPECT_FALSE(verify_for(of_, witness_, wrong.value()).is_ok());
    EXPECT_EQ(wrong.value().c.is_on_curve(), fault == FaultInjector::Fault::wrong_sum);
    EXPECT_TRUE(is_right(prove()));
  }
  EXPECT_EQ(injector_.num_injected(), 2);
  EXPECT_EQ(injector_.num_calls(), 7);
}

TEST_F(FaultInjectorTest, OutOfMemoryPassesAndALostDeviceStaysLost) {
  injector_.inject(FaultInjector::Fault::out_of_memory, 2);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(prove().status().code(), StatusCode::resource_exhausted);
  EXPECT_TRUE(is_right(prove()));
  EXPECT_TRUE(injector_.device_status().usable);
  injector_.inject(FaultInjector::Fault::lost);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(prove().status().code(), StatusCode::unavailable);
  EXPECT_FALSE(injector_.device_status().usable);
  EXPECT_EQ(injector_.load(of_.srs.view(), of_.r1cs).status().code(), StatusCode::unavailable);
}

}  // namespace
}  // namespace cuzk::contract
