// The memory of a GPU as others fill it: what does not fit is refused with figures and leaves nothing taken, what is loaded goes
// on proving, and everything comes back.
#include <optional>

#include "cuda/runtime/buffer.h"
#include "cuda/testing/gpu_test.h"
#include "support/cuda_circuit_fixture.h"

namespace cuzk::cuda {
namespace {

std::size_t free_bytes() {
  std::size_t free = 0, total = 0;
  CUZK_CUDA_TRY(cudaMemGetInfo(&free, &total));
  return free;
}

// Small allocations come from blocks that the driver keeps.
constexpr double kSlack = 16e6;

class CudaMemoryTest : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    backend_ = make_backend();
    // The first proof makes the driver load code and reserve stacks.
    const CircuitFixture small(2000);
    const auto circuit = backend_->load(small.srs.view(), small.r1cs);
    ASSERT_TRUE(circuit.is_ok()) << circuit.status().to_string();
    ASSERT_EQ(prove_bytes(*backend_, *circuit.value(), small.witness(1)), cpu_bytes(small, small.witness(1)));
    warmed_up_ = true;
  }
  // What another program takes so that `left` bytes stay free.
  static DeviceBuffer<std::uint8_t> hog(std::size_t left) {
    for (std::size_t size = free_bytes() - left;; size -= std::size_t{8} << 20) {
      try {
        return DeviceBuffer<std::uint8_t>(size);
      } catch (const CudaOutOfMemory&) {  // the driver does not give the last bytes away
      }
    }
  }
  static void expect_figures(const Status& status) {
    EXPECT_EQ(status.code(), StatusCode::resource_exhausted) << status.to_string();
    for (const char* word : {"needs ", " free of ", "GPU 0 ("})
      EXPECT_NE(status.message().find(word), std::string::npos) << status.message();
    std::printf("refused: %s\n", status.message().c_str());
  }

  std::unique_ptr<CudaBackend> backend_;
  bool warmed_up_ = false;
};

TEST_F(CudaMemoryTest, ACircuitThatDoesNotFitIsRefusedAndTakesNothing) {
  ASSERT_TRUE(warmed_up_);
  const CircuitFixture fixture(400'000, true);
  const Witness witness = fixture.witness(1);
  const MemoryPlan plan = backend_->plan(CircuitShape::of(*fixture.r1cs));
  for (const double part : {0.1, 0.5, 0.95}) {
    std::optional<DeviceBuffer<std::uint8_t>> other =
        hog(static_cast<std::size_t>(part * static_cast<double>(plan.resident_device)));
    const double before = static_cast<double>(free_bytes());
    expect_figures(backend_->load(fixture.srs.view(), fixture.r1cs).status());
    EXPECT_NEAR(static_cast<double>(free_bytes()), before, kSlack) << part;
  }
  const auto circuit = backend_->load(fixture.srs.view(), fixture.r1cs);
  ASSERT_TRUE(circuit.is_ok()) << circuit.status().to_string();
  EXPECT_EQ(prove_bytes(*backend_, *circuit.value(), witness), cpu_bytes(fixture, witness));
}

TEST_F(CudaMemoryTest, WhatIsLoadedGoesOnProvingOnAFullGpu) {
  ASSERT_TRUE(warmed_up_);
  const CircuitFixture fixture(20'000), large(400'000, true);
  const Witness witness = fixture.witness(1);
  const std::string want = cpu_bytes(fixture, witness);
  const auto circuit = backend_->load(fixture.srs.view(), fixture.r1cs);
  ASSERT_TRUE(circuit.is_ok()) << circuit.status().to_string();
  EXPECT_EQ(prove_bytes(*backend_, *circuit.value(), witness), want);
  {
    const DeviceBuffer<std::uint8_t> other = hog(std::size_t{16} << 20);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(prove_bytes(*backend_, *circuit.value(), witness), want);
    expect_figures(backend_->load(large.srs.view(), large.r1cs).status());
    EXPECT_EQ(prove_bytes(*backend_, *circuit.value(), witness), want);
  }
  EXPECT_EQ(prove_bytes(*backend_, *circuit.value(), witness), want);
}

TEST_F(CudaMemoryTest, EverythingComesBack) {
  ASSERT_TRUE(warmed_up_);
  const CircuitFixture small(20'000), large(400'000, true);
  const Witness witness = small.witness(1);
  const std::string want = cpu_bytes(small, witness);
  const double before = static_cast<double>(free_bytes());
  auto first = backend_->load(small.srs.view(), small.r1cs);
  ASSERT_TRUE(first.is_ok()) << first.status().to_string();
  const double with_small = static_cast<double>(free_bytes());
  {
    const auto second = backend_->load(large.srs.view(), large.r1cs);
    ASSERT_TRUE(second.is_ok()) << second.status().to_string();
    EXPECT_LT(static_cast<double>(free_bytes()), with_small - 10 * kSlack);
    EXPECT_EQ(prove_bytes(*backend_, *first.value(), witness), want);
  }
  // The work space is that of the small circuit again.
  EXPECT_NEAR(static_cast<double>(free_bytes()), with_small, kSlack);
  EXPECT_EQ(prove_bytes(*backend_, *first.value(), witness), want);

  // A load that fails at its last point, after it took all its memory.
  reference::SrsBuffer damaged = large.srs;
  damaged.bytes(Query::b_g2).back() ^= 1;
  const Status refused = backend_->load(damaged.view(), large.r1cs).status();
  EXPECT_EQ(refused.code(), StatusCode::invalid_argument) << refused.to_string();
  EXPECT_NEAR(static_cast<double>(free_bytes()), with_small, kSlack);
  EXPECT_EQ(prove_bytes(*backend_, *first.value(), witness), want);

  first.value().reset();
  EXPECT_NEAR(static_cast<double>(free_bytes()), before, kSlack);
}

TEST_F(CudaMemoryTest, PlanAndStatusAreTrue) {
  ASSERT_TRUE(warmed_up_);
  const CircuitFixture small(20'000), fixture(1'000'000, true);
  const DeviceStatus idle = backend_->device_status();
  EXPECT_EQ(idle.name, backend_->device().name);
  EXPECT_TRUE(idle.uuid.starts_with("GPU-"));
  EXPECT_TRUE(idle.usable);
  EXPECT_NEAR(static_cast<double>(idle.free_bytes), static_cast<double>(free_bytes()), kSlack);
  EXPECT_GT(idle.total_bytes, idle.free_bytes);
  const auto taken = [&] {
    return static_cast<double>(idle.free_bytes) - static_cast<double>(backend_->device_status().free_bytes);
  };

  const MemoryPlan plan = backend_->plan(CircuitShape::of(*fixture.r1cs));
  EXPECT_GT(plan.shared_device, 0u);
  EXPECT_LT(plan.shared_device, plan.resident_device);
  const auto circuit = backend_->load(fixture.srs.view(), fixture.r1cs);
  ASSERT_TRUE(circuit.is_ok()) << circuit.status().to_string();
  const double planned = static_cast<double>(plan.resident_device);
  EXPECT_NEAR(planned, taken(), 0.02 * planned) << "planned and taken";
  // A second circuit adds what it does not share.
  const MemoryPlan more = backend_->plan(CircuitShape::of(*small.r1cs));
  const auto second = backend_->load(small.srs.view(), small.r1cs);
  ASSERT_TRUE(second.is_ok()) << second.status().to_string();
  EXPECT_NEAR(planned + static_cast<double>(more.resident_device - more.shared_device), taken(),
              0.02 * planned);
}

}  // namespace
}  // namespace cuzk::cuda
