// The CPU backend on a circuit large enough for every path of the sums and transforms below it; small circuits are
// compared with the reference in tests/contract.
#include "cpu/cpu_backend.h"

#include <gtest/gtest.h>

#include "cpu/setup.h"
#include "groth16/verify.h"
#include "reference/random_circuit.h"
#include "reference/srs_buffer.h"

namespace cuzk {
namespace {

TEST(CpuBackend, ProvesACircuitOf20000Constraints) {
  const reference::CircuitSpec spec{.num_constraints = 20000, .seed = 7, .public_outputs = false};
  const auto r1cs = reference::random_r1cs(spec);
  const Fr x = Fr::from_u64(4711).inverse();
  reference::SrsBuffer srs;
  ASSERT_TRUE(setup(*r1cs, {x, x * x, x + x, x + Fr::one(), x - Fr::from_u64(5)}, srs).is_ok());
  const PreparedVerifyingKey key(srs.vk());
  CpuBackend backend;
  const auto resident = backend.load(srs.view(), r1cs);
  ASSERT_TRUE(resident.is_ok()) << resident.status().to_string();

  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    const Witness witness = reference::random_witness(spec, reference::Values::edge_elements, seed);
    ProveTimings timings;
    const Result<Proof> proof =
        backend.prove(*resident.value(), witness, Blinding::random().value(), timings);
    ASSERT_TRUE(proof.is_ok()) << proof.status().to_string();
    EXPECT_TRUE(verify(key, std::span(witness.inputs).subspan(1), proof.value()).is_ok());
    for (std::size_t phase = 0; phase < kNumProvePhases; ++phase)
      EXPECT_GT(timings.ms(static_cast<ProvePhase>(phase)), 0)
          << prove_phase_name(static_cast<ProvePhase>(phase));

    Witness changed = witness;
    changed.fulls.back() += Fr::one();
    const Status refused =
        backend.prove(*resident.value(), changed, Blinding::random().value(), timings).status();
    EXPECT_EQ(refused.code(), StatusCode::not_satisfied);
  }
}

// Wants to stop before the phase of this number.
class StopBefore final : public ProveObserver {
 public:
  explicit StopBefore(std::size_t phase) : phase_(phase) {}
  void phase_started(ProvePhase) override { ++started_; }
  void phase_finished(ProvePhase, double) override {}
  bool stop_requested() const override { return started_ == phase_; }
  std::size_t started() const noexcept { return started_; }

 private:
  std::size_t phase_;
  std::size_t started_ = 0;
};

TEST(CpuBackend, GivesAProofUpBetweenAnyTwoPhases) {
  const reference::CircuitSpec spec{.num_constraints = 300, .seed = 7, .public_outputs = false};
  const auto r1cs = reference::random_r1cs(spec);
  const Fr x = Fr::from_u64(4711).inverse();
  reference::SrsBuffer srs;
  ASSERT_TRUE(setup(*r1cs, {x, x * x, x + x, x + Fr::one(), x - Fr::from_u64(5)}, srs).is_ok());
  CpuBackend backend;
  const auto resident = backend.load(srs.view(), r1cs);
  ASSERT_TRUE(resident.is_ok()) << resident.status().to_string();
  const Witness witness = reference::random_witness(spec, reference::Values::edge_elements, 0);
  const Blinding blinding{x, x + x};

  for (std::size_t phase = 1; phase + 1 < kNumProvePhases; ++phase) {
    StopBefore observer(phase);
    ProveTimings timings(&observer);
    const Status status = backend.prove(*resident.value(), witness, blinding, timings).status();
    EXPECT_EQ(status.code(), StatusCode::cancelled) << phase;
    EXPECT_EQ(observer.started(), phase);
  }
  StopBefore never(kNumProvePhases + 1);
  ProveTimings timings(&never);
  EXPECT_TRUE(backend.prove(*resident.value(), witness, blinding, timings).is_ok());
}

// 32 GiB PoRep, from docs/formats/params.md: the points are 47.4 GB, a, b, c 12.9 GB.
TEST(CpuBackend, PlansARealCircuitWithoutBuildingIt) {
  CircuitShape shape{.num_inputs = 328,
                     .num_aux = 130169893,
                     .num_full = 1300000,
                     .num_constraints = 130000000,
                     .log_domain = 27,
                     .r1cs_bytes = 0,
                     .srs = {}};
  shape.srs.ic = 328;
  shape.srs.queries = {134217727, 130169893, 129753620, 33112282, 33112282};
  const MemoryPlan plan = CpuBackend().plan(shape);
  EXPECT_GT(plan.resident_host, 47373000000u + 12884000000u);
  EXPECT_LT(plan.resident_host, 62000000000u);
  EXPECT_EQ(plan.resident_device, 0u);
}

}  // namespace
}  // namespace cuzk
