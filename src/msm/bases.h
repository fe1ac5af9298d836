// G1Bases, G2Bases: the fixed points of a multi-scalar multiplication, kept in the form that this machine's kernels read
// (point_kernels.h): 96 bytes a point in G1, 192 in G2.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/buffer.h"
#include "base/status.h"
#include "curve/affine.h"
#include "msm/point_kernels.h"

namespace cuzk {

template <typename F>
class Bases {
 public:
  using Affine = AffinePoint<F>;

  Bases() = default;  // no points

  // Points of the curve (not checked) or infinity; fewer than 2^31 (checked). Parallel.
  static Bases from_affine(std::span<const Affine> points,
                           const PointKernels<F>& kernels = point_kernels<F>());

  // From n uncompressed encodings (curve/encoding.h), one after the other, as a parameter file has them. Every point
  // must be finite and on the curve with coordinates below p, and in G1 have x != 0; membership in the subgroup is not
  // checked. invalid_argument names the first point that fails and why, or the wrong length. Parallel.
  static Result<Bases> from_encoded(std::span<const std::uint8_t> uncompressed,
                                    const PointKernels<F>& kernels = point_kernels<F>());

  std::size_t size() const noexcept { return points_.size(); }
  // Memory held.
  std::size_t bytes() const noexcept { return points_.bytes() + 8 * infinities_.size(); }
  // Point i, i < size() (checked), as it was given.
  Affine affine(std::size_t i) const noexcept;

  // For the sums in this folder.
  const PointKernels<F>& kernels() const noexcept { return *kernels_; }
  const KernelPoint<F>* points() const noexcept { return points_.data(); }
  bool has_infinities() const noexcept { return !infinities_.empty(); }
  bool is_infinity(std::size_t i) const noexcept {
    return has_infinities() && ((infinities_[i / 64] >> (i % 64)) & 1) != 0;
  }

 private:
  Bases(std::size_t n, const PointKernels<F>& kernels) : kernels_(&kernels), points_(n) {}

  const PointKernels<F>* kernels_ = &point_kernels<F>();
  Buffer<KernelPoint<F>> points_;
  std::vector<std::uint64_t> infinities_;  // bitmap; empty if there are none
};

using G1Bases = Bases<Fp>;
using G2Bases = Bases<Fp2>;

extern template class Bases<Fp>;
extern template class Bases<Fp2>;

}  // namespace cuzk
