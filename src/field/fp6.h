// Fp6 = Fp2[v] / (v^3 - (1 + u)): the middle of the pairing tower.
//
// An element is c0 + c1 v + c2 v^2. Products by Karatsuba (6 products in Fp2), squares by the method CH-SQR2 (2 products
// and 3 squares) of Chung and Hasan, as in Devegili, O hEigeartaigh, Scott, Dahab, eprint 2006/471.
// All operations are total and noexcept; none is constant time.
#pragma once

#include "field/fp2.h"

namespace cuzk {

struct Fp6 {
  Fp2 c0;
  Fp2 c1;
  Fp2 c2;

  static constexpr Fp6 zero() noexcept { return {}; }
  static constexpr Fp6 one() noexcept { return {Fp2::one(), Fp2::zero(), Fp2::zero()}; }

  constexpr bool is_zero() const noexcept { return c0.is_zero() && c1.is_zero() && c2.is_zero(); }
  constexpr bool is_one() const noexcept { return c0.is_one() && c1.is_zero() && c2.is_zero(); }
  friend constexpr bool operator==(const Fp6& a, const Fp6& b) noexcept {
    return a.c0 == b.c0 && a.c1 == b.c1 && a.c2 == b.c2;
  }

  friend Fp6 operator+(const Fp6& a, const Fp6& b) noexcept {
    return {a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2};
  }
  friend Fp6 operator-(const Fp6& a, const Fp6& b) noexcept {
    return {a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2};
  }
  friend Fp6 operator*(const Fp6& a, const Fp6& b) noexcept;
  // The product with an element of Fp2, and of Fp.
  friend Fp6 operator*(const Fp6& a, const Fp2& b) noexcept { return {a.c0 * b, a.c1 * b, a.c2 * b}; }
  friend Fp6 operator*(const Fp6& a, const Fp& b) noexcept { return {a.c0 * b, a.c1 * b, a.c2 * b}; }
  Fp6 operator-() const noexcept { return {-c0, -c1, -c2}; }
  Fp6& operator+=(const Fp6& other) noexcept { return *this = *this + other; }
  Fp6& operator-=(const Fp6& other) noexcept { return *this = *this - other; }
  Fp6& operator*=(const Fp6& other) noexcept { return *this = *this * other; }

  Fp6 doubled() const noexcept { return {c0.doubled(), c1.doubled(), c2.doubled()}; }
  Fp6 squared() const noexcept;
  // 1/this; zero for zero.
  Fp6 inverse() const noexcept;
  // this^exponent, exponent a little-endian integer of any length.
  Fp6 pow(std::span<const std::uint64_t> exponent) const noexcept;
  // this^(p^power).
  Fp6 frobenius(unsigned power = 1) const noexcept;

  // The product with v, over which Fp12 is built.
  Fp6 mul_by_nonresidue() const noexcept { return {c2.mul_by_nonresidue(), c0, c1}; }
  // The product with b1 v (3 products) and with b0 + b1 v (5 products).
  Fp6 mul_by_1(const Fp2& b1) const noexcept { return {(c2 * b1).mul_by_nonresidue(), c0 * b1, c1 * b1}; }
  Fp6 mul_by_01(const Fp2& b0, const Fp2& b1) const noexcept;
};

}  // namespace cuzk
