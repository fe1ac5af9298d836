// The table behind products of many scalars with one point P: d 2^(16 w) P for every window w and every 16-bit digit d, so
// that a product is a sum of one entry a window. Digits are read off the scalar as it stands; entry 0 of a window is infinity.
//
// 2^20 points: 96 MiB in G1, 192 MiB in G2. Smaller windows would let the table stay in a cache of the device, but additions,
// not memory, are what a product costs.
//
// Pure functions for host and device, and the host's part of building the table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "curve/affine.h"

namespace cuzk::cuda {

struct FixedBaseTable {
  static constexpr unsigned kWindowBits = 16;
  static constexpr unsigned kNumWindows = 16;
  static constexpr std::size_t kWindowEntries = std::size_t{1} << kWindowBits;
  static constexpr std::size_t kEntries = kNumWindows * kWindowEntries;

  // The digit of a window, from a canonical integer as eight little-endian words.
  static constexpr std::uint32_t digit(const std::uint32_t* words, unsigned window) noexcept {
    return (words[window / 2] >> (window % 2 * kWindowBits)) & (kWindowEntries - 1);
  }
  static constexpr std::size_t entry(unsigned window, std::uint32_t digit) noexcept {
    return window * kWindowEntries + digit;
  }
};

// 2^(16 w) base for every window w.
template <typename F>
std::array<AffinePoint<F>, FixedBaseTable::kNumWindows> window_powers(const AffinePoint<F>& base);

extern template std::array<G1Affine, FixedBaseTable::kNumWindows> window_powers(const G1Affine&);
extern template std::array<G2Affine, FixedBaseTable::kNumWindows> window_powers(const G2Affine&);

}  // namespace cuzk::cuda
