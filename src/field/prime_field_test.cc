// Fr and Fp: the laws, the two products bit for bit, values of the reference, and PrimeField over tiny fields
// where every case runs.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/bytes.h"
#include "base/cpu_features.h"
#include "field/fp.h"
#include "field/fr.h"
#include "tests/support/field_laws.h"

namespace cuzk {
namespace testing {

INSTANTIATE_TYPED_TEST_SUITE_P(Fr, FieldLaws, Fr);
INSTANTIATE_TYPED_TEST_SUITE_P(Fp, FieldLaws, Fp);
INSTANTIATE_TYPED_TEST_SUITE_P(Fr, SquareRootLaws, Fr);
INSTANTIATE_TYPED_TEST_SUITE_P(Fp, SquareRootLaws, Fp);
INSTANTIATE_TYPED_TEST_SUITE_P(Fr, PrimeFieldLaws, Fr);
INSTANTIATE_TYPED_TEST_SUITE_P(Fp, PrimeFieldLaws, Fp);

}  // namespace testing

namespace {

TEST(Fr, RootOfUnityAndGenerator) {
  EXPECT_EQ(Fr::two_adicity(), kFrTwoAdicity);
  EXPECT_EQ(kFrGenerator, Fr::from_u64(7));
  EXPECT_EQ(kFrGenerator.pow(shift_right(Fr::modulus(), kFrTwoAdicity)), kFrRootOfUnity);
  EXPECT_EQ(kFrRootOfUnity.pow(std::uint64_t{1} << 31), -Fr::one());
}

// ---- mulx/adx against portable ----

template <std::size_t N>
using Product = void (*)(Limbs<N>&, const Limbs<N>&, const Limbs<N>&) noexcept;

// a any integer, b below the modulus; extreme limbs often.
template <typename Params>
void expect_same_products(Product<Params::kLimbs> first, Product<Params::kLimbs> second) {
  using L = Limbs<Params::kLimbs>;
  std::mt19937_64 random(7);
  const auto draw = [&] {
    L limbs;
    for (std::uint64_t& limb : limbs) {
      const std::uint64_t kind = random() % 4;
      limb = kind == 0 ? 0 : kind == 1 ? ~std::uint64_t{0} : random();
    }
    return limbs;
  };
  std::vector<L> any, below;
  L top = Params::kModulus;
  top[0] -= 1;
  L full;
  full.fill(~std::uint64_t{0});
  for (const L& edge : {L{}, L{1}, top, Params::kOne, Params::kR2})
    any.push_back(edge), below.push_back(edge);
  any.push_back(full);
  any.push_back(Params::kModulus);
  for (int i = 0; i < 300; ++i) {
    any.push_back(draw());
    L limbs = draw();
    while (!less_limbs(limbs, Params::kModulus)) limbs.back() >>= 1;
    below.push_back(limbs);
  }
  for (const L& a : any) {
    for (const L& b : below) {
      L x, y = b, z = a;
      first(x, a, b);
      second(y, a, y);
      second(z, z, b);
      ASSERT_EQ(x, y);
      ASSERT_EQ(x, z);
      ASSERT_TRUE(less_limbs(x, Params::kModulus));
    }
  }
}

TEST(Montgomery, DispatchedAndPortableAgree) {
  expect_same_products<FpParams>(fp_mul_portable, fp_mul);
  expect_same_products<FrParams>(fr_mul_portable, fr_mul);
}

TEST(Montgomery, AdxAndPortableAgree) {
  if (!cpu_features().adx) GTEST_SKIP() << "this processor (or CUZK_CPU) has no BMI2 and ADX";
  expect_same_products<FpParams>(fp_mul_portable, fp_mul_adx);
  expect_same_products<FrParams>(fr_mul_portable, fr_mul_adx);
}

// ---- sums and differences: assembly against portable ----

template <typename Params>
void expect_same_sums() {
  using L = Limbs<Params::kLimbs>;
  std::mt19937_64 random(11);
  L top = Params::kModulus, half = shift_right(Params::kModulus, 1), above_half = half;
  top[0] -= 1;
  above_half[0] += 1;
  std::vector<L> values = {L{}, L{1}, top, half, above_half, Params::kOne, Params::kR2};
  for (int i = 0; i < 200; ++i) {
    L limbs;
    for (std::uint64_t& limb : limbs) limb = random() % 4 == 0 ? 0 - (random() & 1) : random();
    while (!less_limbs(limbs, Params::kModulus)) limbs.back() >>= 1;
    values.push_back(limbs);
  }
  for (const L& a : values) {
    for (const L& b : values) {
      ASSERT_EQ(add_mod_asm(a, b, Params::kModulus), add_mod_portable(a, b, Params::kModulus));
      ASSERT_EQ(sub_mod_asm(a, b, Params::kModulus), sub_mod_portable(a, b, Params::kModulus));
      ASSERT_TRUE(less_limbs(add_mod_asm(a, b, Params::kModulus), Params::kModulus));
      ASSERT_TRUE(less_limbs(sub_mod_asm(a, b, Params::kModulus), Params::kModulus));
    }
  }
}

TEST(Modular, AssemblyAndPortableAgree) {
  expect_same_sums<FrParams>();
  expect_same_sums<FpParams>();
}

// ---- the reference's values ----

Fr fr_of(const nlohmann::json& hex) {
  const Bytes32 bytes = bytes32_from_hex(hex.get<std::string>()).value();
  return Fr::from_bytes_le(std::span<const std::uint8_t, 32>(bytes)).value();
}

TEST(Fr, MatchesReferenceVectors) {
  std::ifstream file(CUZK_TEST_DATA "/vectors.json");
  const nlohmann::json vectors = nlohmann::json::parse(file).at("fr");
  ASSERT_GE(vectors.size(), 10u);
  for (const nlohmann::json& vector : vectors) {
    const Fr a = fr_of(vector.at("a")), b = fr_of(vector.at("b"));
    EXPECT_EQ(a + b, fr_of(vector.at("add")));
    EXPECT_EQ(a - b, fr_of(vector.at("sub")));
    EXPECT_EQ(a * b, fr_of(vector.at("mul")));
    EXPECT_EQ(a.squared(), fr_of(vector.at("a_square")));
    if (vector.at("a_inv").is_null()) {
      EXPECT_TRUE(a.is_zero());
    } else {
      EXPECT_EQ(a.inverse(), fr_of(vector.at("a_inv")));
    }
    const std::optional<Fr> root = a.sqrt();
    ASSERT_EQ(root.has_value(), !vector.at("a_sqrt").is_null());
    if (root) {
      const Fr expected = fr_of(vector.at("a_sqrt"));
      EXPECT_TRUE(*root == expected || *root == -expected);
    }
  }
}

// ---- tiny fields ----

template <std::uint64_t p, std::uint64_t one, std::uint64_t r2, std::uint64_t inverse,
          std::uint64_t root_of_unity>
struct TinyParams {
  static constexpr std::size_t kLimbs = 1;
  static constexpr Limbs<1> kModulus = {p};
  static constexpr Limbs<1> kOne = {one};
  static constexpr Limbs<1> kR2 = {r2};
  static constexpr std::uint64_t kInverse = inverse;
  static constexpr Limbs<1> kRootOfUnity = {root_of_unity};
  static void mul(Limbs<1>& out, const Limbs<1>& a, const Limbs<1>& b) noexcept {
    montgomery_mul<TinyParams>(out, a, b);
  }
};
using Field13 = PrimeField<TinyParams<13, 3, 9, 0xb13b13b13b13b13b, 11>>;  // 1 mod 4
using Field19 = PrimeField<TinyParams<19, 17, 4, 0x79435e50d79435e5, 0>>;  // 3 mod 4
using Field257 = PrimeField<TinyParams<257, 1, 1, 0xff00ff00ff00ff, 3>>;   // 2^8 divides p - 1
using Field64513 = PrimeField<TinyParams<64513, 4214, 16721, 0x849df32ec7f0fbff, 19678>>;

template <typename F>
std::uint64_t integer(const F& value) {
  return value.to_repr()[0];
}
template <typename F>
constexpr std::uint64_t modulus_of() {
  return F::modulus()[0];
}

template <typename F>
class TinyField : public ::testing::Test {};
using TinyFields = ::testing::Types<Field13, Field19, Field257, Field64513>;
TYPED_TEST_SUITE(TinyField, TinyFields);

TYPED_TEST(TinyField, EveryElement) {
  using F = TypeParam;
  const std::uint64_t p = modulus_of<F>();
  std::vector<bool> is_square(p);
  for (std::uint64_t x = 0; x < p; ++x) is_square[x * x % p] = true;
  for (std::uint64_t x = 0; x < p; ++x) {
    const F a = F::from_u64(x);
    ASSERT_EQ(integer(a), x);
    ASSERT_EQ(integer(-a), (p - x) % p);
    ASSERT_EQ(integer(a.doubled()), 2 * x % p);
    ASSERT_EQ(integer(a.squared()), x * x % p);
    ASSERT_EQ(integer(a.inverse()) * x % p, x == 0 ? 0 : 1);
    ASSERT_EQ(a.is_zero(), x == 0);
    ASSERT_EQ(a.is_one(), x == 1);
    ASSERT_EQ(a.is_lexicographically_largest(), 2 * x > p);
    ASSERT_EQ(a.is_square(), is_square[x]);
    const std::optional<F> root = a.sqrt();
    ASSERT_EQ(root.has_value(), is_square[x]);
    if (root) {
      ASSERT_EQ(integer(root->squared()), x);
    }
  }
}

TYPED_TEST(TinyField, EveryPair) {
  using F = TypeParam;
  const std::uint64_t p = modulus_of<F>();
  const std::uint64_t step = p < 1000 ? 1 : 101;  // of the larger field every 101st
  for (std::uint64_t x = 0; x < p; x += step) {
    for (std::uint64_t y = 0; y < p; y += step) {
      const F a = F::from_u64(x), b = F::from_u64(y);
      ASSERT_EQ(integer(a + b), (x + y) % p);
      ASSERT_EQ(integer(a - b), (x + p - y) % p);
      ASSERT_EQ(integer(a * b), x * y % p);
      ASSERT_EQ(a == b, x == y);
    }
  }
}

TYPED_TEST(TinyField, EveryPower) {
  using F = TypeParam;
  const std::uint64_t p = modulus_of<F>();
  for (std::uint64_t x = 0; x < p; x += p < 1000 ? 1 : 1009) {
    const F a = F::from_u64(x);
    F expected = F::one();
    for (std::uint64_t exponent = 0; exponent < 40; ++exponent, expected *= a) {
      ASSERT_EQ(a.pow(exponent), expected);
      ASSERT_EQ(a.pow(std::span(&exponent, 1)), expected);
    }
  }
}

}  // namespace
}  // namespace cuzk
