#include "hash/fr_dot.h"

#include <gtest/gtest.h>

#include <random>

namespace cuzk {
namespace {

Fr plain_dot(const std::vector<Fr>& a, const std::vector<Fr>& b) {
  Fr sum;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST(FrDot, EqualsTheSumOfProducts) {
  constexpr unsigned kSeed = 20240601;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  for (std::size_t n = 0; n <= 64; ++n) {
    std::vector<Fr> a(n), b(n);
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = Fr::from_repr_unchecked({random(), random(), random(), random() >> 2});
      b[i] = Fr::from_repr_unchecked({random(), random(), random(), random() >> 2});
    }
    EXPECT_EQ(fr_dot(a.data(), b.data(), n), plain_dot(a, b)) << n;
  }
}

TEST(FrDot, LargestRepresentatives) {  // limbs of r - 1 in Montgomery form: the largest accumulator
  FrRepr largest = Fr::modulus();
  --largest[0];
  for (std::size_t n = 1; n <= 64; ++n) {
    const std::vector<Fr> a(n, Fr::from_montgomery(largest));
    EXPECT_EQ(fr_dot(a.data(), a.data(), n), plain_dot(a, a)) << n;
  }
}

}  // namespace
}  // namespace cuzk
