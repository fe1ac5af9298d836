// Fp12 = Fp6[w] / (w^2 - v): the field of pairing values.
//
// An element is c0 + c1 w. Products by Karatsuba, squares by the complex method (2 products in Fp6). The cyclotomic
// subgroup is that of order p^4 - p^2 + 1, where the pairing's final exponentiation works; there the inverse is the
// conjugate and squares are cheaper.
// All operations are total and noexcept; none is constant time.
#pragma once

#include "field/fp6.h"

namespace cuzk {

struct Fp12 {
  Fp6 c0;
  Fp6 c1;

  static constexpr Fp12 zero() noexcept { return {}; }
  static constexpr Fp12 one() noexcept { return {Fp6::one(), Fp6::zero()}; }

  constexpr bool is_zero() const noexcept { return c0.is_zero() && c1.is_zero(); }
  constexpr bool is_one() const noexcept { return c0.is_one() && c1.is_zero(); }
  friend constexpr bool operator==(const Fp12& a, const Fp12& b) noexcept {
    return a.c0 == b.c0 && a.c1 == b.c1;
  }

  friend Fp12 operator+(const Fp12& a, const Fp12& b) noexcept { return {a.c0 + b.c0, a.c1 + b.c1}; }
  friend Fp12 operator-(const Fp12& a, const Fp12& b) noexcept { return {a.c0 - b.c0, a.c1 - b.c1}; }
  friend Fp12 operator*(const Fp12& a, const Fp12& b) noexcept;
  Fp12 operator-() const noexcept { return {-c0, -c1}; }
  Fp12& operator+=(const Fp12& other) noexcept { return *this = *this + other; }
  Fp12& operator-=(const Fp12& other) noexcept { return *this = *this - other; }
  Fp12& operator*=(const Fp12& other) noexcept { return *this = *this * other; }

  Fp12 doubled() const noexcept { return {c0.doubled(), c1.doubled()}; }
  Fp12 squared() const noexcept;
  // c0 - c1 w, which is x^(p^6), and the inverse in the cyclotomic subgroup.
  Fp12 conjugate() const noexcept { return {c0, -c1}; }
  // 1/this; zero for zero.
  Fp12 inverse() const noexcept;
  // this^exponent, exponent a little-endian integer of any length.
  Fp12 pow(std::span<const std::uint64_t> exponent) const noexcept;
  // this^(p^power).
  Fp12 frobenius(unsigned power = 1) const noexcept;

  // The square of an element of the cyclotomic subgroup; for any other element the result is meaningless.
  Fp12 cyclotomic_squared() const noexcept;
  // The product with b0 + b1 v + b4 v w, the shape of a line of the Miller loop (13 products in Fp2).
  Fp12 mul_by_014(const Fp2& b0, const Fp2& b1, const Fp2& b4) const noexcept;
};

}  // namespace cuzk
