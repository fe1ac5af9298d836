// Eight field elements from memory to registers and back as 64-bit words: lane k of register w[i] is word i of element k. This is
// the transposition of a matrix whose rows are the elements. For use in a region for AVX-512 (field/ifma_region.h).
#pragma once

#include <cstddef>

#include "field/ifma_region.h"

namespace cuzk {

CUZK_IFMA_BEGIN

CUZK_IFMA_INLINE __m512i lower_pairs() noexcept {
  return _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
}
CUZK_IFMA_INLINE __m512i upper_pairs() noexcept {
  return _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
}

CUZK_IFMA_INLINE __m512i four_pairs(__m128i a, __m128i b, __m128i c, __m128i d) noexcept {
  const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1);
  const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(c), d, 1);
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}
template <int pair, class WordsOfLane>
CUZK_IFMA_INLINE void store_pairs(WordsOfLane words, __m512i even, __m512i odd) noexcept {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(words(2 * pair) + 4), _mm512_extracti64x2_epi64(even, pair));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(words(2 * pair + 1) + 4), _mm512_extracti64x2_epi64(odd, pair));
}

// w = the N words (4 or 6) of eight elements; words(k) points at those of element k, with any alignment. Of the low four words,
// halves of elements k and k + 4 share a register.
template <std::size_t N, class WordsOfLane>
CUZK_IFMA_INLINE void load_lanes(WordsOfLane words, __m512i* w) noexcept {
  static_assert(N == 4 || N == 6);
  __m512i z[4];
  for (int k = 0; k < 4; ++k) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words(k)));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words(k + 4)));
    z[k] = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
  }
  const __m512i even01 = _mm512_unpacklo_epi64(z[0], z[1]), odd01 = _mm512_unpackhi_epi64(z[0], z[1]);
  const __m512i even23 = _mm512_unpacklo_epi64(z[2], z[3]), odd23 = _mm512_unpackhi_epi64(z[2], z[3]);
  w[0] = _mm512_permutex2var_epi64(even01, lower_pairs(), even23);
  w[1] = _mm512_permutex2var_epi64(odd01, lower_pairs(), odd23);
  w[2] = _mm512_permutex2var_epi64(even01, upper_pairs(), even23);
  w[3] = _mm512_permutex2var_epi64(odd01, upper_pairs(), odd23);
  if constexpr (N == 6) {
    const auto pair = [&](int k) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(words(k) + 4)); };
    const __m512i even = four_pairs(pair(0), pair(2), pair(4), pair(6));
    const __m512i odd = four_pairs(pair(1), pair(3), pair(5), pair(7));
    w[4] = _mm512_unpacklo_epi64(even, odd);
    w[5] = _mm512_unpackhi_epi64(even, odd);
  }
}

// The inverse.
template <std::size_t N, class WordsOfLane>
CUZK_IFMA_INLINE void store_lanes(const __m512i* w, WordsOfLane words) noexcept {
  static_assert(N == 4 || N == 6);
  const __m512i even01 = _mm512_permutex2var_epi64(w[0], lower_pairs(), w[2]);
  const __m512i odd01 = _mm512_permutex2var_epi64(w[1], lower_pairs(), w[3]);
  const __m512i even23 = _mm512_permutex2var_epi64(w[0], upper_pairs(), w[2]);
  const __m512i odd23 = _mm512_permutex2var_epi64(w[1], upper_pairs(), w[3]);
  const __m512i z[4] = {_mm512_unpacklo_epi64(even01, odd01), _mm512_unpackhi_epi64(even01, odd01),
                        _mm512_unpacklo_epi64(even23, odd23), _mm512_unpackhi_epi64(even23, odd23)};
  for (int k = 0; k < 4; ++k) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(words(k)), _mm512_castsi512_si256(z[k]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(words(k + 4)), _mm512_extracti64x4_epi64(z[k], 1));
  }
  if constexpr (N == 6) {
    const __m512i even = _mm512_unpacklo_epi64(w[4], w[5]), odd = _mm512_unpackhi_epi64(w[4], w[5]);
    store_pairs<0>(words, even, odd);
    store_pairs<1>(words, even, odd);
    store_pairs<2>(words, even, odd);
    store_pairs<3>(words, even, odd);
  }
}

CUZK_IFMA_END

}  // namespace cuzk
