// The backend `cuda` through the contract of all backends, and against the backend `cpu` at sizes where every kernel of
// the sums takes part.
#include "cuda/cuda_backend.h"

#include "contract/contract.h"
#include "cpu/cpu_backend.h"
#include "cpu/setup.h"
#include "cuda/testing/gpu_test.h"
#include "groth16/verify.h"
#include "reference/random_circuit.h"
#include "reference/srs_buffer.h"

namespace cuzk::cuda {
namespace {

std::unique_ptr<CudaBackend> make_backend() {
  auto backend = CudaBackend::create(0);
  CUZK_CHECK(backend.is_ok(), backend.status().message());
  return std::move(backend).value();
}

class CudaContract : public GpuTest, public testing::WithParamInterface<contract::Case> {};

TEST_P(CudaContract, Holds) {
  const Status verdict = GetParam().run({"cuda", make_backend});
  EXPECT_TRUE(verdict.is_ok()) << verdict.message();
}
INSTANTIATE_TEST_SUITE_P(All, CudaContract, testing::ValuesIn(contract::cases()),
                         [](const auto& test) { return test.param.name; });

struct Fixture {
  explicit Fixture(std::size_t num_constraints, bool plain = false)
      : spec{.num_constraints = num_constraints, .seed = 7, .public_outputs = false, .plain = plain},
        r1cs(reference::random_r1cs(spec)) {
    const Fr x = Fr::from_u64(4711).inverse();
    const Status made = setup(*r1cs, {x, x * x, x + x, x + Fr::one(), x - Fr::from_u64(5)}, srs);
    CUZK_CHECK(made.is_ok(), made.message());
  }
  Witness witness(std::uint64_t seed) const {
    return reference::random_witness(spec, reference::Values::edge_elements, seed);
  }

  reference::CircuitSpec spec;
  std::shared_ptr<const R1cs> r1cs;
  reference::SrsBuffer srs;
};

std::string bytes_of(const Result<Proof>& proof) {
  if (!proof.is_ok()) return proof.status().to_string();
  const auto bytes = proof.value().encode();
  return {bytes.begin(), bytes.end()};
}

class CudaBackendTest : public GpuTest {};

// Each of many proofs, of two witnesses in turn, is that of the CPU, byte for byte.
TEST_F(CudaBackendTest, RepeatsEqualTheCpu) {
  const Fixture fixture(20'000);
  CpuBackend cpu;
  const auto backend = make_backend();
  EXPECT_NE(backend->device().name, "");
  const auto on_cpu = cpu.load(fixture.srs.view(), fixture.r1cs);
  const auto on_gpu = backend->load(fixture.srs.view(), fixture.r1cs);
  ASSERT_TRUE(on_cpu.is_ok() && on_gpu.is_ok()) << on_gpu.status().to_string();
  const Blinding blinding{Fr::from_u64(3).inverse(), Fr::from_u64(5).inverse()};
  ProveTimings timings;
  std::string want[2];
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    want[seed] = bytes_of(cpu.prove(*on_cpu.value(), fixture.witness(seed), blinding, timings));
  }
  ASSERT_NE(want[0], want[1]);
  for (std::uint64_t i = 0; i < 100; ++i) {
    ASSERT_EQ(bytes_of(backend->prove(*on_gpu.value(), fixture.witness(i % 2), blinding, timings)),
              want[i % 2])
        << i;
    ASSERT_GT(timings.ms(ProvePhase::msm_h), 0);
  }
}

TEST_F(CudaBackendTest, LargerCircuitAndPlan) {
  const Fixture fixture(400'000, true);
  const auto backend = make_backend();
  std::size_t before = 0, after = 0, total = 0;
  CUZK_CUDA_TRY(cudaMemGetInfo(&before, &total));
  const auto resident = backend->load(fixture.srs.view(), fixture.r1cs);
  ASSERT_TRUE(resident.is_ok()) << resident.status().to_string();
  CUZK_CUDA_TRY(cudaMemGetInfo(&after, &total));
  const double planned = static_cast<double>(backend->plan(CircuitShape::of(*fixture.r1cs)).resident_device);
  EXPECT_NEAR(planned, static_cast<double>(before - after), 0.02 * planned + 32e6);
  CpuBackend cpu;
  const auto on_cpu = cpu.load(fixture.srs.view(), fixture.r1cs);
  ASSERT_TRUE(on_cpu.is_ok());
  const Witness witness = fixture.witness(9);
  const Blinding blinding{Fr::from_u64(3).inverse(), Fr::from_u64(5).inverse()};
  ProveTimings timings, cpu_timings;
  const auto proof = backend->prove(*resident.value(), witness, blinding, timings);
  EXPECT_EQ(bytes_of(proof), bytes_of(cpu.prove(*on_cpu.value(), witness, blinding, cpu_timings)));
  ASSERT_TRUE(proof.is_ok());
  EXPECT_TRUE(
      verify(PreparedVerifyingKey(fixture.srs.vk()), std::span(witness.inputs).subspan(1), proof.value())
          .is_ok());
  for (std::size_t phase = 0; phase < kNumProvePhases; ++phase) {
    const auto p = static_cast<ProvePhase>(phase);
    std::printf("%-10s %8.2f ms, cpu %8.2f ms\n", prove_phase_name(p), timings.ms(p), cpu_timings.ms(p));
  }
}

TEST_F(CudaBackendTest, RefusesAGpuThatDoesNotExist) {
  const auto backend = CudaBackend::create(1000);
  ASSERT_FALSE(backend.is_ok());
  EXPECT_EQ(backend.status().code(), StatusCode::unavailable);
}

}  // namespace
}  // namespace cuzk::cuda
