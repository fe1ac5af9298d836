// Many products with one point: the setup of test parameters is made of them.
//
// The table holds every digit of every window, m 2^bit_offset times the base for m = 1 .. 2^(width - 1); a product is the sum
// of one entry a window, and sums of many scalars run side by side in affine form (list_sum.h). With 20 windows the
// table is 6.6 MiB in G1 and 13 MiB in G2, which a shared cache of 16 to 32 MiB holds.
#pragma once

#include <span>

#include "curve/affine.h"
#include "field/fr.h"
#include "msm/bases.h"

namespace cuzk {

template <typename F>
class FixedBase {
 public:
  // `base` is infinity or in the subgroup of order r. Builds the table, in parallel: 60 ms of processor time in G1, 300 ms in
  // G2 (Zen 4).
  explicit FixedBase(const AffinePoint<F>& base, const PointKernels<F>& kernels = point_kernels<F>());

  // out[i] = scalars[i] * base; the lengths are equal (checked). Any number of threads may call it at once; each call
  // uses all threads of the global pool.
  void mul(std::span<const Fr> scalars, std::span<AffinePoint<F>> out) const;

  std::size_t table_bytes() const noexcept { return table_.bytes(); }

 private:
  Bases<F> table_;  // entry m of window i at bucket_offset(i) + m - 1 (window.h)
};

using FixedBaseG1 = FixedBase<Fp>;
using FixedBaseG2 = FixedBase<Fp2>;

extern template class FixedBase<Fp>;
extern template class FixedBase<Fp2>;

}  // namespace cuzk
