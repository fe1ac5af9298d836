// Butterflies on eight lanes, and the levels of a transform that pair whole records (FrX8). Internal to
// ntt_ifma.cc; for regions between CUZK_IFMA_BEGIN and CUZK_IFMA_END only.
//
// Cost decides the form: on Zen 4 a multiply-add takes a cycle of the two pipes that make them, and any other
// operation takes half a cycle of one of these pipes, so both are saved.
//  - Products by roots that are the same in all lanes use a precomputed quotient (Shoup; see Harvey, "Faster
//    arithmetic for number-theoretic transforms", 2014): y w - floor(y w' / 2^260) r with w' = floor(w 2^260 /
//    r). Low and high halves are all that is needed: 84 multiply-adds against 100 for a Montgomery product.
//  - Values between levels are "loose": signed limbs below 2^62 in absolute value, whose sum of l_i 2^(52 i) is
//    the value modulo 2^260. Only what is multiplied next, or leaves, is settled (made tight).
// Bounds, in multiples of r, are given with each function. Every product is below 2 as long as the other
// factor is below 33.
#pragma once

#include <span>

#include "field/x8.h"

namespace cuzk {

// 2^260 - r, and -1/r mod 2^260, in 52-bit limbs.
inline constexpr Limbs52<FrParams> kMinusR52 = [] {
  Limbs52<FrParams> out = split52<FrParams>(FrParams::kModulus);
  for (auto& limb : out) limb ^= kMask52;
  out[0] += 1;  // the lowest limb of r is not 0
  return out;
}();
// a b mod 2^260.
constexpr Limbs52<FrParams> low_product52(const Limbs52<FrParams>& a, const Limbs52<FrParams>& b) noexcept {
  Limbs52<FrParams> out{};
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; i + j < a.size(); ++j) {
      const uint128_t sum = static_cast<uint128_t>(a[i]) * b[j] + out[i + j] + carry;
      out[i + j] = static_cast<std::uint64_t>(sum) & kMask52;
      carry = static_cast<std::uint64_t>(sum >> 52);
    }
  }
  return out;
}
inline constexpr Limbs52<FrParams> kMinusInverse52 = [] {
  // Newton: x <- x (2 + r x) doubles the number of right bits of x = -1/r.
  Limbs52<FrParams> x = {FrParams::kInverse & kMask52};
  for (int i = 0; i < 3; ++i) {
    Limbs52<FrParams> factor = low_product52(split52<FrParams>(FrParams::kModulus), x);
    factor[0] += 2;  // r x = -1 mod 2^52 at least, so this carries
    for (std::size_t k = 0; k + 1 < factor.size(); ++k) {
      factor[k + 1] += factor[k] >> 52;
      factor[k] &= kMask52;
    }
    factor.back() &= kMask52;
    x = low_product52(x, factor);
  }
  return x;
}();

// A constant w < r with its quotient w' = floor(w 2^260 / r). With m = w 2^260 mod r: w' r = w 2^260 - m, so
// w' = -m / r mod 2^260.
struct Factor {
  Limbs52<FrParams> w;
  Limbs52<FrParams> quotient;

  static Factor of(const Fr& value) noexcept {
    return {split52<FrParams>(value.to_repr()), low_product52(radix52_form(value), kMinusInverse52)};
  }
};

CUZK_IFMA_BEGIN

// The same factor in all lanes.
struct FactorX8 {
  FrX8 w;
  FrX8 quotient;

  [[gnu::always_inline]] static inline FactorX8 broadcast(const Factor& factor) {
    return {FrX8::broadcast(factor.w), FrX8::broadcast(factor.quotient)};
  }
};

[[gnu::always_inline]] inline __m512i set1(std::uint64_t word) {
  return _mm512_set1_epi64(static_cast<long long>(word));
}

// Tight, from loose.
[[gnu::always_inline]] inline FrX8 settle(const FrX8& a) {
  FrX8 out = FrX8::tighten_signed(a);
  out.l[4] = _mm512_and_si512(out.l[4], set1(kMask52));
  return out;
}

// y - q r for an estimate q of y / r: from a tight value to a loose one below 1 + 2^-25. q comes from the top
// 32 bits and floor(2^286 / r); adding q (2^260 - r) subtracts q r modulo 2^260.
[[gnu::always_inline]] inline FrX8 nearly_reduce_loose(const FrX8& y) {
  constexpr std::uint64_t kReciprocal = 0x8d54253b;
  const __m512i q = _mm512_srli_epi64(_mm512_mul_epu32(_mm512_srli_epi64(y.l[4], 20), set1(kReciprocal)), 58);
  FrX8 out = y;
  CUZK_UNROLL
  for (std::size_t i = 0; i < 5; ++i) out.l[i] = _mm512_madd52lo_epu64(out.l[i], q, set1(kMinusR52[i]));
  CUZK_UNROLL
  for (std::size_t i = 0; i < 4; ++i)
    out.l[i + 1] = _mm512_madd52hi_epu64(out.l[i + 1], q, set1(kMinusR52[i]));
  return out;
}
// From loose, any bound, to tight, below 1 + 2^-25.
[[gnu::always_inline]] inline FrX8 nearly_reduce(const FrX8& a) {
  return settle(nearly_reduce_loose(settle(a)));
}

