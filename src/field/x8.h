// FieldX8<Params>: eight independent elements of Fr or Fp in AVX-512 IFMA registers.
//
// Form. Radix 2^52, L limbs (5 for Fr, 8 for Fp), limb-major: lane k of l[i] is limb i of element k. Products
// are Montgomery products with R = 2^(52 L), while the scalar fields (PrimeField) use 2^(64 N). Three
// consequences:
//  - sums, differences and loads know nothing of the form: the same code serves scalar-form and x8-form values;
//  - scalar-form value * x8-form constant = scalar-form product. Where one factor is a constant made with
//    radix52_form() (a twiddle, a curve constant), no conversion is needed at all;
//  - otherwise from_scalar_form() / to_scalar_form() convert, at one product each. Long-lived data (curve
//    points) can rather be stored in the x8 form, packed in the same 64-bit limbs.
//
// Bounds. Limbs are "tight": each below 2^52 (IFMA reads no more bits). Values are lazy: below B p for a
// small B that the caller tracks, B p < 2^(52 L): B <= 35 for Fr, B < 2^35 for Fp.
//   mul(a, b), sqr          < 2p if Ba Bb <= 35 (Fr) or Ba Bb <= 2^35 (Fp)
//   mul_add(a, b, c, d)     < 2p if Ba Bb + Bc Bd <= 35 (2^35)
//   add(a, b)               < (Ba + Bb) p
//   sub<K>(a, b)            < (Ba + K) p; needs Bb <= K
//   neg<K>(b)               at most K p (which it is for b = 0, so the next B is K + 1); needs Bb <= K
//   mul_loose               the value of mul, limbs not tight
//   reduce<K>(a)            the canonical value in [0, p); needs Ba <= K
// The bounds hold because a Montgomery product is below a b / R + p and R > 35 p (Fr), R > 2^35 p (Fp).
//
// To be used in a region for AVX-512 (field/ifma_region.h).
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "field/fp.h"
#include "field/fr.h"
#include "field/ifma_region.h"
#include "field/radix52.h"
#include "field/x8_words.h"

namespace cuzk {

CUZK_IFMA_BEGIN

template <class Params>
struct FieldX8 {
  static constexpr std::size_t L = kLimbs52<Params>;
  static constexpr std::size_t N = Params::kLimbs;
  using Field = PrimeField<Params>;

  __m512i l[L];

  // ---- constants and memory ----

  CUZK_IFMA_INLINE FieldX8 zero() noexcept {
    FieldX8 out;
    CUZK_UNROLL
    for (std::size_t i = 0; i < L; ++i) out.l[i] = _mm512_setzero_si512();
    return out;
  }
  CUZK_IFMA_INLINE FieldX8 broadcast(const Limbs52<Params>& limbs) noexcept {
    FieldX8 out;
    CUZK_UNROLL
    for (std::size_t i = 0; i < L; ++i) out.l[i] = set1(limbs[i]);
    return out;
  }
  // One in the x8 form.
  CUZK_IFMA_INLINE FieldX8 one() noexcept { return broadcast(kOneRadix52); }
  // Limb-major memory: L rows of 8 words, 64-byte aligned.
  CUZK_IFMA_INLINE FieldX8 load52(const std::uint64_t* words) noexcept {
    FieldX8 out;
    CUZK_UNROLL
    for (std::size_t i = 0; i < L; ++i) out.l[i] = _mm512_load_si512(words + 8 * i);
    return out;
  }
  CUZK_IFMA_INLINE void store52(std::uint64_t* words, const FieldX8& a) noexcept {
    CUZK_UNROLL
    for (std::size_t i = 0; i < L; ++i) _mm512_store_si512(words + 8 * i, a.l[i]);
  }

