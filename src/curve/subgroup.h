// Membership in the subgroup of prime order r, by endomorphisms instead of a product with r.
#pragma once

#include "curve/affine.h"

namespace cuzk {

// Whether [r] point is infinity. The point must be on its curve (not checked); infinity is in the subgroup.
bool is_in_subgroup(const G1Affine& point) noexcept;
bool is_in_subgroup(const G2Affine& point) noexcept;

}  // namespace cuzk
