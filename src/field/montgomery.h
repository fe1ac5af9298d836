// Montgomery products for the two moduli of BLS12-381, chosen once between mulx/adx and portable code.
//
// On input a is any integer below 2^(64 N) and b is below the modulus (or the reverse); on output out = a b /
// 2^(64 N) mod p, fully reduced. `out` may alias `a` or `b`.
#pragma once

#include "field/limbs.h"

namespace cuzk {

void fp_mul_portable(Limbs<6>& out, const Limbs<6>& a, const Limbs<6>& b) noexcept;
void fr_mul_portable(Limbs<4>& out, const Limbs<4>& a, const Limbs<4>& b) noexcept;

void fp_mul(Limbs<6>& out, const Limbs<6>& a, const Limbs<6>& b) noexcept;
void fr_mul(Limbs<4>& out, const Limbs<4>& a, const Limbs<4>& b) noexcept;

}  // namespace cuzk