  // Eight packed elements (N 64-bit limbs each, any value below 2^(64 N)): lane k from e + stride * k, stride
  // in elements, also negative; from base[index[k]]; or from pointers[k]. No alignment is asked.
  CUZK_IFMA_INLINE FieldX8 load(const Field* e, std::ptrdiff_t stride = 1) noexcept {
    return load_each([&](int k) { return words_of(e + stride * k); });
  }
  template <class Index>
  CUZK_IFMA_INLINE FieldX8 gather(const Field* base, const Index* index) noexcept {
    return load_each([&](int k) { return words_of(base + index[k]); });
  }
  CUZK_IFMA_INLINE FieldX8 gather(const Field* const* pointers) noexcept {
    return load_each([&](int k) { return words_of(pointers[k]); });
  }
  // The inverse; values must be below 2^(64 N). Below p (after reduce) they are what PrimeField expects.
  CUZK_IFMA_INLINE void store(Field* e, const FieldX8& a, std::ptrdiff_t stride = 1) noexcept {
    store_each(a, [&](int k) { return words_of(e + stride * k); });
  }
  template <class Index>
  CUZK_IFMA_INLINE void scatter(Field* base, const Index* index, const FieldX8& a) noexcept {
    store_each(a, [&](int k) { return words_of(base + index[k]); });
  }
  CUZK_IFMA_INLINE void scatter(Field* const* pointers, const FieldX8& a) noexcept {
    store_each(a, [&](int k) { return words_of(pointers[k]); });
  }

  // ---- change of form: scalar (R = 2^(64 N)) <-> x8 (R = 2^(52 L)); result < 2p ----

  CUZK_IFMA_INLINE FieldX8 from_scalar_form(const FieldX8& a) noexcept {
    return mul(a, broadcast(kFromScalar));
  }
  CUZK_IFMA_INLINE FieldX8 to_scalar_form(const FieldX8& a) noexcept { return mul(a, broadcast(kToScalar)); }

  // ---- arithmetic ----

  CUZK_IFMA_INLINE FieldX8 add(const FieldX8& a, const FieldX8& b) noexcept {
    FieldX8 out;
    CUZK_UNROLL
    for (std::size_t i = 0; i < L; ++i) out.l[i] = _mm512_add_epi64(a.l[i], b.l[i]);
    return tighten(out);
  }
  CUZK_IFMA_INLINE FieldX8 dbl(const FieldX8& a) noexcept { return add(a, a); }
  template <std::uint64_t K = 2>
  CUZK_IFMA_INLINE FieldX8 sub(const FieldX8& a, const FieldX8& b) noexcept {
    return tighten_signed(sub_loose<K>(a, b));
  }
  template <std::uint64_t K = 2>
  CUZK_IFMA_INLINE FieldX8 neg(const FieldX8& a) noexcept {
    return sub<K>(zero(), a);
  }
  // a + b, a + K p - b without carries, for sums of several terms that are tightened once: the limbs may be
  // negative or up to 2^62 as signed words; only add_loose, sub_loose and tighten_signed may follow.
  CUZK_IFMA_INLINE FieldX8 add_loose(const FieldX8& a, const FieldX8& b) noexcept {
    FieldX8 out;
    CUZK_UNROLL
    for (std::size_t i = 0; i < L; ++i) out.l[i] = _mm512_add_epi64(a.l[i], b.l[i]);
    return out;
  }
  template <std::uint64_t K = 2>
  CUZK_IFMA_INLINE FieldX8 sub_loose(const FieldX8& a, const FieldX8& b) noexcept {
    constexpr Limbs52<Params> kMultiple = multiple_of_modulus52<Params>(K);
    FieldX8 out;
    CUZK_UNROLL
    for (std::size_t i = 0; i < L; ++i) {
      out.l[i] = _mm512_add_epi64(_mm512_sub_epi64(a.l[i], b.l[i]), set1(kMultiple[i]));
    }
    return out;
  }
  // Carries, for non-negative limbs below 2^63 and a value below 2^(52 L).
  CUZK_IFMA_INLINE FieldX8 tighten(FieldX8 a) noexcept {
    const __m512i mask = set1(kMask52);
    CUZK_UNROLL
    for (std::size_t i = 0; i + 1 < L; ++i) {
      a.l[i + 1] = _mm512_add_epi64(a.l[i + 1], _mm512_srli_epi64(a.l[i], 52));
      a.l[i] = _mm512_and_si512(a.l[i], mask);
    }
    return a;
  }
  // Carries and borrows, for signed limbs and a non-negative value.
  CUZK_IFMA_INLINE FieldX8 tighten_signed(FieldX8 a) noexcept {
    const __m512i mask = set1(kMask52);
    CUZK_UNROLL
    for (std::size_t i = 0; i + 1 < L; ++i) {
      a.l[i + 1] = _mm512_add_epi64(a.l[i + 1], _mm512_srai_epi64(a.l[i], 52));
      a.l[i] = _mm512_and_si512(a.l[i], mask);
    }
    return a;
  }

