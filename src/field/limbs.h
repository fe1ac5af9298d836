// Multi-word integers: little-endian arrays of 64-bit limbs, with the carry arithmetic all fields are made
// of.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace cuzk {

__extension__ typedef unsigned __int128 uint128_t;

// out = a + b + carry; returns the limb, updates carry (0 or 1).
constexpr std::uint64_t add_carry(std::uint64_t a, std::uint64_t b, std::uint64_t& carry) noexcept {
  const uint128_t sum = static_cast<uint128_t>(a) + b + carry;
  carry = static_cast<std::uint64_t>(sum >> 64);
  return static_cast<std::uint64_t>(sum);
}

// a - b - borrow; returns the limb, updates borrow (0 or 1).
constexpr std::uint64_t sub_borrow(std::uint64_t a, std::uint64_t b, std::uint64_t& borrow) noexcept {
  const uint128_t difference = static_cast<uint128_t>(a) - b - borrow;
  borrow = static_cast<std::uint64_t>(difference >> 64) & 1;
  return static_cast<std::uint64_t>(difference);
}

// acc + a * b + carry; returns the low limb, carry becomes the high one. It cannot overflow 128 bits.
constexpr std::uint64_t mul_add(std::uint64_t acc, std::uint64_t a, std::uint64_t b,
                                std::uint64_t& carry) noexcept {
  const uint128_t sum = static_cast<uint128_t>(a) * b + acc + carry;
  carry = static_cast<std::uint64_t>(sum >> 64);
  return static_cast<std::uint64_t>(sum);
}

template <std::size_t N>
using Limbs = std::array<std::uint64_t, N>;

// out = a + b mod 2^(64 N); returns the carry.
template <std::size_t N>
constexpr std::uint64_t add_limbs(Limbs<N>& out, const Limbs<N>& a, const Limbs<N>& b) noexcept {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < N; ++i) out[i] = add_carry(a[i], b[i], carry);
  return carry;
}

// out = a - b mod 2^(64 N); returns the borrow.
template <std::size_t N>
constexpr std::uint64_t sub_limbs(Limbs<N>& out, const Limbs<N>& a, const Limbs<N>& b) noexcept {
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < N; ++i) out[i] = sub_borrow(a[i], b[i], borrow);
  return borrow;
}

template <std::size_t N>
constexpr bool less_limbs(const Limbs<N>& a, const Limbs<N>& b) noexcept {
  for (std::size_t i = N; i-- > 0;) {
    if (a[i] != b[i]) return a[i] < b[i];
  }
  return false;
}

// a / 2^bits, rounded down; bits < 64 N.
template <std::size_t N>
constexpr Limbs<N> shift_right(const Limbs<N>& a, unsigned bits) noexcept {
  Limbs<N> out{};
  const std::size_t words = bits / 64;
  const unsigned shift = bits % 64;
  for (std::size_t i = 0; i + words < N; ++i) {
    out[i] = a[i + words] >> shift;
    if (shift != 0 && i + words + 1 < N) out[i] |= a[i + words + 1] << (64 - shift);
  }
  return out;
}

// The number of zero bits below the lowest set bit; 64 N for zero.
template <std::size_t N>
constexpr unsigned trailing_zeros_limbs(const Limbs<N>& a) noexcept {
  unsigned zeros = 0;
  for (const std::uint64_t limb : a) {
    if (limb != 0) return zeros + static_cast<unsigned>(std::countr_zero(limb));
    zeros += 64;
  }
  return zeros;
}

template <std::size_t N>
constexpr bool is_zero_limbs(const Limbs<N>& a) noexcept {
  std::uint64_t any = 0;
  for (const std::uint64_t limb : a) any |= limb;
  return any == 0;
}

}  // namespace cuzk
