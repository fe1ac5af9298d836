#include "hash/fr_dot.h"

#include <gtest/gtest.h>

#include <random>

#include "base/cpu_features.h"
#include "hash/fr_dot_wide.h"

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

TEST(FrDot, AdxEqualsPortable) {
  if (!cpu_features().adx) GTEST_SKIP() << "no ADX on this machine";
  std::mt19937_64 random(5);
  for (std::size_t n = 0; n <= 40; ++n) {
    std::vector<Fr> a(n), b(n);
    for (std::size_t i = 0; i < n; ++i) {
      // Every limb random or all ones: carries run through.
      const auto limb = [&] { return random() % 3 == 0 ? ~std::uint64_t{0} : random(); };
      a[i] = Fr::from_montgomery({limb(), limb(), limb(), limb()});
      b[i] = Fr::from_montgomery({limb(), limb(), limb(), limb()});
    }
    Limbs<9> adx, portable;
    detail::accumulate_products_adx(adx, a.data(), b.data(), n);
    detail::accumulate_products_portable(portable, a.data(), b.data(), n);
    EXPECT_EQ(adx, portable) << n;
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
