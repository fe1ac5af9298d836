// Fp2, Fp6 and Fp12: the laws of a field with Frobenius map, the relations that define each extension, and the special
// products held to the general ones.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "field/fp12.h"

namespace cuzk {
namespace {

// SplitMix64 from a seed that a failing property prints.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

// Elements with some coordinates 0, 1 or -1, so that special cases occur.
template <typename F>
F random_element(Random& random);
template <>
Fp random_element<Fp>(Random& random) {
  const std::uint64_t kind = random.next() % 16;
  if (kind == 0) return Fp::zero();
  if (kind == 1) return Fp::one();
  if (kind == 2) return -Fp::one();
  Fp::Repr repr;
  for (std::uint64_t& limb : repr) limb = random.next();
  return Fp::from_repr_unchecked(repr);
}
template <>
Fp2 random_element<Fp2>(Random& random) {
  const Fp c0 = random_element<Fp>(random);
  return {c0, random_element<Fp>(random)};
}
template <>
Fp6 random_element<Fp6>(Random& random) {
  const Fp2 c0 = random_element<Fp2>(random);
  const Fp2 c1 = random_element<Fp2>(random);
  return {c0, c1, random_element<Fp2>(random)};
}
template <>
Fp12 random_element<Fp12>(Random& random) {
  const Fp6 c0 = random_element<Fp6>(random);
  return {c0, random_element<Fp6>(random)};
}

template <typename Property>
bool holds(const char* name, const Property& property) {
  return rc::check(name, [&property](std::uint64_t seed) {
    Random random(seed);
    property(random);
  });
}

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

TYPED_TEST(Tower, RingLaws) {
  EXPECT_TRUE(holds("ring laws", [](Random& random) {
    const auto a = random_element<TypeParam>(random);
    const auto b = random_element<TypeParam>(random);
    const auto c = random_element<TypeParam>(random);
    RC_ASSERT(a + b == b + a);
    RC_ASSERT((a + b) + c == a + (b + c));
    RC_ASSERT(a - b == a + (-b));
    RC_ASSERT((a - a).is_zero());
    RC_ASSERT(a * b == b * a);
    RC_ASSERT((a * b) * c == a * (b * c));
    RC_ASSERT(a * (b + c) == a * b + a * c);
    RC_ASSERT(a * TypeParam::one() == a);
    RC_ASSERT((a * TypeParam::zero()).is_zero());
    RC_ASSERT(a.doubled() == a + a);
    RC_ASSERT(a.squared() == a * a);
    auto sum = a;
    sum += b;
    sum *= c;
    sum -= a;
    RC_ASSERT(sum == (a + b) * c - a);
  }));
  EXPECT_TRUE(TypeParam::one().is_one());
  EXPECT_FALSE(TypeParam::zero().is_one());
  EXPECT_FALSE((-TypeParam::one()).is_one());
}

TYPED_TEST(Tower, Inverses) {
  EXPECT_TRUE(TypeParam::zero().inverse().is_zero());
  EXPECT_TRUE(holds("a * 1/a = 1", [](Random& random) {
    const auto a = random_element<TypeParam>(random);
    if (!a.is_zero()) RC_ASSERT((a * a.inverse()).is_one());
  }));
}

TYPED_TEST(Tower, Powers) {
  EXPECT_TRUE(holds("a^m a^n = a^(m+n)", [](Random& random) {
    const auto a = random_element<TypeParam>(random);
    const std::uint64_t m[] = {random.next()};
    const std::uint64_t n[] = {random.next()};
    const std::uint64_t sum[] = {m[0] + n[0], m[0] + n[0] < m[0]};
    RC_ASSERT(a.pow(m) * a.pow(n) == a.pow(sum));
  }));
  const std::uint64_t zero[] = {0};
  EXPECT_TRUE(TypeParam::zero().pow(zero).is_one());
  EXPECT_TRUE(TypeParam::zero().pow({}).is_one());
}

TYPED_TEST(Tower, FrobeniusIsThePowerP) {
  EXPECT_TRUE(holds("frobenius", [](Random& random) {
    const auto a = random_element<TypeParam>(random);
    const auto b = random_element<TypeParam>(random);
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
  EXPECT_TRUE(holds("special products are products", [](Random& random) {
    const auto a = random_element<Fp2>(random);
    const auto b = random_element<Fp2>(random);
    const auto c = random_element<Fp2>(random);
    const auto s = random_element<Fp>(random);
    const auto x = random_element<Fp6>(random);
    const auto z = random_element<Fp12>(random);
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
  EXPECT_TRUE(holds("cyclotomic squares are squares", [](Random& random) {
    const auto z = random_element<Fp12>(random);
    if (z.is_zero()) return;
    const Fp12 easy = z.conjugate() * z.inverse();
    const Fp12 m = easy.frobenius(2) * easy;  // z^((p^6 - 1)(p^2 + 1))
    RC_ASSERT((m * m.conjugate()).is_one());
    RC_ASSERT(m.cyclotomic_squared() == m.squared());
  }));
  EXPECT_TRUE(Fp12::one().cyclotomic_squared().is_one());
}

TEST(Fp2Sqrt, SquaresHaveRoots) {
  EXPECT_TRUE(holds("sqrt(a^2) = +-a", [](Random& random) {
    const auto a = random_element<Fp2>(random);
    const auto root = a.squared().sqrt();
    RC_ASSERT(root.has_value());
    RC_ASSERT(*root == a || *root == -a);
    // 1 + u is not a square, so its product with a square is one only if that is zero.
    RC_ASSERT(a.squared().mul_by_nonresidue().sqrt().has_value() == a.is_zero());
  }));
  EXPECT_TRUE(Fp2::zero().sqrt()->is_zero());
}

// Every element of Fp is a square in Fp2, also where the root has no real part.
TEST(Fp2Sqrt, ElementsOfFpAndPureImaginaries) {
  for (std::uint64_t k = 1; k < 50; ++k) {
    for (const Fp& value : {Fp::from_u64(k), -Fp::from_u64(k)}) {
      const Fp2 real = {value, Fp::zero()};
      ASSERT_TRUE(real.sqrt()) << k;
      EXPECT_EQ(real.sqrt()->squared(), real) << k;
      const Fp2 imaginary = {Fp::zero(), value};
      const auto root = imaginary.sqrt();
      // k u is a square exactly when its norm k^2 has a root s with s / 2 or -s / 2 a square: always, as -1 is not one.
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
  EXPECT_TRUE(holds("exactly one of a and -a", [](Random& random) {
    const auto a = random_element<Fp2>(random);
    if (!a.is_zero()) RC_ASSERT(a.is_lexicographically_largest() != (-a).is_lexicographically_largest());
  }));
}

}  // namespace
}  // namespace cuzk
