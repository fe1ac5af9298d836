// Points in Jacobian coordinates: x = X / Z^2, y = Y / Z^3, infinity when Z = 0.
//
// The general-purpose form: sums, doublings and products with a scalar. All operations are complete (equal
// points, opposite points, infinity, any point of the curve inside or outside the subgroup) and none is
// constant time. Formulas for a = 0 from the Explicit-Formulas Database (hyperelliptic.org/EFD,
// g1p/auto-shortw-jacobian-0) under the names given below.
#pragma once

#include <span>

#include "base/check.h"
#include "curve/affine.h"
#include "field/fr.h"

namespace cuzk {

template <typename F>
struct ProjectivePoint {
  using Field = F;
  using Affine = AffinePoint<F>;

  F x = F::one();
  F y = F::one();
  F z = F::zero();

  constexpr ProjectivePoint() noexcept = default;  // infinity
  ProjectivePoint(const F& x_in, const F& y_in, const F& z_in) noexcept : x(x_in), y(y_in), z(z_in) {}
  ProjectivePoint(const Affine& point) noexcept {
    if (!point.is_infinity()) *this = {point.x, point.y, F::one()};
  }

  static constexpr ProjectivePoint infinity() noexcept { return {}; }
  static ProjectivePoint generator() noexcept { return Affine::generator(); }
  constexpr bool is_infinity() const noexcept { return z.is_zero(); }

  // One inversion; batch_to_affine shares it among many points.
  Affine to_affine() const noexcept {
    if (is_infinity()) return Affine::infinity();
    const F z_inverse = z.inverse();
    const F z_inverse2 = z_inverse.squared();
    return {x * z_inverse2, y * (z_inverse2 * z_inverse)};
  }

  ProjectivePoint operator-() const noexcept { return {x, -y, z}; }

  // dbl-2009-l
  ProjectivePoint doubled() const noexcept {
    const F a = x.squared();
    const F b = y.squared();
    const F c = b.squared();
    const F d = ((x + b).squared() - a - c).doubled();
    const F e = a.doubled() + a;
    const F x3 = e.squared() - d.doubled();
    return {x3, e * (d - x3) - c.doubled().doubled().doubled(), (y * z).doubled()};
  }

  // add-2007-bl
  friend ProjectivePoint operator+(const ProjectivePoint& p, const ProjectivePoint& q) noexcept {
    if (p.is_infinity()) return q;
    if (q.is_infinity()) return p;
    const F z1z1 = p.z.squared();
    const F z2z2 = q.z.squared();
    const F u1 = p.x * z2z2;
    const F h = q.x * z1z1 - u1;
    const F s1 = p.y * q.z * z2z2;
    const F half_r = q.y * p.z * z1z1 - s1;
    if (h.is_zero()) return half_r.is_zero() ? p.doubled() : infinity();
    const F i = h.doubled().squared();
    const F j = h * i;
    const F r = half_r.doubled();
    const F v = u1 * i;
    const F x3 = r.squared() - j - v.doubled();
    return {x3, r * (v - x3) - (s1 * j).doubled(), ((p.z + q.z).squared() - z1z1 - z2z2) * h};
  }

  // madd-2007-bl
  friend ProjectivePoint operator+(const ProjectivePoint& p, const Affine& q) noexcept {
    if (q.is_infinity()) return p;
    if (p.is_infinity()) return q;
    const F z1z1 = p.z.squared();
    const F h = q.x * z1z1 - p.x;
    const F half_r = q.y * p.z * z1z1 - p.y;
    if (h.is_zero()) return half_r.is_zero() ? p.doubled() : infinity();
    const F hh = h.squared();
    const F i = hh.doubled().doubled();
    const F j = h * i;
    const F r = half_r.doubled();
    const F v = p.x * i;
    const F x3 = r.squared() - j - v.doubled();
    return {x3, r * (v - x3) - (p.y * j).doubled(), (p.z + h).squared() - z1z1 - hh};
  }

  friend ProjectivePoint operator-(const ProjectivePoint& p, const ProjectivePoint& q) noexcept {
    return p + (-q);
  }
  friend ProjectivePoint operator-(const ProjectivePoint& p, const Affine& q) noexcept { return p + (-q); }
  ProjectivePoint& operator+=(const ProjectivePoint& q) noexcept { return *this = *this + q; }
  ProjectivePoint& operator+=(const Affine& q) noexcept { return *this = *this + q; }
  ProjectivePoint& operator-=(const ProjectivePoint& q) noexcept { return *this = *this - q; }
  ProjectivePoint& operator-=(const Affine& q) noexcept { return *this = *this - q; }

  // [scalar] this; the scalar is a little-endian integer of any length, not reduced modulo r, so the product
  // is right for points outside the subgroup as well. Fixed windows of 4 bits.
  ProjectivePoint mul(std::span<const std::uint64_t> scalar) const noexcept {
    ProjectivePoint multiples[16];
    for (std::size_t k = 1; k < 16; ++k) {
      multiples[k] = k % 2 == 0 ? multiples[k / 2].doubled() : multiples[k - 1] + *this;
    }
    ProjectivePoint result;
    for (std::size_t i = scalar.size(); i-- > 0;) {
      for (int shift = 60; shift >= 0; shift -= 4) {
        if (!result.is_infinity()) result = result.doubled().doubled().doubled().doubled();
        const std::uint64_t digit = (scalar[i] >> shift) & 15;
        if (digit != 0) result += multiples[digit];
      }
    }
    return result;
  }
  ProjectivePoint mul(const Fr& scalar) const noexcept { return mul(scalar.to_repr()); }

  // Whether both are the same point.
  friend bool operator==(const ProjectivePoint& p, const ProjectivePoint& q) noexcept {
    if (p.is_infinity() || q.is_infinity()) return p.is_infinity() == q.is_infinity();
    const F z1z1 = p.z.squared();
    const F z2z2 = q.z.squared();
    return p.x * z2z2 == q.x * z1z1 && p.y * (q.z * z2z2) == q.y * (p.z * z1z1);
  }
};

using G1Projective = ProjectivePoint<Fp>;
using G2Projective = ProjectivePoint<Fp2>;

// out[i] = points[i] in affine form, with one inversion in all and 6 products a point. The lengths must be
// equal (checked); 0 is allowed. Single-threaded, no allocation; `out` must not overlap `points`.
template <typename F>
void batch_to_affine(std::span<const ProjectivePoint<F>> points, std::span<AffinePoint<F>> out) noexcept {
  CUZK_CHECK(points.size() == out.size(), "batch_to_affine: lengths differ");
  F running = F::one();
  for (std::size_t i = 0; i < points.size(); ++i) {
    out[i].x = running;  // the product of all earlier z
    if (!points[i].is_infinity()) running *= points[i].z;
  }
  running = running.inverse();
  for (std::size_t i = points.size(); i-- > 0;) {
    if (points[i].is_infinity()) {
      out[i] = AffinePoint<F>::infinity();
      continue;
    }
    const F z_inverse = running * out[i].x;
    running *= points[i].z;
    const F z_inverse2 = z_inverse.squared();
    out[i] = {points[i].x * z_inverse2, points[i].y * (z_inverse2 * z_inverse)};
  }
}

// Templates do not deduce a span from a vector; these do the conversion.
inline void batch_to_affine(std::span<const G1Projective> points, std::span<G1Affine> out) noexcept {
  batch_to_affine<Fp>(points, out);
}
inline void batch_to_affine(std::span<const G2Projective> points, std::span<G2Affine> out) noexcept {
  batch_to_affine<Fp2>(points, out);
}

}  // namespace cuzk
