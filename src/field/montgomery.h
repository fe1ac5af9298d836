// Montgomery products for the two moduli of BLS12-381, chosen once between mulx/adx and portable code.
//
// On input a is any integer below 2^(64 N) and b is below the modulus; on output out = a b / 2^(64 N) mod p,
// fully reduced. `out` may alias `a` or `b`.
#pragma once

#include "field/limbs.h"

namespace cuzk {

// Coarsely integrated operand scanning (Acar, Koc, Kaliski, "Analyzing and comparing Montgomery
// multiplication algorithms", 1996): one row of a_i b, then one row of reduction, N times. Because b < p <
// 2^(64 N - 1), t stays below b + p after each row and never needs another limb.
template <typename Params>
void montgomery_mul(Limbs<Params::kLimbs>& out, const Limbs<Params::kLimbs>& a,
                    const Limbs<Params::kLimbs>& b) noexcept {
  constexpr std::size_t N = Params::kLimbs;
  Limbs<N> t{};
#pragma GCC unroll 6
  for (std::size_t i = 0; i < N; ++i) {
    std::uint64_t top = 0;
#pragma GCC unroll 6
    for (std::size_t j = 0; j < N; ++j) t[j] = mul_add(t[j], a[i], b[j], top);
    const std::uint64_t m = t[0] * Params::kInverse;
    std::uint64_t carry = 0;
    mul_add(t[0], m, Params::kModulus[0], carry);
#pragma GCC unroll 6
    for (std::size_t j = 1; j < N; ++j) t[j - 1] = mul_add(t[j], m, Params::kModulus[j], carry);
    t[N - 1] = top + carry;
  }
  Limbs<N> reduced;
  out = sub_limbs(reduced, t, Params::kModulus) != 0 ? t : reduced;
}

void fp_mul_portable(Limbs<6>& out, const Limbs<6>& a, const Limbs<6>& b) noexcept;
void fr_mul_portable(Limbs<4>& out, const Limbs<4>& a, const Limbs<4>& b) noexcept;

// Only on processors with BMI2 and ADX (cpu_features().adx); the same results.
void fp_mul_adx(Limbs<6>& out, const Limbs<6>& a, const Limbs<6>& b) noexcept;
void fr_mul_adx(Limbs<4>& out, const Limbs<4>& a, const Limbs<4>& b) noexcept;

// One or the other, by cpu_features().
void fp_mul(Limbs<6>& out, const Limbs<6>& a, const Limbs<6>& b) noexcept;
void fr_mul(Limbs<4>& out, const Limbs<4>& a, const Limbs<4>& b) noexcept;

}  // namespace cuzk
