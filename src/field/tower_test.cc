// Fp2, Fp6 and Fp12: the laws of a field with Frobenius map, the relations that define each extension, and the special
// products held to the general ones.
#include "field/fp12.h"
#include "tests/support/field_laws.h"

namespace cuzk {
namespace testing {
INSTANTIATE_TYPED_TEST_SUITE_P(Fp2, FieldLaws, Fp2);
INSTANTIATE_TYPED_TEST_SUITE_P(Fp6, FieldLaws, Fp6);
INSTANTIATE_TYPED_TEST_SUITE_P(Fp12, FieldLaws, Fp12);
INSTANTIATE_TYPED_TEST_SUITE_P(Fp2, SquareRootLaws, Fp2);
}  // namespace testing

namespace {

using testing::draw_element;

const Fp2 kU = {Fp::zero(), Fp::one()};
const Fp2 kXi = {Fp::one(), Fp::one()};
const Fp6 kV = {Fp2::zero(), Fp2::one(), Fp2::zero()};
const Fp12 kW = {Fp6::zero(), Fp6::one()};
Fp6 embed(const Fp2& value) {
  return {value, Fp2::zero(), Fp2::zero()};
}
Fp12 embed(const Fp6& value) {
  return {value, Fp6::zero()};
}

template <typename F>
constexpr unsigned kDegree = sizeof(F) / sizeof(Fp);

template <typename F>
class Tower : public ::testing::Test {};
using Extensions = ::testing::Types<Fp2, Fp6, Fp12>;
TYPED_TEST_SUITE(Tower, Extensions);

TYPED_TEST(Tower, IsOne) {
  EXPECT_TRUE(TypeParam::one().is_one());
  EXPECT_FALSE(TypeParam::zero().is_one());
  EXPECT_FALSE((-TypeParam::one()).is_one());
  EXPECT_FALSE((TypeParam::one() + TypeParam::one()).is_one());
}

TYPED_TEST(Tower, Powers) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto a = draw_element<TypeParam>(random);
    const std::uint64_t m[] = {random()};
    const std::uint64_t n[] = {random()};
    const std::uint64_t sum[] = {m[0] + n[0], m[0] + n[0] < m[0]};
    RC_ASSERT(a.pow(m) * a.pow(n) == a.pow(sum));
  }));
  const std::uint64_t zero[] = {0};
  EXPECT_TRUE(TypeParam::zero().pow(zero).is_one());
  EXPECT_TRUE(TypeParam::zero().pow({}).is_one());
}

TYPED_TEST(Tower, FrobeniusIsThePowerP) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto a = draw_element<TypeParam>(random);
    const auto b = draw_element<TypeParam>(random);
    RC_ASSERT(a.frobenius() == a.pow(Fp::modulus()));
    RC_ASSERT((a * b).frobenius() == a.frobenius() * b.frobenius());
    auto power = a;
    for (unsigned k = 0; k <= 14; ++k) {
      RC_ASSERT(a.frobenius(k) == power);
      power = power.frobenius();
    }
    RC_ASSERT(a.frobenius(kDegree<TypeParam>) == a);
  }));
}

TEST(TowerRelations, Definitions) {
  EXPECT_EQ(kU.squared(), -Fp2::one());
  EXPECT_EQ(kV * kV * kV, embed(kXi));
  EXPECT_EQ(kW.squared(), embed(kV));
  // 1 + u is neither a square nor a cube, so v^3 - (1 + u) and w^2 - v are irreducible: kW has full degree.
  EXPECT_FALSE(kXi.sqrt());
  EXPECT_FALSE(kW.frobenius(6) == kW);
  EXPECT_FALSE(kW.frobenius(4) == kW);
}

TEST(TowerRelations, SpecialProducts) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto a = draw_element<Fp2>(random);
    const auto b = draw_element<Fp2>(random);
    const auto c = draw_element<Fp2>(random);
    const auto s = draw_element<Fp>(random);
    const auto x = draw_element<Fp6>(random);
    const auto z = draw_element<Fp12>(random);
    RC_ASSERT(a * b == (Fp2{a.c0 * b.c0 - a.c1 * b.c1, a.c0 * b.c1 + a.c1 * b.c0}));
    RC_ASSERT(a * s == a * Fp2(s, Fp::zero()));
    RC_ASSERT(a.mul_by_nonresidue() == a * kXi);
    RC_ASSERT(a * a.conjugate() == (Fp2{a.norm(), Fp::zero()}));
    RC_ASSERT(x * s == x * Fp2(s, Fp::zero()));
    RC_ASSERT(x * a == x * embed(a));
    RC_ASSERT(x.mul_by_nonresidue() == x * kV);
    RC_ASSERT(x.mul_by_1(a) == x * (embed(a) * kV));
    RC_ASSERT(x.mul_by_01(a, b) == x * (embed(a) + embed(b) * kV));
    RC_ASSERT(z.mul_by_014(a, b, c) == z * (Fp12{{a, b, Fp2::zero()}, {Fp2::zero(), c, Fp2::zero()}}));
    RC_ASSERT(z.conjugate() == z.frobenius(6));
  }));
}

TEST(TowerRelations, CyclotomicSquares) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto z = draw_element<Fp12>(random);
    if (z.is_zero()) return;
    const Fp12 easy = z.conjugate() * z.inverse();
    const Fp12 m = easy.frobenius(2) * easy;  // z^((p^6 - 1)(p^2 + 1))
    RC_ASSERT((m * m.conjugate()).is_one());
    RC_ASSERT(m.cyclotomic_squared() == m.squared());
  }));
  EXPECT_TRUE(Fp12::one().cyclotomic_squared().is_one());
}

// Every element of Fp is a square in Fp2, also where the root has no real part; so is every multiple of u, as
// 2 k u = (1 + u)^2 k.
TEST(Fp2Sqrt, RealAndImaginary) {
  for (std::uint64_t k = 1; k < 50; ++k) {
    for (const Fp& value : {Fp::from_u64(k), -Fp::from_u64(k)}) {
      const Fp2 real = {value, Fp::zero()};
      ASSERT_TRUE(real.sqrt()) << k;
      EXPECT_EQ(real.sqrt()->squared(), real) << k;
      const Fp2 imaginary = {Fp::zero(), value};
      const auto root = imaginary.sqrt();
      ASSERT_TRUE(root) << k;
      EXPECT_EQ(root->squared(), imaginary) << k;
    }
  }
}

TEST(Fp2Order, ComparesC1First) {
  const Fp one = Fp::one();
  EXPECT_FALSE(Fp2::zero().is_lexicographically_largest());
  EXPECT_FALSE((Fp2{one, Fp::zero()}).is_lexicographically_largest());
  EXPECT_TRUE((Fp2{-one, Fp::zero()}).is_lexicographically_largest());
  EXPECT_TRUE((Fp2{one, -one}).is_lexicographically_largest());
  EXPECT_FALSE((Fp2{-one, one}).is_lexicographically_largest());
  // (p - 1) / 2 is the smaller of its pair, (p + 1) / 2 the larger.
  const Fp half = Fp::from_u64(2).inverse();
  EXPECT_TRUE((Fp2{half, Fp::zero()}).is_lexicographically_largest());
  EXPECT_FALSE((Fp2{half - one, Fp::zero()}).is_lexicographically_largest());
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto a = draw_element<Fp2>(random);
    if (!a.is_zero()) RC_ASSERT(a.is_lexicographically_largest() != (-a).is_lexicographically_largest());
  }));
}

}  // namespace
}  // namespace cuzk
