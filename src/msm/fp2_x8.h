// Fp2X8: eight elements of Fp2 = Fp[u] / (u^2 + 1) in AVX-512 IFMA registers, with bounds as in field/x8.h.
//
// A product is Karatsuba's, over products that are not yet reduced: with v0 = a0 b0, v1 = a1 b1 and
// v2 = (a0 + a1)(b0 + b1), it is (v0 - v1 + K p^2) + (v2 - v0 - v1) u, and each of these takes one Montgomery reduction:
// 3 products and 2 reductions, where the schoolbook form has 4 and 2.
//
// To be included after field/x8.h, inside its region for AVX-512.
#pragma once

namespace cuzk {

// 2^k p^2 in 16 limbs of 52 bits.
constexpr std::array<std::uint64_t, 16> square_of_modulus52(unsigned k) noexcept {
  const Limbs52<FpParams> p = split52<FpParams>(FpParams::kModulus);
  std::array<std::uint64_t, 16> out{};
  for (std::size_t i = 0; i < 8; ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < 8; ++j) {
      const uint128_t sum = static_cast<uint128_t>(p[i]) * p[j] + out[i + j] + carry;
      out[i + j] = static_cast<std::uint64_t>(sum) & kMask52;
      carry = static_cast<std::uint64_t>(sum >> 52);
    }
    out[i + 8] = carry;
  }
  for (unsigned bit = 0; bit < k; ++bit) {
    std::uint64_t carry = 0;
    for (std::uint64_t& limb : out) {
      limb = 2 * limb + carry;
      carry = limb >> 52;
      limb &= kMask52;
    }
  }
  return out;
}

// Sixteen columns of weight 2^(52 i), signed, of a product that is not reduced.
struct WideFpX8 {
  __m512i t[16];

  CUZK_IFMA_INLINE WideFpX8 mul(const FpX8& a, const FpX8& b) noexcept {
    WideFpX8 out;
    CUZK_UNROLL
    for (std::size_t i = 0; i < 16; ++i) out.t[i] = _mm512_setzero_si512();
    CUZK_UNROLL
    for (std::size_t i = 0; i < 8; ++i) {
      CUZK_UNROLL
      for (std::size_t j = 0; j < 8; ++j) out.t[i + j] = _mm512_madd52lo_epu64(out.t[i + j], a.l[j], b.l[i]);
      CUZK_UNROLL
      for (std::size_t j = 0; j < 8; ++j) {
        out.t[i + j + 1] = _mm512_madd52hi_epu64(out.t[i + j + 1], a.l[j], b.l[i]);
      }
    }
    return out;
  }
  CUZK_IFMA_INLINE WideFpX8 sub(const WideFpX8& a, const WideFpX8& b) noexcept {
    WideFpX8 out;
    CUZK_UNROLL
    for (std::size_t i = 0; i < 16; ++i) out.t[i] = _mm512_sub_epi64(a.t[i], b.t[i]);
    return out;
  }
  CUZK_IFMA_INLINE WideFpX8 add(const WideFpX8& a, const std::array<std::uint64_t, 16>& b) noexcept {
    WideFpX8 out;
    CUZK_UNROLL
    for (std::size_t i = 0; i < 16; ++i) out.t[i] = _mm512_add_epi64(a.t[i], word(b[i]));
    return out;
  }

  // a / R for a value that is not negative, below a / R + p; limbs are signed and loose. The lowest column is cleared
  // eight times by adding a multiple of p, as in FieldX8, but its carry may be negative.
  CUZK_IFMA_INLINE FpX8 reduce(WideFpX8 a) noexcept {
    constexpr Limbs52<FpParams> kModulus = split52<FpParams>(FpParams::kModulus);
    CUZK_UNROLL
    for (std::size_t i = 0; i < 8; ++i) {
      __m512i* t = a.t + i;
      const __m512i m =
          _mm512_madd52lo_epu64(_mm512_setzero_si512(), t[0], word(FpParams::kInverse & kMask52));
      t[1] = _mm512_add_epi64(t[1], _mm512_srai_epi64(_mm512_add_epi64(t[0], word(kMask52)), 52));
      CUZK_UNROLL
      for (std::size_t j = 0; j < 8; ++j) t[j + 1] = _mm512_madd52hi_epu64(t[j + 1], m, word(kModulus[j]));
      CUZK_UNROLL
      for (std::size_t j = 1; j < 8; ++j) t[j] = _mm512_madd52lo_epu64(t[j], m, word(kModulus[j]));
    }
    FpX8 out;
    CUZK_UNROLL
    for (std::size_t i = 0; i < 8; ++i) out.l[i] = a.t[i + 8];
    return out;
  }

 private:
  CUZK_IFMA_INLINE __m512i word(std::uint64_t w) noexcept {
    return _mm512_set1_epi64(static_cast<long long>(w));
  }
};

struct Fp2X8 {
  FpX8 c0, c1;

  // Above the product of the bounds of any two factors, in multiples of p^2.
  static constexpr unsigned kLogProductBound = 20;

  // Bounds of a and b below 2^17 and of their product below 2^20; results below 2p, signed and loose: to be tightened
  // with tighten_signed. Not inlined: several of these in one loop would not fit the instruction cache.
  [[gnu::noinline]] static void mul_loose(Fp2X8& out, const Fp2X8& a, const Fp2X8& b) noexcept {
    constexpr auto kBias = square_of_modulus52(kLogProductBound);
    const WideFpX8 v0 = WideFpX8::mul(a.c0, b.c0);
    const WideFpX8 v1 = WideFpX8::mul(a.c1, b.c1);
    const WideFpX8 v2 = WideFpX8::mul(FpX8::add(a.c0, a.c1), FpX8::add(b.c0, b.c1));
    out.c0 = WideFpX8::reduce(WideFpX8::add(WideFpX8::sub(v0, v1), kBias));
    out.c1 = WideFpX8::reduce(WideFpX8::sub(WideFpX8::sub(v2, v0), v1));
  }
  CUZK_IFMA_INLINE Fp2X8 mul(const Fp2X8& a, const Fp2X8& b) noexcept {
    Fp2X8 out;
    mul_loose(out, a, b);
    return {FpX8::tighten_signed(out.c0), FpX8::tighten_signed(out.c1)};
  }
  // (a0 + a1)(a0 - a1) + 2 a0 a1 u, for bounds of at most K; results below 2p, loose.
  template <std::uint64_t K>
  static Fp2X8 sqr_loose(const Fp2X8& a) noexcept {
    return {FpX8::mul_loose(FpX8::add(a.c0, a.c1), FpX8::sub<K>(a.c0, a.c1)),
            FpX8::mul_loose(a.c0, FpX8::dbl(a.c1))};
  }
};

}  // namespace cuzk
