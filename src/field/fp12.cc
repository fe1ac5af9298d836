#include "field/fp12.h"

#include "field/binary_pow.h"

namespace cuzk {
namespace {

// w^p = (1 + u)^((p-1)/6) w, and w^(p^2) = (1 + u)^((p^2-1)/6) w, whose factor is in Fp.
constexpr Fp2 kFrobenius = {
    Fp::from_montgomery({0x07089552b319d465, 0xc6695f92b50a8313, 0x97e83cccd117228f, 0xa35baecab2dc29ee,
                         0x1ce393ea5daace4d, 0x08f2220fb0fb66eb}),
    Fp::from_montgomery({0xb2f66aad4ce5d646, 0x5842a06bfc497cec, 0xcf4895d42599d394, 0xc11b9cba40a8e8d0,
                         0x2e3813cbe5a0de89, 0x110eefda88847faf})};
constexpr Fp kFrobeniusSquared =
    Fp::from_montgomery({0xecfb361b798dba3a, 0xc100ddb891865a2c, 0x0ec08ff1232bda8e, 0xd5c13cc6f1ca4721,
                         0x47222a47bf7b5c04, 0x0110f184e51c5f59});

// Fp4 = Fp2[s] / (s^2 - (1 + u)); s = w^3.
struct Fp4 {
  Fp2 c0;
  Fp2 c1;

  Fp4 squared() const noexcept {
    const Fp2 s0 = c0.squared();
    const Fp2 s1 = c1.squared();
    return {s0 + s1.mul_by_nonresidue(), (c0 + c1).squared() - s0 - s1};
  }
};

// 3 square - 2 value, and 3 square + 2 value.
Fp2 triple_minus_twice(const Fp2& square, const Fp2& value) noexcept {
  return (square - value).doubled() + square;
}
Fp2 triple_plus_twice(const Fp2& square, const Fp2& value) noexcept {
  return (square + value).doubled() + square;
}

}  // namespace

Fp12 operator*(const Fp12& a, const Fp12& b) noexcept {
  const Fp6 low = a.c0 * b.c0;
  const Fp6 high = a.c1 * b.c1;
  return {low + high.mul_by_nonresidue(), (a.c0 + a.c1) * (b.c0 + b.c1) - low - high};
}

// c0^2 + v c1^2 = (c0 + c1)(c0 + v c1) - c0 c1 - v c0 c1
Fp12 Fp12::squared() const noexcept {
  const Fp6 product = c0 * c1;
  return {(c0 + c1) * (c0 + c1.mul_by_nonresidue()) - product - product.mul_by_nonresidue(),
          product.doubled()};
}

Fp12 Fp12::inverse() const noexcept {
  const Fp6 scale = (c0.squared() - c1.squared().mul_by_nonresidue()).inverse();
  return {c0 * scale, -(c1 * scale)};
}

Fp12 Fp12::pow(std::span<const std::uint64_t> exponent) const noexcept {
  return binary_pow(*this, exponent);
}

Fp12 Fp12::frobenius(unsigned power) const noexcept {
  Fp12 result = *this;
  for (unsigned twice = power % 12 / 2; twice > 0; --twice) {
    result = {result.c0.frobenius(2), result.c1.frobenius(2) * kFrobeniusSquared};
  }
  if (power % 2 == 0) return result;
  return {result.c0.frobenius(1), result.c1.frobenius(1) * kFrobenius};
}

// Granger, Scott, "Faster squaring in the cyclotomic subgroup of sixth degree extensions", eprint 2009/565, section 3.2.
// Over Fp4 an element is A + B w + C w^2 and its square
//   (3 A^2 - 2 A') + (3 s C^2 + 2 B') w + (3 B^2 - 2 C') w^2, where ' is the conjugate s -> -s.
Fp12 Fp12::cyclotomic_squared() const noexcept {
  const Fp4 a2 = Fp4{c0.c0, c1.c1}.squared();
  const Fp4 b2 = Fp4{c1.c0, c0.c2}.squared();
  const Fp4 c2 = Fp4{c0.c1, c1.c2}.squared();
  return {
      {triple_minus_twice(a2.c0, c0.c0), triple_minus_twice(b2.c0, c0.c1), triple_minus_twice(c2.c0, c0.c2)},
      {triple_plus_twice(c2.c1.mul_by_nonresidue(), c1.c0), triple_plus_twice(a2.c1, c1.c1),
       triple_plus_twice(b2.c1, c1.c2)}};
}

Fp12 Fp12::mul_by_014(const Fp2& b0, const Fp2& b1, const Fp2& b4) const noexcept {
  const Fp6 low = c0.mul_by_01(b0, b1);
  const Fp6 high = c1.mul_by_1(b4);
  return {low + high.mul_by_nonresidue(), (c0 + c1).mul_by_01(b0, b1 + b4) - low - high};
}

}  // namespace cuzk
