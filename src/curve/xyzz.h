// Accumulators in XYZZ coordinates: x = X / ZZ, y = Y / ZZZ with ZZ^3 = ZZZ^2, infinity when ZZ = 0.
//
// The cheapest form to add affine points into (8 products and 2 squares), hence the form of MSM buckets. All
// operations are complete. Formulas for a = 0 from the Explicit-Formulas Database (g1p/auto-shortw-xyzz)
// under the names given below.
#pragma once

#include "curve/projective.h"

namespace cuzk {

template <typename F>
struct XyzzPoint {
  using Field = F;
  using Affine = AffinePoint<F>;

  F x;
  F y;
  F zz;
  F zzz;

  constexpr XyzzPoint() noexcept = default;  // infinity
  XyzzPoint(const F& x_in, const F& y_in, const F& zz_in, const F& zzz_in) noexcept
      : x(x_in), y(y_in), zz(zz_in), zzz(zzz_in) {}
  XyzzPoint(const Affine& point) noexcept {
    if (!point.is_infinity()) *this = {point.x, point.y, F::one(), F::one()};
  }
  // ZZ = Z^2, ZZZ = Z^3.
  explicit XyzzPoint(const ProjectivePoint<F>& point) noexcept
      : x(point.x), y(point.y), zz(point.z.squared()) {
    zzz = zz * point.z;
  }

  static constexpr XyzzPoint infinity() noexcept { return {}; }
  constexpr bool is_infinity() const noexcept { return zz.is_zero(); }

  // Z = ZZ: X Z^-2 = (x ZZ) / ZZ^2 and Y Z^-3 = (y ZZZ) / ZZ^3.
  ProjectivePoint<F> to_projective() const noexcept {
    if (is_infinity()) return {};
    return {x * zz, y * zzz, zz};
  }
  // One inversion: 1/ZZ = (ZZ / ZZZ)^2.
  Affine to_affine() const noexcept {
    if (is_infinity()) return Affine::infinity();
    const F zzz_inverse = zzz.inverse();
    return {x * (zz * zzz_inverse).squared(), y * zzz_inverse};
  }

  XyzzPoint operator-() const noexcept { return {x, -y, zz, zzz}; }

  // dbl-2008-s-1
  XyzzPoint doubled() const noexcept {
    const F u = y.doubled();
    const F v = u.squared();
    const F w = u * v;
    const F s = x * v;
    const F xx = x.squared();
    const F m = xx.doubled() + xx;
    const F x3 = m.squared() - s.doubled();
    return {x3, m * (s - x3) - w * y, v * zz, w * zzz};
  }
  // mdbl-2008-s-1
  static XyzzPoint doubled(const Affine& point) noexcept {
    if (point.is_infinity()) return {};
    const F u = point.y.doubled();
    const F v = u.squared();
    const F w = u * v;
    const F s = point.x * v;
    const F xx = point.x.squared();
    const F m = xx.doubled() + xx;
    const F x3 = m.squared() - s.doubled();
    return {x3, m * (s - x3) - w * point.y, v, w};
  }

  // this += point (madd-2008-s).
  void add(const Affine& point) noexcept {
    if (point.is_infinity()) return;
    if (is_infinity()) {
      *this = point;
      return;
    }
    const F p = point.x * zz - x;
    const F r = point.y * zzz - y;
    if (p.is_zero()) {
      *this = r.is_zero() ? doubled(point) : infinity();
      return;
    }
    const F pp = p.squared();
    const F ppp = p * pp;
    const F q = x * pp;
    const F x3 = r.squared() - ppp - q.doubled();
    y = r * (q - x3) - y * ppp;
    x = x3;
    zz *= pp;
    zzz *= ppp;
  }

  // this += other (add-2008-s). `other` may be this object.
  void add(const XyzzPoint& other) noexcept {
    if (other.is_infinity()) return;
    if (is_infinity()) {
      *this = other;
      return;
    }
    const F u1 = x * other.zz;
    const F s1 = y * other.zzz;
    const F p = other.x * zz - u1;
    const F r = other.y * zzz - s1;
    if (p.is_zero()) {
      *this = r.is_zero() ? doubled() : infinity();
      return;
    }
    const F pp = p.squared();
    const F ppp = p * pp;
    const F q = u1 * pp;
    x = r.squared() - ppp - q.doubled();
    y = r * (q - x) - s1 * ppp;
    zz = zz * other.zz * pp;
    zzz = zzz * other.zzz * ppp;
  }

  XyzzPoint& operator+=(const Affine& point) noexcept {
    add(point);
    return *this;
  }
  XyzzPoint& operator+=(const XyzzPoint& other) noexcept {
    add(other);
    return *this;
  }

  // Whether both are the same point.
  friend bool operator==(const XyzzPoint& a, const XyzzPoint& b) noexcept {
    if (a.is_infinity() || b.is_infinity()) return a.is_infinity() == b.is_infinity();
    return a.x * b.zz == b.x * a.zz && a.y * b.zzz == b.y * a.zzz;
  }
};

using G1Xyzz = XyzzPoint<Fp>;
using G2Xyzz = XyzzPoint<Fp2>;

}  // namespace cuzk
