// GPUs one by one and several: selection, a GPU that is lost, and backends that share nothing.
#include <array>
#include <cstdlib>
#include <thread>

#include "cuda/runtime/device_selection.h"
#include "cuda/testing/gpu_test.h"
#include "cuda/testing/test_kernels.h"
#include "support/cuda_circuit_fixture.h"

namespace cuzk::cuda {
namespace {

class CudaDevicesTest : public GpuTest {};

TEST_F(CudaDevicesTest, SelectsByIndexAndUuid) {
  const auto all = select_devices("all");
  ASSERT_TRUE(all.is_ok()) << all.status().to_string();
  for (const DeviceInfo& device : all.value()) {
    std::printf("%s %s, compute capability %d.%d\n", device.label().c_str(), device.uuid.c_str(),
                device.compute_major, device.compute_minor);
    for (const std::string& selection : {std::to_string(device.index), device.uuid}) {
      const auto one = select_devices(selection);
      ASSERT_TRUE(one.is_ok()) << one.status().to_string();
      ASSERT_EQ(one.value().size(), 1u);
      EXPECT_EQ(one.value()[0].index, device.index);
      EXPECT_EQ(one.value()[0].uuid, device.uuid);
    }
  }
  const std::string next = std::to_string(visible_devices().value().size());
  for (const std::string& selection : {next, std::string("GPU-ffffffff-0")}) {
    EXPECT_EQ(select_devices(selection).status().code(), StatusCode::unavailable) << selection;
  }
  EXPECT_EQ(select_devices("0,0").status().code(), StatusCode::invalid_argument);
}

// A circuit may be used and freed by threads that never saw the GPU.
TEST_F(CudaDevicesTest, AnyThreadMayUseAndFreeWhatAnotherMade) {
  const CircuitFixture fixture(2000);
  const Witness witness = fixture.witness(1);
  auto backend = make_backend();
  std::unique_ptr<ResidentCircuit> circuit;
  std::string found;
  std::thread([&] { circuit = std::move(backend->load(fixture.srs.view(), fixture.r1cs)).value(); }).join();
  std::thread([&] { found = prove_bytes(*backend, *circuit, witness); }).join();
  EXPECT_EQ(found, cpu_bytes(fixture, witness));
  std::thread([&] {
    circuit.reset();
    backend.reset();
  }).join();
}

TEST_F(CudaDevicesTest, TwoGpusProveAtTheSameTime) {
  const auto devices = select_devices("all");
  ASSERT_TRUE(devices.is_ok()) << devices.status().to_string();
  if (devices.value().size() < 2) GTEST_SKIP() << "only one GPU is visible";
  const CircuitFixture fixture(50'000);
  const Witness witnesses[2] = {fixture.witness(1), fixture.witness(2)};
  const std::string want[2] = {cpu_bytes(fixture, witnesses[0]), cpu_bytes(fixture, witnesses[1])};
  std::array<std::unique_ptr<CudaBackend>, 2> backends;
  std::array<std::unique_ptr<ResidentCircuit>, 2> circuits;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      backends[i] = std::move(CudaBackend::create(devices.value()[i])).value();
      circuits[i] = std::move(backends[i]->load(fixture.srs.view(), fixture.r1cs)).value();
    });
  }
  for (std::thread& thread : threads) thread.join();
  threads.clear();
  EXPECT_NE(backends[0]->device_status().uuid, backends[1]->device_status().uuid);

  // Each thread goes from one GPU to the other and back.
  std::array<std::size_t, 4> wrong{};
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 20; ++i) {
        const std::size_t gpu = (t + i) % 2, w = i / 2 % 2;
        if (prove_bytes(*backends[gpu], *circuits[gpu], witnesses[w]) != want[w]) ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::size_t count : wrong) EXPECT_EQ(count, 0u);

  // Freed by threads that have the other GPU current; what stays loaded still works.
  for (std::size_t i = 0; i < 2; ++i) {
    std::thread([&] {
      make_current(devices.value()[1 - i].index);
      circuits[i].reset();
      backends[i].reset();
    }).join();
    if (i == 0) {
      EXPECT_EQ(prove_bytes(*backends[1], *circuits[1], witnesses[0]), want[0]);
    }
  }
}

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::_Exit(1);
}

// In a process of its own, because the context of the GPU does not survive.
[[noreturn]] void lose_the_gpu() {
  const CircuitFixture fixture(500);
  const Witness witness = fixture.witness(1);
  auto backend = make_backend();
  auto loaded = backend->load(fixture.srs.view(), fixture.r1cs);
  require(loaded.is_ok(), "a circuit is loaded");
  require(prove_bytes(*backend, *loaded.value(), witness) == cpu_bytes(fixture, witness), "a proof is made");
  write_to_no_address(nullptr);
  ProveTimings timings;
  for (int i = 0; i < 3; ++i) {
    const Status lost =
        backend->prove(*loaded.value(), witness, CircuitFixture::blinding(), timings).status();
    require(lost.code() == StatusCode::unavailable, "the proof is unavailable");
    std::fprintf(stderr, "%s\n", lost.message().c_str());
  }
  const DeviceStatus status = backend->device_status();
  require(!status.usable && !status.unusable_because.empty(), "the status says so");
  require(backend->load(fixture.srs.view(), fixture.r1cs).status().code() == StatusCode::unavailable,
          "loading is unavailable");
  loaded.value().reset();
  backend.reset();
  std::_Exit(0);
}

TEST_F(CudaDevicesTest, AGpuThatIsLostIsRetired) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(lose_the_gpu(), testing::ExitedWithCode(0),
              "GPU 0 .*retired until the process is restarted, after: .*cudaErrorIllegalAddress");
}

}  // namespace
}  // namespace cuzk::cuda
