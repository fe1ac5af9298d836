// Sums of products in Fr with one reduction: half the work of reducing every product.
#pragma once

#include <cstddef>

#include "field/fr.h"

namespace cuzk {

// sum of a[i] * b[i] over i < n; 0 for n = 0. n <= 64, which a caller guarantees: beyond it the result would
// not be reduced.
Fr fr_dot(const Fr* a, const Fr* b, std::size_t n) noexcept;

}  // namespace cuzk
