// Fp2 = Fp[u] / (u^2 + 1): the field of the coordinates of G2, and the base of the pairing tower.
//
// An element is c0 + c1 u, both in Montgomery form. -1 is not a square modulo p (p = 3 mod 4), so u^2 = -1
// defines a field. Products by Karatsuba (3 products in Fp), squares by the complex method (2 products), as
// in Devegili, O hEigeartaigh, Scott, Dahab, "Multiplication and squaring on pairing-friendly fields", eprint
// 2006/471. All operations are total and noexcept; none is constant time.
#pragma once

#include <optional>
#include <span>

#include "field/fp.h"

namespace cuzk {

struct Fp2 {
  Fp c0;
  Fp c1;

  static constexpr Fp2 zero() noexcept { return {}; }
  static constexpr Fp2 one() noexcept { return {Fp::one(), Fp::zero()}; }

  constexpr bool is_zero() const noexcept { return c0.is_zero() && c1.is_zero(); }
  constexpr bool is_one() const noexcept { return c0.is_one() && c1.is_zero(); }
  friend constexpr bool operator==(const Fp2& a, const Fp2& b) noexcept {
    return a.c0 == b.c0 && a.c1 == b.c1;
  }

  friend Fp2 operator+(const Fp2& a, const Fp2& b) noexcept { return {a.c0 + b.c0, a.c1 + b.c1}; }
  friend Fp2 operator-(const Fp2& a, const Fp2& b) noexcept { return {a.c0 - b.c0, a.c1 - b.c1}; }
  friend Fp2 operator*(const Fp2& a, const Fp2& b) noexcept {
    const Fp low = a.c0 * b.c0;
    const Fp high = a.c1 * b.c1;
    return {low - high, (a.c0 + a.c1) * (b.c0 + b.c1) - low - high};
  }
  // The product with an element of Fp.
  friend Fp2 operator*(const Fp2& a, const Fp& b) noexcept { return {a.c0 * b, a.c1 * b}; }
  Fp2 operator-() const noexcept { return {-c0, -c1}; }
  Fp2& operator+=(const Fp2& other) noexcept { return *this = *this + other; }
  Fp2& operator-=(const Fp2& other) noexcept { return *this = *this - other; }
  Fp2& operator*=(const Fp2& other) noexcept { return *this = *this * other; }

  Fp2 doubled() const noexcept { return {c0.doubled(), c1.doubled()}; }
  // (c0 + c1)(c0 - c1) + 2 c0 c1 u
  Fp2 squared() const noexcept { return {(c0 + c1) * (c0 - c1), (c0 * c1).doubled()}; }

  // c0 - c1 u, which is also the Frobenius map x -> x^p.
  Fp2 conjugate() const noexcept { return {c0, -c1}; }
  // x^(p^power).
  Fp2 frobenius(unsigned power = 1) const noexcept { return power % 2 == 1 ? conjugate() : *this; }
  // The product with 1 + u, the element that is neither a square nor a cube over which Fp6 is built.
  Fp2 mul_by_nonresidue() const noexcept { return {c0 - c1, c0 + c1}; }
  // x * conjugate(x) = c0^2 + c1^2.
  Fp norm() const noexcept { return c0.squared() + c1.squared(); }

  // 1/this; zero for zero.
  Fp2 inverse() const noexcept;
  // A square root, which of the two is unspecified; nothing if there is none.
  std::optional<Fp2> sqrt() const noexcept;
  // this^exponent, exponent a little-endian integer of any length.
  Fp2 pow(std::span<const std::uint64_t> exponent) const noexcept;

  // Whether this is the larger of {this, -this} where c1 is compared first, then c0, as canonical integers.
  // False for zero.
  bool is_lexicographically_largest() const noexcept;
};

}  // namespace cuzk
