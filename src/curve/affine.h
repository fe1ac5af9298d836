// Affine points of the short Weierstrass curves y^2 = x^3 + b of BLS12-381: G1 over Fp (b = 4), G2 over Fp2
// (b = 4 (1 + u)).
//
// The point at infinity is x = y = 0, which satisfies neither equation. A value of this type need be neither
// on the curve nor in the subgroup of order r: is_on_curve here, is_in_subgroup in subgroup.h; decoding
// (encoding.h) checks the curve.
#pragma once

#include "field/fp.h"
#include "field/fp2.h"

namespace cuzk {

// The coefficient b.
template <typename F>
F curve_coefficient() noexcept;
template <>
inline Fp curve_coefficient<Fp>() noexcept {
  return Fp::one().doubled().doubled();
}
template <>
inline Fp2 curve_coefficient<Fp2>() noexcept {
  return Fp2::one().mul_by_nonresidue().doubled().doubled();
}

template <typename F>
struct AffinePoint {
  using Field = F;

  F x;
  F y;

  static constexpr AffinePoint infinity() noexcept { return {}; }
  // The standard generator of the subgroup of order r (the ZCash specification and all later ones).
  static const AffinePoint& generator() noexcept;

  constexpr bool is_infinity() const noexcept { return x.is_zero() && y.is_zero(); }
  // True also for infinity.
  bool is_on_curve() const noexcept {
    return is_infinity() || y.squared() == x.squared() * x + curve_coefficient<F>();
  }
  AffinePoint operator-() const noexcept { return {x, -y}; }
  friend constexpr bool operator==(const AffinePoint& a, const AffinePoint& b) noexcept {
    return a.x == b.x && a.y == b.y;
  }
};

using G1Affine = AffinePoint<Fp>;
using G2Affine = AffinePoint<Fp2>;

template <>
const G1Affine& G1Affine::generator() noexcept;
template <>
const G2Affine& G2Affine::generator() noexcept;

}  // namespace cuzk
