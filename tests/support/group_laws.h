// The laws of a group of curve points, once for every group, as gtest typed tests over the field of the coordinates:
//
//   INSTANTIATE_TYPED_TEST_SUITE_P(G1, GroupLaws, cuzk::Fp);
//
// Affine points are the yardstick: `affine_sum` below adds them by the textbook's chord and tangent, and the projective and
// XYZZ forms are held to it in every combination, equal points, opposite points and infinity among them.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

#include "tests/support/random_points.h"

namespace cuzk::testing {

template <typename F>
AffinePoint<F> affine_sum(const AffinePoint<F>& p, const AffinePoint<F>& q) {
  if (p.is_infinity()) return q;
  if (q.is_infinity()) return p;
  if (p == -q) return AffinePoint<F>::infinity();
  const F xx = p.x.squared();
  const F slope = p == q ? (xx + xx + xx) * p.y.doubled().inverse() : (q.y - p.y) * (q.x - p.x).inverse();
  const F x = slope.squared() - p.x - q.x;
  return {x, slope * (p.x - x) - p.y};
}

// Two points of the curve in one of the relations that formulas get wrong.
template <typename F>
struct PointPair {
  AffinePoint<F> p;
  AffinePoint<F> q;

  explicit PointPair(Random& random) {
    p = random_curve_point<F>(random);
    switch (random.below(8)) {
      case 0:
        q = p;
        break;
      case 1:
        q = -p;
        break;
      case 2:
        q = AffinePoint<F>::infinity();
        break;
      case 3:
        q = p, p = AffinePoint<F>::infinity();
        break;
      case 4:
        p = q = AffinePoint<F>::infinity();
        break;
      case 5:
        q = affine_sum(p, p);
        break;
      default:
        q = random_curve_point<F>(random);
        break;
    }
  }
};

// Whether `property(random)` holds for 100 seeds.
template <typename Property>
bool holds(const char* name, const Property& property) {
  return rc::check(name, [&property](std::uint64_t seed) {
    Random random(seed);
    property(random);
  });
}

template <typename F>
class GroupLaws : public ::testing::Test {};

TYPED_TEST_SUITE_P(GroupLaws);

TYPED_TEST_P(GroupLaws, FormsAgreeOnSums) {
  using Projective = ProjectivePoint<TypeParam>;
  using Xyzz = XyzzPoint<TypeParam>;
  EXPECT_TRUE(holds("all forms give the same sum", [](Random& random) {
    const PointPair<TypeParam> pair(random);
    const auto wanted = affine_sum(pair.p, pair.q);
    RC_ASSERT(wanted.is_on_curve());
    const Projective p = rescaled(Projective(pair.p), random);
    const Projective q = rescaled(Projective(pair.q), random);
    RC_ASSERT((p + q).to_affine() == wanted);
    RC_ASSERT((p + pair.q).to_affine() == wanted);
    RC_ASSERT((p - (-q)).to_affine() == wanted);
    RC_ASSERT((p - (-pair.q)).to_affine() == wanted);
    Xyzz mixed = rescaled(Xyzz(pair.p), random);
    mixed.add(pair.q);
    RC_ASSERT(mixed.to_affine() == wanted);
    RC_ASSERT(mixed.to_projective().to_affine() == wanted);
    Xyzz full = rescaled(Xyzz(pair.p), random);
    full.add(rescaled(Xyzz(pair.q), random));
    RC_ASSERT(full.to_affine() == wanted);
    RC_ASSERT(full == mixed);
    Xyzz converted(p);
    converted += Xyzz(q);
    RC_ASSERT(converted.to_affine() == wanted);
  }));
}

TYPED_TEST_P(GroupLaws, FormsAgreeOnDoublesAndNegation) {
  using Projective = ProjectivePoint<TypeParam>;
  using Xyzz = XyzzPoint<TypeParam>;
  EXPECT_TRUE(holds("all forms give the same double", [](Random& random) {
    const auto point = PointPair<TypeParam>(random).q;
    const auto wanted = affine_sum(point, point);
    const Projective p = rescaled(Projective(point), random);
    const Xyzz x = rescaled(Xyzz(point), random);
    RC_ASSERT(p.doubled().to_affine() == wanted);
    RC_ASSERT(x.doubled().to_affine() == wanted);
    RC_ASSERT(Xyzz::doubled(point).to_affine() == wanted);
    Xyzz itself = x;
    itself.add(itself);
    RC_ASSERT(itself.to_affine() == wanted);
    RC_ASSERT((-p).to_affine() == -point);
    RC_ASSERT((-x).to_affine() == -point);
    RC_ASSERT((p + (-p)).is_infinity());
    Xyzz gone = x;
    gone.add(-point);
    RC_ASSERT(gone.is_infinity());
  }));
}

TYPED_TEST_P(GroupLaws, AssociativeAndCommutative) {
  using Projective = ProjectivePoint<TypeParam>;
  EXPECT_TRUE(holds("(p + q) + s = p + (q + s)", [](Random& random) {
    const PointPair<TypeParam> pair(random);
    const Projective p = rescaled(Projective(pair.p), random);
    const Projective q = rescaled(Projective(pair.q), random);
    const Projective s = random.below(4) == 0 ? -(p + q) : Projective(random_curve_point<TypeParam>(random));
    RC_ASSERT(p + q == q + p);
    RC_ASSERT((p + q) + s == p + (q + s));
    RC_ASSERT(p + Projective::infinity() == p);
  }));
}

TYPED_TEST_P(GroupLaws, EqualityIgnoresTheScale) {
  using Projective = ProjectivePoint<TypeParam>;
  using Xyzz = XyzzPoint<TypeParam>;
  EXPECT_TRUE(holds("p == q exactly when the affine points are equal", [](Random& random) {
    const PointPair<TypeParam> pair(random);
    const bool wanted = pair.p == pair.q;
    RC_ASSERT((rescaled(Projective(pair.p), random) == rescaled(Projective(pair.q), random)) == wanted);
    RC_ASSERT((rescaled(Xyzz(pair.p), random) == rescaled(Xyzz(pair.q), random)) == wanted);
  }));
}

TYPED_TEST_P(GroupLaws, ScalarsDistribute) {
  using Projective = ProjectivePoint<TypeParam>;
  EXPECT_TRUE(holds("products with scalars are a module", [](Random& random) {
    const Projective p = random_subgroup_point<TypeParam>(random);
    const Projective q = random_subgroup_point<TypeParam>(random);
    const Fr a = random_scalar(random);
    const Fr b = random_scalar(random);
    RC_ASSERT(p.mul(a) + p.mul(b) == p.mul(a + b));
    RC_ASSERT(p.mul(a) + q.mul(a) == (p + q).mul(a));
    RC_ASSERT(p.mul(a).mul(b) == p.mul(a * b));
    RC_ASSERT(p.mul(-a) == -(p.mul(a)));
  }));
}

TYPED_TEST_P(GroupLaws, SmallMultiplesAreRepeatedSums) {
  using Projective = ProjectivePoint<TypeParam>;
  Random random(1);
  const auto point = random_curve_point<TypeParam>(random);
  auto sum = AffinePoint<TypeParam>::infinity();
  for (std::uint64_t k = 0; k < 300; ++k) {
    EXPECT_EQ(Projective(point).mul(std::span(&k, 1)).to_affine(), sum) << k;
    EXPECT_EQ(Projective(point).mul(FrRepr{k, 0, 0, 0}).to_affine(), sum) << k;
    sum = affine_sum(sum, point);
  }
  EXPECT_TRUE(Projective(point).mul(std::span<const std::uint64_t>()).is_infinity());
  EXPECT_TRUE(Projective::infinity().mul(FrRepr{5, 6, 7, 8}).is_infinity());
}

TYPED_TEST_P(GroupLaws, GeneratorHasOrderR) {
  using Projective = ProjectivePoint<TypeParam>;
  const auto& affine = AffinePoint<TypeParam>::generator();
  const Projective g = Projective::generator();
  EXPECT_TRUE(affine.is_on_curve());
  EXPECT_FALSE(g.is_infinity());
  EXPECT_EQ(g.to_affine(), affine);
  FrRepr order = Fr::modulus();
  EXPECT_TRUE(g.mul(order).is_infinity());
  order[0] += 1;
  EXPECT_EQ(g.mul(order), g);
  order[0] -= 2;
  EXPECT_EQ(g.mul(order), -g);
}

TYPED_TEST_P(GroupLaws, BatchToAffine) {
  using Projective = ProjectivePoint<TypeParam>;
  using Affine = AffinePoint<TypeParam>;
  Random random(2);
  for (const std::size_t n : {0, 1, 2, 31, 32, 33}) {
    std::vector<Projective> points(n);
    for (std::size_t i = 0; i < n; ++i) {
      if (i % 5 != 3) points[i] = rescaled(Projective(random_curve_point<TypeParam>(random)), random);
    }
    std::vector<Affine> out(n);
    batch_to_affine(std::span<const Projective>(points), std::span<Affine>(out));
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(out[i], points[i].to_affine()) << n << " " << i;
  }
  std::vector<Projective> all_infinity(4);
  std::vector<Affine> out(4, Affine::generator());
  batch_to_affine(std::span<const Projective>(all_infinity), std::span<Affine>(out));
  for (const Affine& point : out) EXPECT_TRUE(point.is_infinity());
}

TYPED_TEST_P(GroupLaws, OffTheCurve) {
  using Affine = AffinePoint<TypeParam>;
  Affine point = Affine::generator();
  point.y += TypeParam::one();
  EXPECT_FALSE(point.is_on_curve());
  EXPECT_TRUE(Affine::infinity().is_on_curve());
  EXPECT_TRUE((-Affine::infinity()).is_infinity());
}

REGISTER_TYPED_TEST_SUITE_P(GroupLaws, FormsAgreeOnSums, FormsAgreeOnDoublesAndNegation,
                            AssociativeAndCommutative, EqualityIgnoresTheScale, ScalarsDistribute,
                            SmallMultiplesAreRepeatedSums, GeneratorHasOrderR, BatchToAffine, OffTheCurve);

}  // namespace cuzk::testing
