// Signed digits of a scalar.
//
// k > (r - 1) / 2 is replaced by r - k and a sign. Then half a window's range is added in every window but the top one,
// once, for the whole number: the digit of window i is the window of that sum less the half again. So any digit is read
// without the digits below it, and no carry ever runs.
//
// Pure functions without containers, for any backend.
#pragma once

#include <cstring>

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

// Where a window's digits are found, worked out once for many scalars.
class DigitReader {
 public:
  constexpr DigitReader(const Windows& windows, unsigned i) noexcept
      : byte_(windows.bit_offset(i) / 8 < 24 ? windows.bit_offset(i) / 8 : 24),
        shift_(windows.bit_offset(i) - 8 * byte_),
        mask_((std::uint64_t{1} << windows.width(i)) - 1),
        half_(i + 1 < windows.count ? std::int32_t{1} << (windows.width(i) - 1) : 0) {}

  // The digit of |k|: scalar = (-1)^is_negative * sum of digit * 2^bit_offset. Every |digit| is at most num_buckets(i);
  // those of the top window are not negative.
  std::int32_t operator()(const RecodedScalar& scalar) const noexcept {
    std::uint64_t bits;  // a window has at most 26 bits, so eight bytes from its first one on hold it
    std::memcpy(&bits, reinterpret_cast<const unsigned char*>(scalar.words) + byte_, sizeof(bits));
    return static_cast<std::int32_t>((bits >> shift_) & mask_) - half_;
  }

 private:
  unsigned byte_, shift_;
  std::uint64_t mask_;
  std::int32_t half_;
};

}  // namespace cuzk
