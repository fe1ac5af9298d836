// The two forms of fr_dot's inner loop: acc = sum of a[i] * b[i] over the Montgomery representatives, not
// reduced.
#pragma once

#include <cstddef>

#include "field/fr.h"

namespace cuzk::detail {

void accumulate_products_portable(Limbs<9>& acc, const Fr* a, const Fr* b, std::size_t n) noexcept;
// Only on processors with BMI2 and ADX (cpu_features().adx); the same result.
void accumulate_products_adx(Limbs<9>& acc, const Fr* a, const Fr* b, std::size_t n) noexcept;

}  // namespace cuzk::detail
