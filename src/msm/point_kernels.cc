// The portable build of the point kernels, and the choice of build.
#include "msm/point_kernels.h"

#include "base/cpu_features.h"
#include "curve/encoding.h"
#include "msm/chain_sum.h"
#include "msm/lane_portable.h"

namespace cuzk {
namespace {

template <typename F>
void from_affine(const AffinePoint<F>* points, std::size_t n, KernelPoint<F>* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = {points[i].x, points[i].y};
}

template <typename F>
void to_affine(const KernelPoint<F>* points, std::size_t n, AffinePoint<F>* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = {points[i].x, points[i].y};
}

template <typename F>
std::size_t decode(const std::uint8_t* bytes, std::size_t n, KernelPoint<F>* out) {
  constexpr std::size_t kBytes = kUncompressedBytes<AffinePoint<F>>;
  for (std::size_t i = 0; i < n; ++i) {
    const std::span<const std::uint8_t, kBytes> encoded(bytes + kBytes * i, kBytes);
    const Result<AffinePoint<F>> point = decode_uncompressed<AffinePoint<F>>(encoded);
    if (!point.is_ok() || point.value().is_infinity()) return i;
    out[i] = {point.value().x, point.value().y};
  }
  return n;
}

template <typename F>
constexpr PointKernels<F> kPortable = {"portable",
                                       ChainSum<PortableLane<F>>::scratch_bytes,
                                       ChainSum<PortableLane<F>>::run,
                                       from_affine<F>,
                                       to_affine<F>,
                                       decode<F>};

}  // namespace

template <>
const PointKernels<Fp>& portable_kernels<Fp>() noexcept {
  return kPortable<Fp>;
}
template <>
const PointKernels<Fp2>& portable_kernels<Fp2>() noexcept {
  return kPortable<Fp2>;
}

template <typename F>
const PointKernels<F>& point_kernels() noexcept {
  return cpu_features().avx512_ifma ? ifma_kernels<F>() : portable_kernels<F>();
}
template const PointKernels<Fp>& point_kernels<Fp>() noexcept;
template const PointKernels<Fp2>& point_kernels<Fp2>() noexcept;

}  // namespace cuzk
