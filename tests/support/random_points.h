// Random field elements, scalars and curve points from a 64-bit seed, so that a failing property names one number from
// which the case can be made again.
#pragma once

#include <cstdint>
#include <optional>

#include "curve/projective.h"
#include "curve/xyzz.h"

namespace cuzk::testing {

// SplitMix64 (Steele, Lea, Flood, 2014): every seed, also 0 and 1, gives an independent-looking stream.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

// Mostly uniform; one in eight is 0, 1 or -1.
template <typename Prime>
Prime random_prime_field(Random& random) {
  switch (random.below(24)) {
    case 0:
      return Prime::zero();
    case 1:
      return Prime::one();
    case 2:
      return -Prime::one();
    default:
      break;
  }
  typename Prime::Repr repr;
  for (std::uint64_t& limb : repr) limb = random.next();
  return Prime::from_repr_unchecked(repr);
}

inline Fr random_scalar(Random& random) {
  return random_prime_field<Fr>(random);
}

template <typename F>
F random_element(Random& random);
template <>
inline Fp random_element<Fp>(Random& random) {
  return random_prime_field<Fp>(random);
}
template <>
inline Fp2 random_element<Fp2>(Random& random) {
  const Fp c0 = random_prime_field<Fp>(random);
  return {c0, random_prime_field<Fp>(random)};
}

template <typename F>
F random_nonzero(Random& random) {
  for (;;) {
    const F value = random_element<F>(random);
    if (!value.is_zero()) return value;
  }
}

// A square root through Fp2 for both fields, independent of the one of Fp.
inline std::optional<Fp> reference_sqrt(const Fp& value) {
  const Fp2 root = *Fp2{value, Fp::zero()}.sqrt();
  return root.c1.is_zero() ? std::optional<Fp>(root.c0) : std::nullopt;
}
inline std::optional<Fp2> reference_sqrt(const Fp2& value) {
  return value.sqrt();
}

// A finite point of the curve, almost never in the subgroup of order r.
template <typename F>
AffinePoint<F> random_curve_point(Random& random) {
  for (;;) {
    const F x = random_element<F>(random);
    const std::optional<F> y = reference_sqrt(x.squared() * x + curve_coefficient<F>());
    if (y) return random.below(2) == 0 ? AffinePoint<F>{x, *y} : AffinePoint<F>{x, -*y};
  }
}

// A point of the subgroup of order r, now and then infinity.
template <typename F>
AffinePoint<F> random_subgroup_point(Random& random) {
  return ProjectivePoint<F>::generator().mul(random_scalar(random)).to_affine();
}

// The same point with another Z.
template <typename F>
ProjectivePoint<F> rescaled(const ProjectivePoint<F>& point, Random& random) {
  const F k = random_nonzero<F>(random);
  return {point.x * k.squared(), point.y * k.squared() * k, point.z * k};
}
// The same point with another ZZ and ZZZ.
template <typename F>
XyzzPoint<F> rescaled(const XyzzPoint<F>& point, Random& random) {
  const F k = random_nonzero<F>(random);
  const F k2 = k.squared();
  return {point.x * k2, point.y * k2 * k, point.zz * k2, point.zzz * k2 * k};
}

}  // namespace cuzk::testing
