// The fixture of tests that need a GPU, and random data for them.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "cuda/runtime/device_info.h"
#include "cuda/runtime/stream.h"
#include "curve/projective.h"

namespace cuzk::cuda {

// Skips, with the reason, where no usable GPU is. Otherwise a test ends by proving that the device ran: it prints the
// device's name, and the events that it recorded around its work must have been reached.
class GpuTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto devices = list_devices();
    if (!devices.is_ok()) GTEST_SKIP() << devices.status().message();
    const DeviceInfo& device = devices.value().front();
    if (!device.usable()) GTEST_SKIP() << device.name << ": " << device.unusable_because;
    CUZK_CUDA_TRY(cudaSetDevice(device.index));
    stream_.emplace();
    timer_.emplace();
    timer_->start(stream_->get());
    name_ = device.name;
  }
  void TearDown() override {
    if (!stream_) return;
    timer_->stop(stream_->get());
    stream_->synchronize();
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    ASSERT_GT(timer_->ms(), 0) << "no work reached the device";
    RecordProperty("gpu", name_);
  }

  cudaStream_t stream() const { return stream_->get(); }

 private:
  std::optional<Stream> stream_;
  std::optional<EventTimer> timer_;
  std::string name_;
};

class RandomData {
 public:
  explicit RandomData(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t word() { return engine_(); }
  template <class Field>
  Field element() {
    typename Field::Repr repr;
    for (auto& limb : repr) limb = engine_();
    return Field::from_repr_unchecked(repr);
  }
  Fp2 fp2() {
    const Fp c0 = element<Fp>();
    return {c0, element<Fp>()};
  }
  std::vector<Fr> scalars(std::size_t n) {
    std::vector<Fr> out(n);
    for (Fr& x : out) x = element<Fr>();
    return out;
  }
  // s, s + d, s + 2 d, ..: s and d random points of the group.
  template <class Affine>
  std::vector<Affine> points(std::size_t n) {
    using Projective = ProjectivePoint<typename Affine::Field>;
    std::vector<Projective> progression(n);
    Projective next = Projective::generator().mul(element<Fr>());
    const Affine step = Projective::generator().mul(element<Fr>()).to_affine();
    for (Projective& p : progression) {
      p = next;
      next += step;
    }
    std::vector<Affine> out(n);
    batch_to_affine(std::span<const Projective>(progression), std::span<Affine>(out));
    return out;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace cuzk::cuda
