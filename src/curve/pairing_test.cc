// The pairing: its laws, its definition by plain powers, and the check of a product as Groth16 uses it. The values of the
// reference are in curve_vectors_test.cc.
#include "curve/pairing.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/group_laws.h"

namespace cuzk {
namespace {

using testing::Random;
using testing::random_scalar;

// 3 (p^4 - p^2 + 1) / r
constexpr std::uint64_t kHardExponent[] = {
    0xaf444bdcaaab2f6b, 0xefcb3800a61a66d5, 0xb116bba59a18123a, 0x554e727d129be6a3, 0x8a65dbc1cc35fe5a,
    0x6574220c23e5b6cc, 0x8c72178bc76a791c, 0xb415c7da454d4863, 0x37d47f639b68a630, 0x6a6a2b0ab1c47526,
    0x6c9ae9625394f594, 0x6163cbf00bf566e4, 0x877c5e22f2639411, 0xb0f5836ba82b62de, 0xe3ae662e47a24ea0,
    0x8d69012b6d183f47, 0xbcf13296f7a83fce, 0x7b69b9acc2cc45ea, 0x4237aa494c159cdc, 0x002e3941b8817705};

G1Affine g1(const Fr& k) {
  return G1Projective::generator().mul(k).to_affine();
}
G2Affine g2(const Fr& k) {
  return G2Projective::generator().mul(k).to_affine();
}
Fr nonzero_scalar(Random& random) {
  Fr value = random_scalar(random);
  while (value.is_zero()) value = random_scalar(random);
  return value;
}

TEST(Pairing, NonDegenerateOfOrderR) {
  const Fp12 e = pairing(G1Affine::generator(), G2Affine::generator());
  EXPECT_FALSE(e.is_one());
  EXPECT_FALSE(e.is_zero());
  EXPECT_TRUE(e.pow(Fr::modulus()).is_one());
}

TEST(Pairing, Bilinear) {
  Random random(11);
  const Fp12 e = pairing(G1Affine::generator(), G2Affine::generator());
  for (int i = 0; i < 10; ++i) {
    const Fr a = random_scalar(random);
    const Fr b = random_scalar(random);
    const Fp12 value = pairing(g1(a), g2(b));
    EXPECT_EQ(value, e.pow((a * b).to_repr()));
    EXPECT_EQ(value, pairing(g1(a * b), G2Affine::generator()));
    EXPECT_EQ(value, pairing(G1Affine::generator(), g2(a * b)));
    EXPECT_EQ(pairing(-g1(a), g2(b)), value.conjugate());
    EXPECT_EQ(pairing(g1(a), -g2(b)) * value, Fp12::one());
  }
}

TEST(Pairing, InfinityGivesOne) {
  EXPECT_TRUE(pairing(G1Affine::infinity(), G2Affine::generator()).is_one());
  EXPECT_TRUE(pairing(G1Affine::generator(), G2Affine::infinity()).is_one());
  EXPECT_TRUE(pairing(G1Affine::infinity(), G2Affine::infinity()).is_one());
  EXPECT_TRUE(G2Prepared(G2Affine::infinity()).is_infinity());
  EXPECT_EQ(G2Prepared(G2Affine::generator()).lines().size(), 68u);
  EXPECT_TRUE(miller_loop({}).is_one());
  EXPECT_TRUE(pairing_product_is_one({}));
}

TEST(Pairing, FinalExponentiationIsTheCube) {
  const G2Prepared q(g2(Fr::from_u64(5)));
  const PairingTerm term = {g1(Fr::from_u64(3)), &q};
  const Fp12 f = miller_loop(std::span(&term, 1));
  const Fp12 easy = f.frobenius(6) * f.inverse();
  const Fp12 m = easy.frobenius(2) * easy;
  EXPECT_EQ(final_exponentiation(f), m.pow(kHardExponent));
}

// A value of zero, which degenerate points could give, must never pass for one.
TEST(Pairing, FinalExponentiationOfZero) {
  EXPECT_TRUE(final_exponentiation(Fp12::zero()).is_zero());
}

TEST(Pairing, ProductsShareTheirSquarings) {
  Random random(13);
  for (std::size_t n = 0; n <= 5; ++n) {
    std::vector<G2Prepared> prepared;
    std::vector<G1Affine> p;
    Fp12 wanted = Fp12::one();
    for (std::size_t i = 0; i < n; ++i) {
      const G2Affine q = i == 3 ? G2Affine::infinity() : g2(random_scalar(random));
      p.push_back(g1(random_scalar(random)));
      prepared.emplace_back(q);
      wanted *= pairing(p.back(), q);
    }
    std::vector<PairingTerm> terms;
    for (std::size_t i = 0; i < n; ++i) terms.push_back({p[i], &prepared[i]});
    EXPECT_EQ(final_exponentiation(miller_loop(terms)), wanted) << n;
  }
}

// e(-A, B) e(alpha, beta) e(I, gamma) e(C, delta) = 1 where a b = alpha beta + i gamma + c delta.
TEST(Pairing, GrothEquation) {
  Random random(17);
  for (int round = 0; round < 5; ++round) {
    const Fr alpha = nonzero_scalar(random), beta = nonzero_scalar(random), gamma = nonzero_scalar(random);
    const Fr delta = nonzero_scalar(random), i = nonzero_scalar(random), c = nonzero_scalar(random);
    const Fr a = nonzero_scalar(random);
    const Fr b = (alpha * beta + i * gamma + c * delta) * a.inverse();
    const G2Prepared b2(g2(b)), beta2(g2(beta)), gamma2(g2(gamma)), delta2(g2(delta));
    const std::vector<PairingTerm> good = {
        {-g1(a), &b2}, {g1(alpha), &beta2}, {g1(i), &gamma2}, {g1(c), &delta2}};
    EXPECT_TRUE(pairing_product_is_one(good));
    for (std::size_t k = 0; k < good.size(); ++k) {
      std::vector<PairingTerm> bad = good;
      bad[k].p = (G1Projective(bad[k].p) + G1Affine::generator()).to_affine();
      EXPECT_FALSE(pairing_product_is_one(bad)) << k;
      bad = good;
      bad[k].p = -bad[k].p;
      EXPECT_FALSE(pairing_product_is_one(bad)) << k;
      bad = good;
      bad.erase(bad.begin() + static_cast<std::ptrdiff_t>(k));
      EXPECT_FALSE(pairing_product_is_one(bad)) << k;
    }
    const Fp12 alpha_beta = pairing(-g1(alpha), g2(beta));
    const std::vector<PairingTerm> three = {good[0], good[2], good[3]};
    EXPECT_EQ(final_exponentiation(miller_loop(three)), alpha_beta);
  }
}

}  // namespace
}  // namespace cuzk
