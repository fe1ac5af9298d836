// From the buckets of a window to its sum.
//
// Bucket b holds the points whose digit is b + 1 (or its opposite), so the window's sum is S = sum of (b + 1) B_b. With b = 2^l hi + lo,
//
//     S = sum over lo of (lo + 1) C_lo  +  2^l * sum over hi of hi R_hi
//
// where C_lo and R_hi are the column and row sums of the matrix of buckets. Those are sums of lists like any other, done
// in affine form; only about 2^(l + 1) points of each kind are left for the running sums in XYZZ form.
#pragma once

#include "curve/projective.h"
#include "msm/list_sum.h"
#include "msm/point_kernels.h"

namespace cuzk {

// One of the two terms of S, the rows' with its factor; `buckets` has 2^log_buckets entries, infinity allowed. One
// thread; `lists` is work space.
enum class MatrixSide { columns, rows };
template <typename F>
ProjectivePoint<F> reduce_buckets(const PointKernels<F>& kernels, const KernelPoint<F>* buckets,
                                  unsigned log_buckets, MatrixSide side, ListSummer<F>& lists);

}  // namespace cuzk
