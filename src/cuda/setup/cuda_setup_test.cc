// The device's setup against the processor's, byte for byte, and how it ends when it fails.
#include "cuda/setup/cuda_setup.h"

#include <map>
#include <string>

#include "circuit/proof_input.h"
#include "cpu/setup.h"
#include "cuda/runtime/device_info.h"
#include "cuda/testing/gpu_test.h"
#include "r1cs/shape_system.h"
#include "reference/failing_sink.h"
#include "reference/polynomial.h"
#include "reference/random_circuit.h"
#include "reference/srs_buffer.h"

namespace cuzk::cuda {
namespace {

ToxicWaste toxic(std::uint64_t k) {
  const Fr x = Fr::from_u64(k).inverse();
  return {x, x * x, x + x, x + Fr::one(), x - Fr::from_u64(5)};
}

class CudaSetup : public GpuTest {
 protected:
  static DeviceInfo device() { return list_devices().value().front(); }

  static void expect_equal(const R1cs& r1cs, std::size_t chunk_bytes) {
    reference::SrsBuffer wanted, found;
    ASSERT_TRUE(cuzk::setup(r1cs, toxic(19), wanted).is_ok());
    const Status status = setup(r1cs, toxic(19), found, nullptr, device(), chunk_bytes);
    ASSERT_TRUE(status.is_ok()) << status.to_string();
    ASSERT_TRUE(found.finished());
    ASSERT_GT(found.bytes(Query::h).size(), 0u);
    EXPECT_EQ(found.vk(), wanted.vk());
    for (const Query query : kQueries)
      EXPECT_TRUE(found.bytes(query) == wanted.bytes(query))
          << query_name(query) << ", " << r1cs.num_constraints();
    EXPECT_TRUE(found == wanted);
  }
};

TEST_F(CudaSetup, EqualsTheProcessor) {
  for (const std::size_t n : {2u, 15u, 31u, 32u, 33u, 100u, 1023u, 1024u, 1025u, 50'000u})
    expect_equal(*reference::random_r1cs({.num_constraints = n, .seed = n}), kSetupChunkBytes);
}

// One constraint and two inputs at the least: a domain of four points.
TEST_F(CudaSetup, OfOneConstraint) {
  expect_equal(*reference::random_r1cs({.num_constraints = 1, .seed = 1}), kSetupChunkBytes);
}

// More chunks than buffers, within each query, down to one point a chunk.
TEST_F(CudaSetup, ChunksOfAnySize) {
  const auto r1cs = reference::random_r1cs({.num_constraints = 300, .seed = 5});
  for (const std::size_t points : {1u, 2u, 7u, 64u, 1000u}) expect_equal(*r1cs, points * 192);
}

TEST_F(CudaSetup, OfTheWindowCircuitOf2KiB) {
  const SectorShape& shape = *find_sector_shape(std::string_view("2KiB")).value();
  const R1cs r1cs = record_circuit(*find_circuit_parameters(ProofKind::window, shape).value());
  ASSERT_EQ(SrsCounts::of(r1cs, r1cs.densities()).file_bytes(), 11'501'496u);
  expect_equal(r1cs, std::size_t{192} << 10);
}

TEST_F(CudaSetup, StopsAtTheSinksFirstFailure) {
  const auto r1cs = reference::random_r1cs({.num_constraints = 40, .seed = 2});
  reference::FailingSink never(0);
  ASSERT_TRUE(setup(*r1cs, toxic(3), never, nullptr, device(), 5 * 192).is_ok());
  ASSERT_GT(never.calls(), 12);
  for (int fail_at = 1; fail_at <= never.calls(); ++fail_at) {
    reference::FailingSink sink(fail_at);
    EXPECT_EQ(setup(*r1cs, toxic(3), sink, nullptr, device(), 5 * 192).code(),
              StatusCode::resource_exhausted);
    EXPECT_EQ(sink.calls(), fail_at);
  }
  expect_equal(*r1cs, 5 * 192);  // the device is as good as before
}

TEST_F(CudaSetup, RefusesWhatTheProcessorRefuses) {
  const auto r1cs = reference::random_r1cs({.num_constraints = 12, .seed = 2});
  ShapeSystem unused;
  unused.alloc(Fr::zero());
  const R1cs with_unused = unused.finish();
  const auto expect_refused = [&](const R1cs& circuit, const ToxicWaste& scalars, const std::string& why) {
    reference::FailingSink sink(0), cpu_sink(0);
    const Status status = setup(circuit, scalars, sink, nullptr, device());
    EXPECT_EQ(status.code(), StatusCode::invalid_argument) << status.to_string();
    EXPECT_NE(status.message().find(why), std::string::npos) << status.message();
    EXPECT_EQ(status.to_string(), cuzk::setup(circuit, scalars, cpu_sink).to_string());
    EXPECT_EQ(sink.calls(), 0);
  };
  ToxicWaste scalars = toxic(3);
  scalars.alpha = Fr::zero();
  expect_refused(*r1cs, scalars, "alpha");
  scalars = toxic(3);
  scalars.tau = reference::root_of_unity(16);
  expect_refused(*r1cs, scalars, "tau");
  expect_refused(with_unused, toxic(3), "occurs in no constraint");
}

TEST_F(CudaSetup, TooLittleMemoryIsSaidBeforeAnythingIsDone) {
  const auto r1cs = reference::random_r1cs({.num_constraints = 12, .seed = 2});
  const DeviceInfo gpu = device();
  reference::FailingSink sink(0);
  // A buffer larger than the device.
  const Status status = setup(*r1cs, toxic(3), sink, nullptr, gpu, gpu.memory_bytes / 192 * 192 + 192);
  EXPECT_EQ(status.code(), StatusCode::resource_exhausted) << status.to_string();
  EXPECT_NE(status.message().find(gpu.name), std::string::npos);
  EXPECT_EQ(sink.calls(), 0);
  expect_equal(*r1cs, kSetupChunkBytes);
}

TEST_F(CudaSetup, AnAbsentDeviceIsAFailureAndNoCrash) {
  DeviceInfo absent;
  absent.index = 1000;
  reference::FailingSink sink(0);
  const auto r1cs = reference::random_r1cs({.num_constraints = 12, .seed = 2});
  EXPECT_EQ(setup(*r1cs, toxic(3), sink, nullptr, absent).code(), StatusCode::internal);
  EXPECT_EQ(sink.calls(), 0);
  EXPECT_EQ(cudaSetDevice(device().index), cudaSuccess);
}

struct Steps final : ProgressObserver {
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> last;
  void progress(std::string_view step, std::uint64_t done, std::uint64_t total) override {
    EXPECT_GE(done, last[std::string(step)].first);
    last[std::string(step)] = {done, total};
  }
};

TEST_F(CudaSetup, ReportsProgressToTheEnd) {
  const auto r1cs = reference::random_r1cs({.num_constraints = 40, .seed = 1});
  reference::SrsBuffer srs;
  Steps steps;
  ASSERT_TRUE(setup(*r1cs, toxic(3), srs, &steps, device(), 5 * 192).is_ok());
  EXPECT_EQ(steps.last.size(), 6u);
  for (const auto& [step, counts] : steps.last) EXPECT_EQ(counts.first, counts.second) << step;
  EXPECT_EQ(steps.last["l"].second, r1cs->num_aux());
}

}  // namespace
}  // namespace cuzk::cuda
