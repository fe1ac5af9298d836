// The sum of many points of G2 by halving: neighbours are added with shared inversions (pair_addition.h) until few are left,
// which the host adds.
//
// For long lists only. A list of the 16.6 million points under the ones of a 32 GiB PoRep partition is read once; each level
// after that works on half of what the one before left.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/runtime/arena.h"
#include "curve/xyzz.h"

namespace cuzk::cuda {

class PairSums {
 public:
  // Shorter lists are not worth the levels, whose last ones leave most of the device idle.
  static constexpr std::size_t kFewest = std::size_t{1} << 18;

  // Work space from `arena` for lists of up to max_points points: 240 bytes a point.
  PairSums(Arena& arena, std::size_t max_points);

  // The sum of the points d_points[d_indices[i]], i < n, n at most max_points. Points are device affine (points.cuh), in G2 or
  // at least with y != 0. All cases are exact: equal and opposite points, infinity. Waits for the stream.
  G2Xyzz sum(const G2Affine* d_points, const uint32_t* d_indices, std::size_t n, cudaStream_t stream);

 private:
  static constexpr std::size_t kFewPoints = 512;  // that the host adds

  std::size_t max_points_;
  G2Affine* d_sums_[2];  // of one level and the next
  Fp2* d_products_;
};

}  // namespace cuzk::cuda