  // a b / R.
  CUZK_IFMA_INLINE FieldX8 mul(const FieldX8& a, const FieldX8& b) noexcept {
    return tighten(mul_loose(a, b));
  }
  // The same without the carries: limbs in [0, 2^59), for add_loose, sub_loose and tighten.
  CUZK_IFMA_INLINE FieldX8 mul_loose(const FieldX8& a, const FieldX8& b) noexcept {
    __m512i t[L + 1];
    CUZK_UNROLL
    for (std::size_t i = 0; i <= L; ++i) t[i] = _mm512_setzero_si512();
    CUZK_UNROLL
    for (std::size_t i = 0; i < L; ++i) {
      add_row(t, a, b.l[i]);
      reduce_row(t);
    }
    return from_columns(t);
  }
  // (a b + c d) / R, one reduction for two products.
  CUZK_IFMA_INLINE FieldX8 mul_add(const FieldX8& a, const FieldX8& b, const FieldX8& c,
                                   const FieldX8& d) noexcept {
    __m512i t[L + 1];
    CUZK_UNROLL
    for (std::size_t i = 0; i <= L; ++i) t[i] = _mm512_setzero_si512();
    CUZK_UNROLL
    for (std::size_t i = 0; i < L; ++i) {
      add_row(t, a, b.l[i]);
      add_row(t, c, d.l[i]);
      reduce_row(t);
    }
    return tighten(from_columns(t));
  }
  // a^2 / R. Row i is a_i (a_i + 2 sum of a_j 2^(52 (j-i)), j > i); the doubled tail is the tight 2a except
  // for its first limb, which takes no carry from a_i.
  CUZK_IFMA_INLINE FieldX8 sqr(const FieldX8& a) noexcept {
    const FieldX8 twice = dbl(a);
    __m512i t[L + 1];
    CUZK_UNROLL
    for (std::size_t i = 0; i <= L; ++i) t[i] = _mm512_setzero_si512();
    CUZK_UNROLL
    for (std::size_t i = 0; i < L; ++i) {
      __m512i row[L];
      row[i] = a.l[i];
      if (i + 1 < L) row[i + 1] = _mm512_and_si512(_mm512_add_epi64(a.l[i + 1], a.l[i + 1]), set1(kMask52));
      CUZK_UNROLL
      for (std::size_t j = i + 2; j < L; ++j) row[j] = twice.l[j];
      CUZK_UNROLL
      for (std::size_t j = i; j < L; ++j) t[j] = _mm512_madd52lo_epu64(t[j], a.l[i], row[j]);
      CUZK_UNROLL
      for (std::size_t j = i; j < L; ++j) t[j + 1] = _mm512_madd52hi_epu64(t[j + 1], a.l[i], row[j]);
      reduce_row(t);
    }
    return tighten(from_columns(t));
  }

  // ---- masks, choice, reduction ----

