// Fixed-base products of the device against the processor's, as encoded bytes.
#include "cuda/setup/fixed_base.h"

#include <algorithm>

#include "cuda/testing/gpu_test.h"
#include "curve/encoding.h"
#include "msm/fixed_base.h"

namespace cuzk::cuda {
namespace {

class FixedBaseDevice : public GpuTest {
 protected:
  template <typename F>
  void expect_equal(const DeviceFixedBase<F>& device, const FixedBase<F>& host,
                    const std::vector<Fr>& scalars) {
    constexpr std::size_t kPoint = sizeof(AffinePoint<F>);
    constexpr std::uint8_t kUntouched = 0xa5;
    std::vector<AffinePoint<F>> points(scalars.size());
    host.mul(scalars, points);
    std::vector<std::uint8_t> wanted(scalars.size() * kPoint), found(wanted.size() + kPoint);
    encode_uncompressed(points, wanted);
    wanted.resize(found.size(), kUntouched);  // a point's room past the end stays as it was

    const DeviceBuffer<Fr> d_scalars{std::span<const Fr>(scalars)};
    DeviceBuffer<std::uint8_t> d_encoded(found.size());
    CUZK_CUDA_TRY(cudaMemsetAsync(d_encoded.data(), kUntouched, found.size(), stream()));
    device.multiply(d_scalars.data(), scalars.size(), d_encoded.data(), stream());
    d_encoded.download(found, stream());
    for (std::size_t i = 0; i <= scalars.size(); ++i) {
      ASSERT_TRUE(std::equal(found.begin() + static_cast<std::ptrdiff_t>(i * kPoint),
                             found.begin() + static_cast<std::ptrdiff_t>((i + 1) * kPoint),
                             wanted.begin() + static_cast<std::ptrdiff_t>(i * kPoint)))
          << "product " << i << " of " << scalars.size();
    }
  }

  template <typename F>
  void expect_all_equal() {
    const AffinePoint<F> bases[] = {AffinePoint<F>::generator(),
                                    ProjectivePoint<F>::generator().mul(-Fr::from_u64(12345)).to_affine()};
    for (const AffinePoint<F>& base : bases) {
      const DeviceFixedBase<F> device(base, stream());
      const FixedBase<F> host(base);
      std::vector<Fr> edges = {Fr::zero(),
                               Fr::one(),
                               -Fr::one(),
                               Fr::from_u64(2),
                               -Fr::from_u64(2),
                               Fr::from_u64(0xffff),
                               Fr::from_u64(0x10000),
                               Fr::from_u64(2).inverse()};
      for (unsigned bit = 0; bit < 255; ++bit) edges.push_back(Fr::from_u64(2).pow(bit));
      expect_equal(device, host, edges);
      expect_equal(device, host, std::vector<Fr>(64, Fr::zero()));
      RandomData random(7);
      for (const std::size_t n : {1u, 2u, 31u, 32u, 33u, 127u, 128u, 129u, 1023u, 1024u, 1025u, 20000u}) {
        std::vector<Fr> scalars = random.scalars(n);
        expect_equal(device, host, scalars);
        scalars.back() = -Fr::one();
        scalars.front() = Fr::zero();
        expect_equal(device, host, scalars);
      }
    }
  }
};

TEST_F(FixedBaseDevice, EqualsTheProcessorInG1) {
  expect_all_equal<Fp>();
}
TEST_F(FixedBaseDevice, EqualsTheProcessorInG2) {
  expect_all_equal<Fp2>();
}

TEST_F(FixedBaseDevice, NothingIsNothing) {
  const DeviceFixedBase<Fp> device(G1Affine::generator(), stream());
  device.multiply(nullptr, 0, nullptr, stream());
  EXPECT_EQ(cudaStreamSynchronize(stream()), cudaSuccess);
}

}  // namespace
}  // namespace cuzk::cuda
