// Multi-scalar multiplication by a witness: nearly all scalars are 0 or 1.
//
// The ones are a plain sum: their points are read once, in order, and added in affine form without buckets. The few other
// scalars go through Pippenger's method (pippenger.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "curve/projective.h"
#include "field/fr.h"
#include "msm/bases.h"

namespace cuzk {

// n scalars: scalar i is 1 if bit i % 64 of ones[i / 64] is set, values[k] for i = indices[k], otherwise 0. The two sets
// must not meet, indices are distinct and below n, `ones` has at least ceil(n / 64) words and no bit at n or above.
struct WitnessScalars {
  std::size_t n = 0;
  std::vector<std::uint64_t> ones;
  std::vector<std::uint32_t> indices;
  std::vector<Fr> values;
};

// Sum of the bases whose bit is set; bits at bases.size() or above must be clear (checked). Parallel.
template <typename F>
ProjectivePoint<F> sum_ones(const Bases<F>& bases, std::span<const std::uint64_t> ones);

}  // namespace cuzk
