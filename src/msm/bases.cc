#include "msm/bases.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "base/check.h"
#include "base/thread_pool.h"
#include "curve/encoding.h"

namespace cuzk {
namespace {

constexpr std::size_t kGrain = 4096;

void lower_to(std::atomic<std::size_t>& smallest, std::size_t value) noexcept {
  std::size_t seen = smallest.load();
  while (value < seen && !smallest.compare_exchange_weak(seen, value)) {
  }
}

// Why the kernels refused these bytes, by the decoder that explains.
template <typename F>
Status refusal(std::span<const std::uint8_t> encoded, std::size_t index, std::size_t n) {
  using Affine = AffinePoint<F>;
  const std::string context = "point " + std::to_string(index) + " of " + std::to_string(n);
  const Result<Affine> point = decode_uncompressed<Affine>(encoded.first<kUncompressedBytes<Affine>>());
  if (!point.is_ok()) return point.status().with_context(context);
  return invalid_argument(context + ": infinity is not allowed here");
}

}  // namespace

template <typename F>
Bases<F> Bases<F>::from_affine(std::span<const Affine> points, const PointKernels<F>& kernels) {
  CUZK_CHECK(points.size() < kMaxPoints, "too many bases");
  Bases bases(points.size(), kernels);
  std::atomic<bool> any_infinity = false;
  parallel_for(points.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    kernels.from_affine(points.data() + begin, end - begin, bases.points_.data() + begin);
    const auto part = points.subspan(begin, end - begin);
    if (std::ranges::any_of(part, &Affine::is_infinity)) any_infinity = true;
  });
  if (!any_infinity) return bases;
  bases.infinities_.resize((points.size() + 63) / 64);
  for (std::size_t i = 0; i < points.size(); ++i) {
    bases.infinities_[i / 64] |= std::uint64_t{points[i].is_infinity()} << (i % 64);
  }
  return bases;
}

template <typename F>
Result<Bases<F>> Bases<F>::from_encoded(std::span<const std::uint8_t> uncompressed,
                                        const PointKernels<F>& kernels) {
  constexpr std::size_t kBytes = kUncompressedBytes<Affine>;
  const std::size_t n = uncompressed.size() / kBytes;
  if (uncompressed.size() % kBytes != 0 || n >= kMaxPoints) {
    return invalid_argument("encoded points: " + std::to_string(uncompressed.size()) +
                            " bytes; a multiple of " + std::to_string(kBytes) +
                            " for fewer than 2^31 points is wanted");
  }
  Bases bases(n, kernels);
  std::atomic<std::size_t> first_bad = n;
  parallel_for(n, kGrain, [&](std::size_t begin, std::size_t end) {
    if (first_bad < begin) return;
    const std::size_t good =
        kernels.decode(uncompressed.data() + kBytes * begin, end - begin, bases.points_.data() + begin);
    if (good < end - begin) lower_to(first_bad, begin + good);
  });
  const std::size_t bad = first_bad;
  if (bad < n) return refusal<F>(uncompressed.subspan(kBytes * bad, kBytes), bad, n);
  return bases;
}

template <typename F>
AffinePoint<F> Bases<F>::affine(std::size_t i) const noexcept {
  CUZK_CHECK(i < size(), "base index out of range");
  Affine point;
  kernels_->to_affine(&points_[i], 1, &point);
  return point;
}

template class Bases<Fp>;
template class Bases<Fp2>;

}  // namespace cuzk