  // Lane-wise mask ? a : b (bit k of the mask is lane k).
  CUZK_IFMA_INLINE FieldX8 select(__mmask8 mask, const FieldX8& a, const FieldX8& b) noexcept {
    FieldX8 out;
    CUZK_UNROLL
    for (std::size_t i = 0; i < L; ++i) out.l[i] = _mm512_mask_blend_epi64(mask, b.l[i], a.l[i]);
    return out;
  }
  // The value in [0, p), for values below K p.
  template <std::uint64_t K = 2>
  CUZK_IFMA_INLINE FieldX8 reduce(const FieldX8& a) noexcept {
    static_assert(K >= 2 && K <= 32);
    if constexpr (K > 16) return reduce<16>(subtract_if_not_below<16>(a));
    if constexpr (K > 8) return reduce<8>(subtract_if_not_below<8>(a));
    if constexpr (K > 4) return reduce<4>(subtract_if_not_below<4>(a));
    if constexpr (K > 2) return reduce<2>(subtract_if_not_below<2>(a));
    return subtract_if_not_below<1>(a);
  }
  // Lanes whose value is 0 mod p; exact, for values below K p.
  template <std::uint64_t K = 2>
  CUZK_IFMA_INLINE __mmask8 is_zero(const FieldX8& a) noexcept {
    const FieldX8 reduced = reduce<K>(a);
    __m512i any = reduced.l[0];
    CUZK_UNROLL
    for (std::size_t i = 1; i < L; ++i) any = _mm512_or_si512(any, reduced.l[i]);
    return _mm512_testn_epi64_mask(any, any);
  }
  // Lanes in which both are the same integer (for field equality, reduce both first).
  CUZK_IFMA_INLINE __mmask8 same_integer(const FieldX8& a, const FieldX8& b) noexcept {
    __m512i any = _mm512_xor_si512(a.l[0], b.l[0]);
    CUZK_UNROLL
    for (std::size_t i = 1; i < L; ++i) any = _mm512_or_si512(any, _mm512_xor_si512(a.l[i], b.l[i]));
    return _mm512_testn_epi64_mask(any, any);
  }
  // a - k p where that is not negative, else a.
  template <std::uint64_t k>
  CUZK_IFMA_INLINE FieldX8 subtract_if_not_below(const FieldX8& a) noexcept {
    constexpr Limbs52<Params> kMultiple = multiple_of_modulus52<Params>(k);
    FieldX8 out;
    CUZK_UNROLL
    for (std::size_t i = 0; i < L; ++i) out.l[i] = _mm512_sub_epi64(a.l[i], set1(kMultiple[i]));
    out = tighten_signed(out);
    return select(_mm512_movepi64_mask(out.l[L - 1]), a, out);
  }

 private:
  static constexpr Limbs52<Params> kModulus52 = split52<Params>(Params::kModulus);
  static constexpr Limbs52<Params> kOneRadix52 = radix52_form(Field::one());
  // 2^(104 L - 64 N) and 2^(64 N) as plain integers mod p: products with them change the form.
  static constexpr Limbs52<Params> kFromScalar =
      split52<Params>(times_power_of_two(Field::one(), 104 * L - 128 * N).montgomery());
  static constexpr Limbs52<Params> kToScalar = split52<Params>(Params::kOne);

  CUZK_IFMA_INLINE __m512i set1(std::uint64_t word) noexcept {
    return _mm512_set1_epi64(static_cast<long long>(word));
  }
  CUZK_IFMA_INLINE const std::uint64_t* words_of(const Field* e) noexcept { return e->montgomery().data(); }
  CUZK_IFMA_INLINE std::uint64_t* words_of(Field* e) noexcept { return reinterpret_cast<std::uint64_t*>(e); }