// a b mod 2^260 in limbs below 2^56, added to `sum`.
[[gnu::always_inline]] inline void add_low_product(FrX8& sum, const FrX8& a, const FrX8& b) {
  CUZK_UNROLL
  for (std::size_t i = 0; i < 5; ++i) {
    CUZK_UNROLL
    for (std::size_t j = 0; i + j < 5; ++j)
      sum.l[i + j] = _mm512_madd52lo_epu64(sum.l[i + j], a.l[i], b.l[j]);
    CUZK_UNROLL
    for (std::size_t j = 0; i + j < 4; ++j) {
      sum.l[i + j + 1] = _mm512_madd52hi_epu64(sum.l[i + j + 1], a.l[i], b.l[j]);
    }
  }
}

// floor(a b / 2^260) or one less: the columns below 2^208 are left out, they add up to less than 2^211.
[[gnu::always_inline]] inline FrX8 high_product(const FrX8& a, const FrX8& b) {
  __m512i column[6];  // 2^(52 (4 + k))
  CUZK_UNROLL
  for (std::size_t k = 0; k < 6; ++k) column[k] = _mm512_setzero_si512();
  CUZK_UNROLL
  for (std::size_t i = 0; i < 5; ++i) {
    CUZK_UNROLL
    for (std::size_t j = 4 - i; j < 5; ++j) {
      column[i + j - 4] = _mm512_madd52lo_epu64(column[i + j - 4], a.l[i], b.l[j]);
    }
    CUZK_UNROLL
    for (std::size_t j = i < 4 ? 3 - i : 0; j < 5; ++j) {
      column[i + j - 3] = _mm512_madd52hi_epu64(column[i + j - 3], a.l[i], b.l[j]);
    }
  }
  FrX8 out;
  CUZK_UNROLL
  for (std::size_t k = 0; k < 5; ++k) {
    column[k + 1] = _mm512_add_epi64(column[k + 1], _mm512_srli_epi64(column[k], 52));
    out.l[k] = k < 4 ? _mm512_and_si512(column[k + 1], set1(kMask52)) : column[k + 1];
  }
  return out;
}

// y c, y tight and below 33: loose, below 2. (y w / r exceeds the quotient used by less than 1 + 2^-49 for
// rounding and y / 2^260 for w'.) For a Montgomery constant c is an x8-form value below 1.03.
[[gnu::always_inline]] inline FrX8 times(const FrX8& y, const FactorX8& c) {
  const FrX8 q = high_product(y, c.quotient);
  FrX8 out = FrX8::zero();
  add_low_product(out, y, c.w);
  add_low_product(out, q, FrX8::broadcast(kMinusR52));
  return out;
}
[[gnu::always_inline]] inline FrX8 times(const FrX8& y, const FrX8& c) {
  return FrX8::mul_loose(y, c);
}

// ---- one level ----

// x, y <- x + c y, x - c y: loose, 2 above the larger of both.
template <typename C>
[[gnu::always_inline]] inline void butterfly_to_reversed(FrX8& x, FrX8& y, const C& c) {
  const FrX8 product = times(settle(y), c);
  y = FrX8::sub_loose<2>(x, product);
  x = FrX8::add_loose(x, product);
}

// c = 1, y below K.
template <std::uint64_t K>
[[gnu::always_inline]] inline void butterfly_without_factor(FrX8& x, FrX8& y) {
  const FrX8 sum = FrX8::add_loose(x, y);
  y = FrX8::sub_loose<K>(x, y);
  x = sum;
}

// x, y <- x + y, (x - y) c: loose, from below 4 to below 2.
template <typename C>
[[gnu::always_inline]] inline void butterfly_to_natural(FrX8& x, FrX8& y, const C& c) {
  const FrX8 sum = FrX8::add_loose(x, y);
  y = times(settle(FrX8::sub_loose<4>(x, y)), c);
  x = nearly_reduce(sum);
}

// ---- two levels of one block of four: the pairs x0 x2 and x1 x3 with c, then x0 x1 with c0, x2 x3 with c1 ----

// Loose; adds 4 to the bound.
struct FourToReversed {
  template <typename C>
  [[gnu::always_inline]] static inline void apply(FrX8* x, const C& c, const C& c0, const C& c1) {
    butterfly_to_reversed(x[0], x[2], c);
    butterfly_to_reversed(x[1], x[3], c);
    butterfly_to_reversed(x[0], x[1], c0);
    butterfly_to_reversed(x[2], x[3], c1);
  }
};

