// M. Scott, "A note on group membership tests for G1, G2 and GT on BLS pairing-friendly curves", eprint
// 2021/1130.
//
// G1: phi(x, y) = (beta x, y) with beta^3 = 1 satisfies phi^2 + phi + 1 = 0 on the whole curve. If phi(P) =
// [-x^2] P, then [x^4 - x^2 + 1] P = [r] P = O; with the right beta the converse holds in the subgroup. G2:
// psi (untwist, Frobenius, twist) satisfies psi^2 - [x + 1] psi + [p] = 0 on the whole twist. If psi(Q) = [x]
// Q, then [p - x] Q = [h1 r] Q = O, h1 being the cofactor of G1, which is coprime to that of G2; so [r] Q =
// O.
#include "curve/subgroup.h"

#include "curve/parameter.h"
#include "curve/projective.h"

namespace cuzk {
namespace {

// The cube root of unity with phi(P) = [-x^2] P in G1.
constexpr Fp kBeta = Fp::from_montgomery({0x30f1361b798a64e8, 0xf3b8ddab7ece5a2a, 0x16a8ca3ac61577f7,
                                          0xc26a2ff874fd029b, 0x3636b76660701c6e, 0x051ba4ab241b6160});
// (1 + u)^(-(p-1)/3), which has no real part, and (1 + u)^(-(p-1)/2).
constexpr Fp2 kPsiX = {Fp::zero(),
                       Fp::from_montgomery({0x890dc9e4867545c3, 0x2af322533285a5d5, 0x50880866309b7e2c,
                                            0xa20d1b8c7e881024, 0x14e4f04fe2db9068, 0x14e56d3f1564853a})};
constexpr Fp2 kPsiY = {Fp::from_montgomery({0x3e2f585da55c9ad1, 0x4294213d86c18183, 0x382844c88b623732,
                                            0x92ad2afd19103e18, 0x1d794e4fac7cf0b9, 0x0bd592fc7d825ec8}),
                       Fp::from_montgomery({0x7bcfa7a25aa30fda, 0xdc17dec12a927e7c, 0x2f088dd86b4ebef1,
                                            0xd1ca2087da74d4a7, 0x2da2596696cebc1d, 0x0e2b7eedbbfd87d2})};

// [|x|] point
template <typename Point>
auto mul_by_abs_x(const Point& point) noexcept {
  ProjectivePoint<typename Point::Field> result = point;
  for (int bit = kAbsXTopBit - 1; bit >= 0; --bit) {
    result = result.doubled();
    if ((kAbsX >> bit) & 1) result += point;
  }
  return result;
}

}  // namespace

bool is_in_subgroup(const G1Affine& point) noexcept {
  if (point.is_infinity()) return true;
  const G1Affine phi = {point.x * kBeta, point.y};
  return mul_by_abs_x(mul_by_abs_x(point)) == G1Projective(-phi);
}

bool is_in_subgroup(const G2Affine& point) noexcept {
  if (point.is_infinity()) return true;
  const G2Affine psi = {point.x.conjugate() * kPsiX, point.y.conjugate() * kPsiY};
  return mul_by_abs_x(point) == G2Projective(-psi);  // x = -|x|
}

}  // namespace cuzk
