// Sums and differences modulo p of reduced limbs, without branches: whether a sum exceeds p is a coin toss, and a wrong
// guess of the processor costs more than the whole sum. The carry chains of 4 and 6 limbs are written in assembly,
// since g++ 12 does not make them from portable code; constant evaluation and other lengths take the portable code.
#pragma once

#include <type_traits>

#include "field/limbs.h"

namespace cuzk {

// a + b mod p for a, b < p and 2p < 2^(64 N).
template <std::size_t N>
constexpr Limbs<N> add_mod_portable(const Limbs<N>& a, const Limbs<N>& b, const Limbs<N>& p) noexcept {
  Limbs<N> sum{}, reduced{};
  add_limbs(sum, a, b);
  const std::uint64_t keep = 0 - sub_limbs(reduced, sum, p);
  for (std::size_t i = 0; i < N; ++i) reduced[i] ^= (reduced[i] ^ sum[i]) & keep;
  return reduced;
}

// a - b mod p for a, b < p.
template <std::size_t N>
constexpr Limbs<N> sub_mod_portable(const Limbs<N>& a, const Limbs<N>& b, const Limbs<N>& p) noexcept {
  Limbs<N> difference{}, masked{};
  const std::uint64_t borrowed = 0 - sub_limbs(difference, a, b);
  for (std::size_t i = 0; i < N; ++i) masked[i] = p[i] & borrowed;
  add_limbs(difference, difference, masked);
  return difference;
}

inline Limbs<4> add_mod_asm(const Limbs<4>& a, const Limbs<4>& b, const Limbs<4>& p) noexcept {
  std::uint64_t s0 = a[0], s1 = a[1], s2 = a[2], s3 = a[3];
  asm("add %4, %0\n\t adc %5, %1\n\t adc %6, %2\n\t adc %7, %3"
      : "+&r"(s0), "+&r"(s1), "+&r"(s2), "+&r"(s3)
      : "rm"(b[0]), "rm"(b[1]), "rm"(b[2]), "rm"(b[3])
      : "cc");
  std::uint64_t d0 = s0, d1 = s1, d2 = s2, d3 = s3;
  asm("sub %8, %0\n\t sbb %9, %1\n\t sbb %10, %2\n\t sbb %11, %3\n\t"
      "cmovc %4, %0\n\t cmovc %5, %1\n\t cmovc %6, %2\n\t cmovc %7, %3"
      : "+&r"(d0), "+&r"(d1), "+&r"(d2), "+&r"(d3)
      : "r"(s0), "r"(s1), "r"(s2), "r"(s3), "m"(p[0]), "m"(p[1]), "m"(p[2]), "m"(p[3])
      : "cc");
  return {d0, d1, d2, d3};
}

inline Limbs<6> add_mod_asm(const Limbs<6>& a, const Limbs<6>& b, const Limbs<6>& p) noexcept {
  std::uint64_t s0 = a[0], s1 = a[1], s2 = a[2], s3 = a[3], s4 = a[4], s5 = a[5];
  asm("add %6, %0\n\t adc %7, %1\n\t adc %8, %2\n\t adc %9, %3\n\t adc %10, %4\n\t adc %11, %5"
      : "+&r"(s0), "+&r"(s1), "+&r"(s2), "+&r"(s3), "+&r"(s4), "+&r"(s5)
      : "m"(b[0]), "m"(b[1]), "m"(b[2]), "m"(b[3]), "m"(b[4]), "m"(b[5])
      : "cc");
  std::uint64_t d0 = s0, d1 = s1, d2 = s2, d3 = s3, d4 = s4, d5 = s5;
  asm("sub %12, %0\n\t sbb %13, %1\n\t sbb %14, %2\n\t sbb %15, %3\n\t sbb %16, %4\n\t sbb %17, %5\n\t"
      "cmovc %6, %0\n\t cmovc %7, %1\n\t cmovc %8, %2\n\t cmovc %9, %3\n\t cmovc %10, %4\n\t cmovc %11, %5"
      : "+&r"(d0), "+&r"(d1), "+&r"(d2), "+&r"(d3), "+&r"(d4), "+&r"(d5)
      : "rm"(s0), "rm"(s1), "rm"(s2), "rm"(s3), "rm"(s4), "rm"(s5), "m"(p[0]), "m"(p[1]), "m"(p[2]),
        "m"(p[3]), "m"(p[4]), "m"(p[5])
      : "cc");
  return {d0, d1, d2, d3, d4, d5};
}

inline Limbs<4> sub_mod_asm(const Limbs<4>& a, const Limbs<4>& b, const Limbs<4>& p) noexcept {
  std::uint64_t d0 = a[0], d1 = a[1], d2 = a[2], d3 = a[3], borrowed = 0;
  asm("sub %5, %0\n\t sbb %6, %1\n\t sbb %7, %2\n\t sbb %8, %3\n\t sbb %4, %4"
      : "+&r"(d0), "+&r"(d1), "+&r"(d2), "+&r"(d3), "+&r"(borrowed)
      : "rm"(b[0]), "rm"(b[1]), "rm"(b[2]), "rm"(b[3])
      : "cc");
  asm("add %4, %0\n\t adc %5, %1\n\t adc %6, %2\n\t adc %7, %3"
      : "+&r"(d0), "+&r"(d1), "+&r"(d2), "+&r"(d3)
      : "r"(p[0] & borrowed), "r"(p[1] & borrowed), "r"(p[2] & borrowed), "r"(p[3] & borrowed)
      : "cc");
  return {d0, d1, d2, d3};
}

inline Limbs<6> sub_mod_asm(const Limbs<6>& a, const Limbs<6>& b, const Limbs<6>& p) noexcept {
  std::uint64_t d0 = a[0], d1 = a[1], d2 = a[2], d3 = a[3], d4 = a[4], d5 = a[5], borrowed = 0;
  asm("sub %7, %0\n\t sbb %8, %1\n\t sbb %9, %2\n\t sbb %10, %3\n\t sbb %11, %4\n\t sbb %12, %5\n\t sbb %6, "
      "%6"
      : "+&r"(d0), "+&r"(d1), "+&r"(d2), "+&r"(d3), "+&r"(d4), "+&r"(d5), "+&r"(borrowed)
      : "m"(b[0]), "m"(b[1]), "m"(b[2]), "m"(b[3]), "m"(b[4]), "m"(b[5])
      : "cc");
  asm("add %6, %0\n\t adc %7, %1\n\t adc %8, %2\n\t adc %9, %3\n\t adc %10, %4\n\t adc %11, %5"
      : "+&r"(d0), "+&r"(d1), "+&r"(d2), "+&r"(d3), "+&r"(d4), "+&r"(d5)
      : "rm"(p[0] & borrowed), "rm"(p[1] & borrowed), "rm"(p[2] & borrowed), "rm"(p[3] & borrowed),
        "rm"(p[4] & borrowed), "rm"(p[5] & borrowed)
      : "cc");
  return {d0, d1, d2, d3, d4, d5};
}

template <std::size_t N>
constexpr Limbs<N> add_mod(const Limbs<N>& a, const Limbs<N>& b, const Limbs<N>& p) noexcept {
  if constexpr (N == 4 || N == 6) {
    if (!std::is_constant_evaluated()) return add_mod_asm(a, b, p);
  }
  return add_mod_portable(a, b, p);
}
template <std::size_t N>
constexpr Limbs<N> sub_mod(const Limbs<N>& a, const Limbs<N>& b, const Limbs<N>& p) noexcept {
  if constexpr (N == 4 || N == 6) {
    if (!std::is_constant_evaluated()) return sub_mod_asm(a, b, p);
  }
  return sub_mod_portable(a, b, p);
}

}  // namespace cuzk