  CUZK_IFMA_INLINE FieldX8 from_columns(const __m512i* t) noexcept {
    FieldX8 out;
    CUZK_UNROLL
    for (std::size_t i = 0; i < L; ++i) out.l[i] = t[i];
    return out;
  }
  // t += a b_i. Columns stay below 2^59: at most 6 (L + 1) terms of 52 bits meet in one.
  CUZK_IFMA_INLINE void add_row(__m512i* t, const FieldX8& a, __m512i b_i) noexcept {
    CUZK_UNROLL
    for (std::size_t j = 0; j < L; ++j) t[j] = _mm512_madd52lo_epu64(t[j], a.l[j], b_i);
    CUZK_UNROLL
    for (std::size_t j = 0; j < L; ++j) t[j + 1] = _mm512_madd52hi_epu64(t[j + 1], a.l[j], b_i);
  }
  // t += m p with m such that t_0 becomes 0 mod 2^52; then t_1 += t_0 / 2^52 and t_0 is spent. The low
  // product m p_0 need not be made: it rounds t_0 up to the next multiple of 2^52.
  CUZK_IFMA_INLINE void add_multiple_of_modulus(__m512i* t) noexcept {
    const __m512i m = _mm512_madd52lo_epu64(_mm512_setzero_si512(), t[0], set1(Params::kInverse & kMask52));
    const __m512i carry = _mm512_srli_epi64(_mm512_add_epi64(t[0], set1(kMask52)), 52);
    t[1] = _mm512_add_epi64(t[1], carry);
    CUZK_UNROLL
    for (std::size_t j = 0; j < L; ++j) t[j + 1] = _mm512_madd52hi_epu64(t[j + 1], m, set1(kModulus52[j]));
    CUZK_UNROLL
    for (std::size_t j = 1; j < L; ++j) t[j] = _mm512_madd52lo_epu64(t[j], m, set1(kModulus52[j]));
  }
  // The same, then t moves down one column.
  CUZK_IFMA_INLINE void reduce_row(__m512i* t) noexcept {
    add_multiple_of_modulus(t);
    CUZK_UNROLL
    for (std::size_t j = 0; j < L; ++j) t[j] = t[j + 1];
    t[L] = _mm512_setzero_si512();
  }

  // Words w_0 .. w_{N-1} (lane k of w_i is limb i of element k) to limbs and back.
  CUZK_IFMA_INLINE FieldX8 from_words(const __m512i* w) noexcept {
    const __m512i mask = set1(kMask52);
    FieldX8 out;
    CUZK_UNROLL
    for (std::size_t i = 0; i < L; ++i) {
      const std::size_t word = 52 * i / 64;
      const unsigned shift = static_cast<unsigned>(52 * i % 64);
      __m512i value = shift == 0 ? w[word] : _mm512_srli_epi64(w[word], shift);
      if (shift > 12 && word + 1 < N)
        value = _mm512_or_si512(value, _mm512_slli_epi64(w[word + 1], 64 - shift));
      out.l[i] = shift == 12 ? value : _mm512_and_si512(value, mask);
    }
    return out;
  }
  CUZK_IFMA_INLINE void to_words(__m512i* w, const FieldX8& a) noexcept {
    CUZK_UNROLL
    for (std::size_t k = 0; k < N; ++k) {
      const std::size_t limb = 64 * k / 52;
      const unsigned shift = static_cast<unsigned>(64 * k % 52);
      w[k] = shift == 0 ? a.l[limb] : _mm512_srli_epi64(a.l[limb], shift);
      w[k] = _mm512_or_si512(w[k], _mm512_slli_epi64(a.l[limb + 1], 52 - shift));
      if (shift > 40) w[k] = _mm512_or_si512(w[k], _mm512_slli_epi64(a.l[limb + 2], 104 - shift));
    }
  }
  template <class WordsOfLane>
  CUZK_IFMA_INLINE FieldX8 load_each(WordsOfLane words) noexcept {
    __m512i w[N];
    load_lanes<N>(words, w);
    return from_words(w);
  }
  template <class WordsOfLane>
  CUZK_IFMA_INLINE void store_each(const FieldX8& a, WordsOfLane words) noexcept {
    __m512i w[N];
    to_words(w, a);
    store_lanes<N>(w, words);
  }
};

CUZK_IFMA_END

using FrX8 = FieldX8<FrParams>;
using FpX8 = FieldX8<FpParams>;

}  // namespace cuzk
