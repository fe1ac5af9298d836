#include "field/fp6.h"

#include "field/binary_pow.h"

namespace cuzk {
namespace {

// xi = 1 + u. v^p = xi^((p-1)/3) v, of which the factor has no real part; and for v^2 its square, a number.
constexpr Fp2 kFrobenius1 = {
    Fp::zero(), Fp::from_montgomery({0xcd03c9e48671f071, 0x5dab22461fcda5d2, 0x587042afd3851b95,
                                     0x8eb60ebe01bacb9e, 0x03f97d6e83d050d2, 0x18f0206554638741})};
constexpr Fp kFrobenius2 = Fp::from_montgomery({0x890dc9e4867545c3, 0x2af322533285a5d5, 0x50880866309b7e2c,
                                                0xa20d1b8c7e881024, 0x14e4f04fe2db9068, 0x14e56d3f1564853a});
// v^(p^2) = xi^((p^2-1)/3) v, and for v^2 its square: cube roots of one in Fp.
constexpr Fp kFrobeniusSquared1 =
    Fp::from_montgomery({0x30f1361b798a64e8, 0xf3b8ddab7ece5a2a, 0x16a8ca3ac61577f7, 0xc26a2ff874fd029b,
                         0x3636b76660701c6e, 0x051ba4ab241b6160});
constexpr Fp kFrobeniusSquared2 =
    Fp::from_montgomery({0xcd03c9e48671f071, 0x5dab22461fcda5d2, 0x587042afd3851b95, 0x8eb60ebe01bacb9e,
                         0x03f97d6e83d050d2, 0x18f0206554638741});

}  // namespace

Fp6 operator*(const Fp6& a, const Fp6& b) noexcept {
  const Fp2 m0 = a.c0 * b.c0;
  const Fp2 m1 = a.c1 * b.c1;
  const Fp2 m2 = a.c2 * b.c2;
  const Fp2 m12 = (a.c1 + a.c2) * (b.c1 + b.c2) - m1 - m2;
  const Fp2 m01 = (a.c0 + a.c1) * (b.c0 + b.c1) - m0 - m1;
  const Fp2 m02 = (a.c0 + a.c2) * (b.c0 + b.c2) - m0 - m2;
  return {m0 + m12.mul_by_nonresidue(), m01 + m2.mul_by_nonresidue(), m02 + m1};
}

Fp6 Fp6::squared() const noexcept {
  const Fp2 s0 = c0.squared();
  const Fp2 s1 = (c0 * c1).doubled();
  const Fp2 s2 = (c0 - c1 + c2).squared();
  const Fp2 s3 = (c1 * c2).doubled();
  const Fp2 s4 = c2.squared();
  return {s0 + s3.mul_by_nonresidue(), s1 + s4.mul_by_nonresidue(), s1 + s2 + s3 - s0 - s4};
}

// Through the norm to Fp2: a a' = norm with a' = t0 + t1 v + t2 v^2.
Fp6 Fp6::inverse() const noexcept {
  const Fp2 t0 = c0.squared() - (c1 * c2).mul_by_nonresidue();
  const Fp2 t1 = c2.squared().mul_by_nonresidue() - c0 * c1;
  const Fp2 t2 = c1.squared() - c0 * c2;
  const Fp2 norm = c0 * t0 + (c2 * t1 + c1 * t2).mul_by_nonresidue();
  return Fp6{t0, t1, t2} * norm.inverse();
}

Fp6 Fp6::pow(std::span<const std::uint64_t> exponent) const noexcept {
  return binary_pow(*this, exponent);
}

Fp6 Fp6::frobenius(unsigned power) const noexcept {
  Fp6 result = *this;
  for (unsigned twice = power % 6 / 2; twice > 0; --twice) {
    result = {result.c0, result.c1 * kFrobeniusSquared1, result.c2 * kFrobeniusSquared2};
  }
  if (power % 2 == 0) return result;
  return {result.c0.conjugate(), result.c1.conjugate() * kFrobenius1, result.c2.conjugate() * kFrobenius2};
}

Fp6 Fp6::mul_by_01(const Fp2& b0, const Fp2& b1) const noexcept {
  const Fp2 m0 = c0 * b0;
  const Fp2 m1 = c1 * b1;
  return {m0 + (c2 * b1).mul_by_nonresidue(), (c0 + c1) * (b0 + b1) - m0 - m1, c2 * b0 + m1};
}

}  // namespace cuzk
