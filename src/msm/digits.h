// Signed digits of a scalar.
//
// k > (r - 1) / 2 is replaced by r - k and a sign. Then half a window's range is added in every window but the top one,
// once, for the whole number: the digit of window i is the window of that sum less the half again. So any digit is read
// without the digits below it, and no carry ever runs.
//
// Pure functions without containers, for any backend.
#pragma once

#include "field/fr.h"
#include "msm/window.h"

namespace cuzk {

// k plus the halves in bits 0 .. 254, the sign of k in bit 255.
struct RecodedScalar {
  std::uint64_t words[4];

  constexpr bool is_negative() const noexcept { return (words[3] >> 63) != 0; }
};

// Sum over the windows but the top one of 2^(bit_offset + width - 1).
constexpr FrRepr half_windows(const Windows& windows) noexcept {
  FrRepr sum{};
  for (unsigned i = 0; i + 1 < windows.count; ++i) {
    const unsigned bit = windows.bit_offset(i) + windows.width(i) - 1;
    sum[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
  return sum;
}

// `scalar` is canonical, `halves` = half_windows of the windows to be used.
constexpr RecodedScalar recode(const FrRepr& scalar, const FrRepr& halves) noexcept {
  FrRepr negated{};
  sub_limbs(negated, FrParams::kModulus, scalar);
  const bool negative = less_limbs(negated, scalar);
  FrRepr sum{};
  add_limbs(sum, negative ? negated : scalar, halves);  // below 2^255
  return {{sum[0], sum[1], sum[2], sum[3] | (negative ? std::uint64_t{1} << 63 : 0)}};
}

// The digit of window i of |k|: scalar = (-1)^is_negative * sum of digit * 2^bit_offset. Every |digit| is at most
// num_buckets(i).
constexpr std::int32_t digit(const RecodedScalar& scalar, const Windows& windows, unsigned i) noexcept {
  const unsigned offset = windows.bit_offset(i), width = windows.width(i);
  const unsigned word = offset / 64, shift = offset % 64;
  std::uint64_t bits = scalar.words[word] >> shift;
  if (shift + width > 64) bits |= scalar.words[word + 1] << (64 - shift);
  bits &= (std::uint64_t{1} << width) - 1;
  const std::int32_t half = i + 1 < windows.count ? std::int32_t{1} << (width - 1) : 0;
  return static_cast<std::int32_t>(bits) - half;
}

}  // namespace cuzk
