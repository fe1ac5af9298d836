#include "msm/bucket_reduce.h"

#include <vector>

namespace cuzk {
namespace {

// Sum of (i + first_weight) points[i].
template <typename F>
XyzzPoint<F> weighted_sum(const PointKernels<F>& kernels, const std::vector<KernelPoint<F>>& points,
                          std::size_t first_weight) {
  std::vector<AffinePoint<F>> affine(points.size());
  kernels.to_affine(points.data(), points.size(), affine.data());
  XyzzPoint<F> running, sum;
  for (std::size_t i = affine.size(); i-- > 0;) {
    running.add(affine[i]);
    if (i + first_weight > 0) sum.add(running);
  }
  return sum;
}

}  // namespace

template <typename F>
ProjectivePoint<F> reduce_buckets(const PointKernels<F>& kernels, const KernelPoint<F>* buckets,
                                  unsigned log_buckets, MatrixSide side, ListSummer<F>& lists) {
  const unsigned log_columns = log_buckets / 2, log_rows = log_buckets - log_columns;
  const bool rows = side == MatrixSide::rows;
  const std::size_t num_lists = std::size_t{1} << (rows ? log_rows : log_columns);
  const std::size_t list_size = std::size_t{1} << (rows ? log_columns : log_rows);
  const std::size_t list_step = rows ? std::size_t{1} << log_columns : 1;
  const std::size_t item_step = rows ? 1 : std::size_t{1} << log_columns;
  std::vector<PointRef> refs;
  std::vector<std::uint32_t> offsets = {0};
  refs.reserve(std::size_t{1} << log_buckets);
  for (std::size_t list = 0; list < num_lists; ++list) {
    for (std::size_t item = 0; item < list_size; ++item) {
      const std::size_t bucket = list * list_step + item * item_step;
      if (!buckets[bucket].is_infinity()) refs.push_back(static_cast<PointRef>(bucket));
    }
    offsets.push_back(static_cast<std::uint32_t>(refs.size()));
  }
  std::vector<KernelPoint<F>> sums(num_lists);
  lists.sum(kernels, buckets, refs.data(), offsets, sums.data());
  ProjectivePoint<F> result = weighted_sum(kernels, sums, rows ? 0 : 1).to_projective();
  for (unsigned i = 0; rows && i < log_columns; ++i) result = result.doubled();
  return result;
}

template G1Projective reduce_buckets<Fp>(const PointKernels<Fp>&, const KernelPoint<Fp>*, unsigned,
                                         MatrixSide, ListSummer<Fp>&);
template G2Projective reduce_buckets<Fp2>(const PointKernels<Fp2>&, const KernelPoint<Fp2>*, unsigned,
                                          MatrixSide, ListSummer<Fp2>&);

}  // namespace cuzk
