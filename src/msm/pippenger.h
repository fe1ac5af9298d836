// Pippenger's bucket method for scalars of full width.
//
// Scalars are cut into signed digits (digits.h). For a group of windows at a time, every (digit, point) goes to the bin
// of its bucket, a bin being up to 2,048 consecutive buckets; then each bin is one task: it sorts its entries by bucket and
// sums all of its buckets side by side (list_sum.h), with points fetched at random but well ahead. The buckets of a
// window are reduced through their matrix (bucket_reduce.h).
//
// Work memory: 32 bytes a scalar for the recoded form, 8 bytes an entry for a group of windows (groups are chosen to stay
// under 32 MiB unless one window needs more), the group's buckets, 4 bytes an entry for the bins being summed, and 1.5
// MiB a thread. 2^22 points in G1: about 190 MiB.
#pragma once

#include <span>

#include "curve/projective.h"
#include "field/fr.h"
#include "msm/bases.h"

namespace cuzk {

// Sum of scalars[i] * base i, or scalars[i] * base indices[i] where `indices` is not empty (then of the scalars' length;
// an index may occur repeatedly). Indices are below bases.size(); without them there are at most bases.size() scalars.
template <typename F>
ProjectivePoint<F> pippenger(const Bases<F>& bases, std::span<const Fr> scalars,
                             std::span<const std::uint32_t> indices);

}  // namespace cuzk
