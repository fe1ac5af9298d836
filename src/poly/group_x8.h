// Groups of eight records (64 adjacent values of a row): their transposition, and the last three levels of a
// row, which pair values at distances 4, 2, 1. Transposed, record i holds value 8 k + i of the group in lane
// k, so the eight octets are transformed side by side, each with its own roots. Internal to ntt_ifma.cc; for
// its AVX-512 region only.
#pragma once

#include "poly/butterflies_x8.h"

namespace cuzk {

inline constexpr std::size_t kGroup = 64;
// Records of roots that the three levels take: one for distance 4, two for 2, four for 1. x8-form values
// below 1.03 r.
inline constexpr std::size_t kFactorsOfGroup = 7;

CUZK_IFMA_BEGIN

// x[i] lane k <-> x[k] lane i.
[[gnu::always_inline]] inline void transpose(FrX8* x) {
  CUZK_UNROLL
  for (std::size_t limb = 0; limb < 5; ++limb) {
    __m512i pairs[8], quads[8];
    CUZK_UNROLL
    for (std::size_t i = 0; i < 8; i += 2) {  // lanes (0 1) (2 3) ... of rows i, i + 1
      pairs[i] = _mm512_unpacklo_epi64(x[i].l[limb], x[i + 1].l[limb]);
      pairs[i + 1] = _mm512_unpackhi_epi64(x[i].l[limb], x[i + 1].l[limb]);
    }
    CUZK_UNROLL
    for (std::size_t i = 0; i < 8; i += 4) {
      CUZK_UNROLL
      for (std::size_t j = 0; j < 2; ++j) {
        quads[i + j] = _mm512_shuffle_i64x2(pairs[i + j], pairs[i + 2 + j], 0x88);
        quads[i + 2 + j] = _mm512_shuffle_i64x2(pairs[i + j], pairs[i + 2 + j], 0xdd);
      }
    }
    CUZK_UNROLL
    for (std::size_t j = 0; j < 4; ++j) {
      x[j].l[limb] = _mm512_shuffle_i64x2(quads[j], quads[4 + j], 0x88);
      x[4 + j].l[limb] = _mm512_shuffle_i64x2(quads[j], quads[4 + j], 0xdd);
    }
  }
}

// Eight transposed records: loose, adds 6 to the bound.
[[gnu::always_inline]] inline void group_to_reversed(FrX8* x, const FrX8* factors) {
  CUZK_UNROLL
  for (std::size_t j = 0; j < 2; ++j) {
    FrX8 quarter[4] = {x[j], x[2 + j], x[4 + j], x[6 + j]};
    FourToReversed::apply(quarter, factors[0], factors[1], factors[2]);
    for (std::size_t i = 0; i < 4; ++i) x[2 * i + j] = quarter[i];
  }
  CUZK_UNROLL
  for (std::size_t i = 0; i < 4; ++i) butterfly_to_reversed(x[2 * i], x[2 * i + 1], factors[3 + i]);
}

// Loose, below 4 before and after.
[[gnu::always_inline]] inline void group_to_natural(FrX8* x, const FrX8* factors) {
  CUZK_UNROLL
  for (std::size_t i = 0; i < 4; ++i) butterfly_to_natural(x[2 * i], x[2 * i + 1], factors[3 + i]);
  CUZK_UNROLL
  for (std::size_t j = 0; j < 2; ++j) {
    FrX8 quarter[4] = {x[j], x[2 + j], x[4 + j], x[6 + j]};
    FourToNatural::apply(quarter, factors[0], factors[1], factors[2]);
    for (std::size_t i = 0; i < 4; ++i) x[2 * i + j] = quarter[i];
  }
}

CUZK_IFMA_END

}  // namespace cuzk
