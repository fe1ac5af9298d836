// Integers modulo p in limbs of 52 bits, the words that AVX-512 IFMA multiplies: constants and tables for FieldX8
// (field/x8.h), made without AVX-512.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "field/prime_field.h"

namespace cuzk {

inline constexpr std::uint64_t kMask52 = (std::uint64_t{1} << 52) - 1;

// Limbs of 52 bits for Params: ceil(bits / 52).
template <class Params>
inline constexpr std::size_t kLimbs52 = Params::kLimbs == 4 ? 5 : 8;
template <class Params>
using Limbs52 = std::array<std::uint64_t, kLimbs52<Params>>;

// The same integer, 64-bit limbs to 52-bit limbs.
template <class Params>
constexpr Limbs52<Params> split52(const Limbs<Params::kLimbs>& limbs) noexcept {
  Limbs52<Params> out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t word = 52 * i / 64, shift = 52 * i % 64;
    std::uint64_t value = limbs[word] >> shift;
    if (shift > 12 && word + 1 < Params::kLimbs) value |= limbs[word + 1] << (64 - shift);
    out[i] = value & kMask52;
  }
  return out;
}

// factor * 2^k for a small integer k, by doubling.
template <class Params>
constexpr PrimeField<Params> times_power_of_two(PrimeField<Params> factor, std::size_t k) noexcept {
  for (std::size_t i = 0; i < k; ++i) factor = factor.doubled();
  return factor;
}

// `value` as an x8-form constant: its integer times 2^(52 L) mod p, in 52-bit limbs, for FieldX8::broadcast
// or for arrays of twiddles read with load52.
template <class Params>
constexpr Limbs52<Params> radix52_form(const PrimeField<Params>& value) noexcept {
  return split52<Params>(times_power_of_two(value, 52 * kLimbs52<Params> - 64 * Params::kLimbs).montgomery());
}

// k p in 52-bit limbs; k p must be below 2^(64 N + 1).
template <class Params>
constexpr Limbs52<Params> multiple_of_modulus52(std::uint64_t k) noexcept {
  Limbs52<Params> out = split52<Params>(Params::kModulus);
  std::uint64_t carry = 0;
  for (auto& limb : out) {
    const uint128_t product = static_cast<uint128_t>(limb) * k + carry;
    limb = static_cast<std::uint64_t>(product) & kMask52;
    carry = static_cast<std::uint64_t>(product >> 52);
  }
  return out;
}

}  // namespace cuzk
