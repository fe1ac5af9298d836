// The backend `cuda` through the contract of all backends, and against the backend `cpu` at sizes where every kernel of
// the sums takes part.
#include "cuda/cuda_backend.h"

#include "contract/contract.h"
#include "cuda/runtime/uploader.h"
#include "cuda/testing/gpu_test.h"
#include "groth16/verify.h"
#include "support/cuda_circuit_fixture.h"
#include "support/fault_injector.h"

namespace cuzk::cuda {
namespace {

class CudaContract : public GpuTest, public testing::WithParamInterface<contract::Case> {};

TEST_P(CudaContract, Holds) {
  const Status verdict = GetParam().run({"cuda", [] { return make_backend(); }});
  EXPECT_TRUE(verdict.is_ok()) << verdict.message();
}
INSTANTIATE_TEST_SUITE_P(All, CudaContract, testing::ValuesIn(contract::cases()),
                         [](const auto& test) { return test.param.name; });

class CudaBackendTest : public GpuTest {};

// Each of 300 proofs with the same blinding, of two witnesses in turn, is that of the CPU, byte for byte.
TEST_F(CudaBackendTest, RepeatsEqualTheCpu) {
  const CircuitFixture fixture(20'000);
  const Witness witnesses[2] = {fixture.witness(0), fixture.witness(1)};
  const std::string want[2] = {cpu_bytes(fixture, witnesses[0]), cpu_bytes(fixture, witnesses[1])};
  ASSERT_NE(want[0], want[1]);
  const auto backend = make_backend();
  EXPECT_NE(backend->device().name, "");
  const auto circuit = backend->load(fixture.srs.view(), fixture.r1cs);
  ASSERT_TRUE(circuit.is_ok()) << circuit.status().to_string();
  ProveTimings timings;
  for (std::size_t i = 0; i < 300; ++i) {
    const auto proof =
        backend->prove(*circuit.value(), witnesses[i % 2], CircuitFixture::blinding(), timings);
    ASSERT_EQ(bytes_of(proof), want[i % 2]) << i;
    ASSERT_GT(timings.ms(ProvePhase::msm_h), 0);
  }
}

// A wrong sum of the GPU is seen by the verifier, and the second try is right.
TEST_F(CudaBackendTest, AWrongSumDoesNotVerify) {
  const CircuitFixture fixture(2000);
  const Witness witness = fixture.witness(1);
  const PreparedVerifyingKey key(fixture.srs.vk());
  FaultInjector backend(make_backend());
  const auto circuit = backend.load(fixture.srs.view(), fixture.r1cs);
  ASSERT_TRUE(circuit.is_ok()) << circuit.status().to_string();
  const auto verified = [&] {
    ProveTimings timings;
    const auto proof = backend.prove(*circuit.value(), witness, CircuitFixture::blinding(), timings);
    return verify(key, std::span(witness.inputs).subspan(1), proof.value()).is_ok();
  };
  for (const auto fault : {FaultInjector::Fault::wrong_limb, FaultInjector::Fault::wrong_sum}) {
    backend.inject(fault);
    EXPECT_FALSE(verified());
    EXPECT_TRUE(verified());
  }
}

// Wants to stop when `phase` phases have begun.
class StopBefore final : public ProveObserver {
 public:
  explicit StopBefore(std::size_t phase) : phase_(phase) {}
  void phase_started(ProvePhase) override { ++started_; }
  void phase_finished(ProvePhase, double) override {}
  bool stop_requested() const override { return started_ == phase_; }

 private:
  std::size_t phase_;
  std::size_t started_ = 0;
};

TEST_F(CudaBackendTest, GivesAProofUpBetweenAnyTwoPhases) {
  const CircuitFixture fixture(2000);
  const Witness witness = fixture.witness(1);
  const auto backend = make_backend();
  const auto circuit = backend->load(fixture.srs.view(), fixture.r1cs);
  ASSERT_TRUE(circuit.is_ok()) << circuit.status().to_string();
  for (std::size_t phase = 1; phase + 1 < kNumProvePhases; ++phase) {
    StopBefore observer(phase);
    ProveTimings timings(&observer);
    const Status status =
        backend->prove(*circuit.value(), witness, CircuitFixture::blinding(), timings).status();
    EXPECT_EQ(status.code(), StatusCode::cancelled) << phase;
  }
  EXPECT_EQ(prove_bytes(*backend, *circuit.value(), witness), cpu_bytes(fixture, witness));
}

// The buffers go round while copies are under way, and nothing is overwritten too early.
TEST_F(CudaBackendTest, UploadsAreComplete) {
  Uploader uploader;
  RandomData random(51);
  constexpr std::size_t kChunk = Uploader::kChunkBytes;
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, kChunk - 1, kChunk, kChunk + 1, 7 * kChunk + 5}) {
    std::vector<std::uint8_t> host(size), back(size);
    for (std::size_t i = 0; i < size; i += 64) host[i] = static_cast<std::uint8_t>(random.word());
    const std::vector<std::uint8_t> want = host;
    DeviceBuffer<std::uint8_t> d_copy(size);
    uploader.upload(d_copy.data(), host.data(), size, stream());
    std::fill(host.begin(), host.end(), std::uint8_t{0xee});  // has been read
    d_copy.download(back, stream());
    EXPECT_TRUE(back == want) << size;
  }
}

TEST_F(CudaBackendTest, LargerCircuitAndPlan) {
  const CircuitFixture fixture(400'000, true);
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
  const Blinding blinding = CircuitFixture::blinding();
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