// The same for block 0, where c = c0 = 1: from below 2 to below 8.
struct FirstFourToReversed {
  template <typename C>
  [[gnu::always_inline]] static inline void apply(FrX8* x, const C&, const C&, const C& c1) {
    butterfly_without_factor<2>(x[0], x[2]);
    butterfly_without_factor<2>(x[1], x[3]);
    butterfly_without_factor<4>(x[0], x[1]);
    butterfly_to_reversed(x[2], x[3], c1);
  }
};

// Loose, below 4 before and after.
struct FourToNatural {
  template <typename C>
  [[gnu::always_inline]] static inline void apply(FrX8* x, const C& c, const C& c0, const C& c1) {
    const FrX8 sum0 = FrX8::add_loose(x[0], x[1]), sum1 = FrX8::add_loose(x[2], x[3]);
    const FrX8 difference0 = times(settle(FrX8::sub_loose<4>(x[0], x[1])), c0);
    const FrX8 difference1 = times(settle(FrX8::sub_loose<4>(x[2], x[3])), c1);
    x[0] = nearly_reduce_loose(settle(FrX8::add_loose(sum0, sum1)));
    x[1] = FrX8::add_loose(difference0, difference1);
    x[2] = times(settle(FrX8::sub_loose<8>(sum0, sum1)), c);
    x[3] = times(settle(FrX8::sub_loose<2>(difference0, difference1)), c);
  }
};

// For block 0: from below 4 to below 16.
struct FirstFourToNatural {
  template <typename C>
  [[gnu::always_inline]] static inline void apply(FrX8* x, const C&, const C&, const C& c1) {
    butterfly_without_factor<4>(x[0], x[1]);
    const FrX8 sum1 = FrX8::add_loose(x[2], x[3]);
    x[3] = times(settle(FrX8::sub_loose<4>(x[2], x[3])), c1);
    x[2] = sum1;
    butterfly_without_factor<8>(x[0], x[2]);
    butterfly_without_factor<2>(x[1], x[3]);
  }
};

// ---- levels over an array of records; roots(s, b) is the Factor of block b at level s ----

// Four::apply on the four quarters of each block of level s, `whole` records long.
template <typename Four, typename Roots>
[[gnu::always_inline]] inline void two_levels(FrX8* records, std::size_t whole, unsigned s, Roots roots) {
  const std::size_t quarter = whole / 4;
  for (std::size_t b = 0; b < std::size_t{1} << s; ++b) {
    const FactorX8 c = FactorX8::broadcast(roots(s, b)), c0 = FactorX8::broadcast(roots(s + 1, 2 * b)),
                   c1 = FactorX8::broadcast(roots(s + 1, 2 * b + 1));
    FrX8* block = records + b * whole;
    for (std::size_t j = 0; j < quarter; ++j) {
      FrX8 x[4] = {block[j], block[quarter + j], block[2 * quarter + j], block[3 * quarter + j]};
      Four::apply(x, c, c0, c1);
      for (std::size_t i = 0; i < 4; ++i) block[i * quarter + j] = x[i];
    }
  }
}

// 2^levels records, tight and below 2, to loose ones below 2 + 2 levels. With `from_the_top` the blocks 0
// have the factor 1, which the first two levels make use of: below 4 + 2 levels.
template <typename Roots>
[[gnu::always_inline]] inline void records_to_reversed(FrX8* records, unsigned levels, bool from_the_top,
                                                       Roots roots) {
  const std::size_t count = std::size_t{1} << levels;
  unsigned s = 0;
  if (from_the_top && levels >= 2) {
    two_levels<FirstFourToReversed>(records, count, 0, roots);
    s = 2;
  }
  for (; s + 2 <= levels; s += 2) two_levels<FourToReversed>(records, count >> s, s, roots);
  if (s == levels) return;
  for (std::size_t b = 0; b < count / 2; ++b) {
    butterfly_to_reversed(records[2 * b], records[2 * b + 1], FactorX8::broadcast(roots(s, b)));
  }
}

// 2^levels records, loose and below 4, to loose ones below 4, or below 16 with `to_the_top`.
template <typename Roots>
[[gnu::always_inline]] inline void records_to_natural(FrX8* records, unsigned levels, bool to_the_top,
                                                      Roots roots) {
  const std::size_t count = std::size_t{1} << levels;
  unsigned s = levels;
  if (s % 2 != 0) {
    --s;
    for (std::size_t b = 0; b < count / 2; ++b) {
      butterfly_to_natural(records[2 * b], records[2 * b + 1], FactorX8::broadcast(roots(s, b)));
    }
  }
  for (; s > (to_the_top ? 2 : 0); s -= 2) two_levels<FourToNatural>(records, count >> (s - 2), s - 2, roots);
  if (s == 2) two_levels<FirstFourToNatural>(records, count, 0, roots);
}

CUZK_IFMA_END

}  // namespace cuzk
