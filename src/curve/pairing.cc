// The Miller loop runs over the 64 bits of |x| in homogeneous coordinates on the twist. Untwisting (x, y) ->
// (x / w^2, y / w^3), the line with slope m (on the twist) through T, evaluated at P and times w^3, is
//   (m x_T - y_T) - m x_P v + y_P v w,
// which the steps below give times a factor of Fp2. Formulas after Aranha, Karabina, Longa, Gebotys, Lopez, "Faster
// explicit formulas for computing pairings over ordinary curves", eprint 2010/526.
#include "curve/pairing.h"

#include "curve/parameter.h"

namespace cuzk {
namespace {

constexpr std::size_t kNumLines = 68;  // 63 doublings and 5 additions

// A point of the twist, x = X / Z, y = Y / Z.
struct HomogeneousPoint {
  Fp2 x;
  Fp2 y;
  Fp2 z;
};

Fp2 tripled(const Fp2& value) noexcept {
  return value.doubled() + value;
}

// t <- 2 t. The tangent at t, times 2 y_T Z^2:
//   (Y^2 - 3 b Z^2) - 3 X^2 x_P v + 2 Y Z y_P v w.
LineCoefficients double_step(HomogeneousPoint& t) noexcept {
  const Fp2 xy = t.x * t.y;
  const Fp2 yy = t.y.squared();
  const Fp2 zz = t.z.squared();
  const Fp2 e = tripled(zz).mul_by_nonresidue().doubled().doubled();  // 3 b Z^2, b = 4 (1 + u)
  const Fp2 f = tripled(e);
  const Fp2 h = (t.y + t.z).squared() - (yy + zz);  // 2 Y Z
  const LineCoefficients line = {yy - e, -tripled(t.x.squared()), h};
  // Four times the usual (X Y (B - F) / 2, ((B + F) / 2)^2 - 3 E^2, B H), which saves the halvings.
  t.x = (xy * (yy - f)).doubled();
  t.y = (yy + f).squared() - tripled(e.squared()).doubled().doubled();
  t.z = (yy * h).doubled().doubled();
  return line;
}

// t <- t + q. With theta = Y - y_Q Z and lambda = X - x_Q Z the slope is theta / lambda; the line times lambda:
//   (theta x_Q - lambda y_Q) - theta x_P v + lambda y_P v w.
LineCoefficients add_step(HomogeneousPoint& t, const G2Affine& q) noexcept {
  const Fp2 theta = t.y - q.y * t.z;
  const Fp2 lambda = t.x - q.x * t.z;
  const Fp2 d = lambda.squared();
  const Fp2 e = lambda * d;
  const Fp2 g = t.x * d;
  const Fp2 h = e + t.z * theta.squared() - g.doubled();
  t.x = lambda * h;
  t.y = theta * (g - h) - e * t.y;
  t.z *= e;
  return {theta * q.x - lambda * q.y, -theta, lambda};
}

// value^x in the cyclotomic subgroup; x is negative.
Fp12 cyclotomic_pow_x(const Fp12& value) noexcept {
  Fp12 result = value;
  for (int bit = kAbsXTopBit - 1; bit >= 0; --bit) {
    result = result.cyclotomic_squared();
    if ((kAbsX >> bit) & 1) result *= value;
  }
  return result.conjugate();
}

}  // namespace

G2Prepared::G2Prepared(const G2Affine& point) {
  if (point.is_infinity()) return;
  lines_.reserve(kNumLines);
  HomogeneousPoint t = {point.x, point.y, Fp2::one()};
  for (int bit = kAbsXTopBit - 1; bit >= 0; --bit) {
    lines_.push_back(double_step(t));
    if ((kAbsX >> bit) & 1) lines_.push_back(add_step(t, point));
  }
}

Fp12 miller_loop(std::span<const PairingTerm> terms) noexcept {
  std::size_t line = 0;
  Fp12 f = Fp12::one();
  const auto multiply_lines = [&] {
    for (const PairingTerm& term : terms) {
      if (term.p.is_infinity() || term.q->is_infinity()) continue;
      const LineCoefficients& l = term.q->lines()[line];
      f = f.mul_by_014(l.c0, l.c1 * term.p.x, l.c4 * term.p.y);
    }
    ++line;
  };
  for (int bit = kAbsXTopBit - 1; bit >= 0; --bit) {
    if (line > 0) f = f.squared();
    multiply_lines();
    if ((kAbsX >> bit) & 1) multiply_lines();
  }
  return f.conjugate();  // x is negative
}

// Hard part: 3 (p^4 - p^2 + 1) / r = (x - 1)^2 (x + p) (x^2 + p^2 - 1) + 3 (Hayashida, Hayasaka, Teruya, "Efficient
// final exponentiation via cyclotomic structure for pairings over families of elliptic curves", eprint 2020/875).
Fp12 final_exponentiation(const Fp12& value) noexcept {
  const Fp12 a = value.conjugate() * value.inverse();       // value^(p^6 - 1)
  const Fp12 m = a.frobenius(2) * a;                        // ^(p^2 + 1): now in the cyclotomic subgroup
  const Fp12 b = cyclotomic_pow_x(m) * m.conjugate();       // m^(x - 1)
  const Fp12 c = cyclotomic_pow_x(b) * b.conjugate();       // m^((x - 1)^2)
  const Fp12 d = cyclotomic_pow_x(c) * c.frobenius();       // ^(x + p)
  const Fp12 d_x2 = cyclotomic_pow_x(cyclotomic_pow_x(d));  // d^(x^2)
  return d_x2 * d.frobenius(2) * d.conjugate() * (m.cyclotomic_squared() * m);
}

Fp12 pairing(const G1Affine& p, const G2Affine& q) {
  const G2Prepared prepared(q);
  const PairingTerm term = {p, &prepared};
  return final_exponentiation(miller_loop(std::span(&term, 1)));
}

bool pairing_product_is_one(std::span<const PairingTerm> terms) noexcept {
  return final_exponentiation(miller_loop(terms)).is_one();
}

}  // namespace cuzk
