#include "field/fp2.h"

#include "field/binary_pow.h"

namespace cuzk {
namespace {

// (p - 3) / 4. For a square t, e = t^((p-3)/4) gives both its root e t and the inverse e of that root; for a
// non-square, (e t)^2 = -t and e (e t) = -1.
constexpr Limbs<6> kRootExponent = {0xee7fbfffffffeaaa, 0x07aaffffac54ffff, 0xd9cc34a83dac3d89,
                                    0xd91dd2e13ce144af, 0x92c6e9ed90d2eb35, 0x0680447a8e5ff9a6};
// 1/2 in Montgomery form.
constexpr Fp kOneHalf = Fp::from_montgomery({0x1804000000015554, 0x855000053ab00001, 0x633cb57c253c276f,
                                             0x6e22d1ec31ebb502, 0xd3916126f2d14ca2, 0x17fbb8571a006596});

}  // namespace

Fp2 Fp2::inverse() const noexcept {
  const Fp scale = norm().inverse();
  return {c0 * scale, -(c1 * scale)};
}

// The complex method (Scott, "Implementing cryptographic pairings", 2007): with s^2 = norm and t = (c0 + s) /
// 2, the root is x0 + x1 u with x0^2 = t, x1 = c1 / (2 x0). When t is not a square, (c0 - s) / 2 = -c1^2 / (4
// t) is; its root is c1 / (2 y) with y^2 = -t, and x1 = y. So two exponentiations in Fp suffice.
std::optional<Fp2> Fp2::sqrt() const noexcept {
  if (c1.is_zero()) {
    const Fp root = c0.pow(kRootExponent) * c0;
    return root.squared() == c0 ? Fp2{root, Fp::zero()} : Fp2{Fp::zero(), root};
  }
  const Fp n = norm();
  const Fp s = n.pow(kRootExponent) * n;
  if (!(s.squared() == n)) return std::nullopt;
  const Fp t = (c0 + s) * kOneHalf;
  const Fp e = t.pow(kRootExponent);
  const Fp root = e * t;
  const Fp other = c1 * e * kOneHalf;
  if (root.squared() == t) return Fp2{root, other};
  return Fp2{-other, root};
}

Fp2 Fp2::pow(std::span<const std::uint64_t> exponent) const noexcept {
  return binary_pow(*this, exponent);
}

bool Fp2::is_lexicographically_largest() const noexcept {
  return (c1.is_zero() ? c0 : c1).is_lexicographically_largest();
}

}  // namespace cuzk
