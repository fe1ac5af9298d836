// Inversion modulo an odd number by division steps.
//
// Method: Bernstein and Yang, "Fast constant-time gcd computation and modular inversion" (2019), in its
// variable-time form: 62 division steps at a time act on the low words of f and g only and give a 2x2 matrix,
// which is then applied to the whole of f, g and of the cofactors d, e (kept modulo p). About eight times
// faster than Fermat's power.
#pragma once

#include "field/limbs.h"

namespace cuzk {

// 1/value mod modulus as a canonical integer, 0 for 0. The modulus must be odd, prime to value, and below
// 2^(64 N - 1); value is below it; negative_inverse is -1/modulus mod 2^64. Instantiated for N = 1, 4, 6.
template <std::size_t N>
Limbs<N> inverse_mod(const Limbs<N>& value, const Limbs<N>& modulus, std::uint64_t negative_inverse) noexcept;

}  // namespace cuzk
