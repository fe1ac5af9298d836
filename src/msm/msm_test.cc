// msm against known multiples of the generator, for both groups and both builds, at the sizes and scalar distributions
// where multi-scalar multiplications have failed. The environment variable CUZK_TEST_THREADS sets the number of threads.
#include "msm/msm.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "base/thread_pool.h"
#include "curve/encoding.h"
#include "msm/fixed_base.h"
#include "msm/test_points.h"

namespace cuzk {
namespace {

class ThreadsFromEnvironment : public testing::Environment {
 public:
  void SetUp() override {
    const char* threads = std::getenv("CUZK_TEST_THREADS");
    if (threads != nullptr) ThreadPool::set_global_threads(static_cast<std::size_t>(std::atoi(threads)));
  }
};
const testing::Environment* const kThreads = testing::AddGlobalTestEnvironment(new ThreadsFromEnvironment);

constexpr std::size_t kMaxSize = 4097;

// Multiples of the generator with their logarithms, some equal, some opposite, some infinity.
template <typename F>
struct KnownPoints {
  std::vector<Fr> logarithms = random_scalars(kMaxSize, 21);
  std::vector<AffinePoint<F>> points = std::vector<AffinePoint<F>>(kMaxSize);

  KnownPoints() {
    for (std::size_t i = 5; i < kMaxSize; i += 37) logarithms[i] = logarithms[i - 1];
    for (std::size_t i = 9; i < kMaxSize; i += 41) logarithms[i] = -logarithms[i - 1];
    for (std::size_t i = 20; i < kMaxSize; i += 500) logarithms[i] = Fr::zero();
    FixedBase<F>(AffinePoint<F>::generator()).mul(logarithms, points);
  }
  static const KnownPoints& get() {
    static const KnownPoints known;
    return known;
  }
};

template <typename Case>
class MsmTest : public testing::Test {
 protected:
  using CaseField = typename Case::Field;

  void SetUp() override {
    if (!Case::is_available()) GTEST_SKIP() << "this machine has no AVX-512 IFMA";
  }
  static Bases<CaseField> make_bases(std::size_t n) {
    return Bases<CaseField>::from_affine(std::span(KnownPoints<CaseField>::get().points).first(n),
                                         Case::kernels());
  }
  static AffinePoint<CaseField> expected(std::span<const Fr> scalars) {
    Fr sum;
    for (std::size_t i = 0; i < scalars.size(); ++i)
      sum += scalars[i] * KnownPoints<CaseField>::get().logarithms[i];
    return ProjectivePoint<CaseField>::generator().mul(sum).to_affine();
  }
  // Canonical affine bytes, so that nothing is equal by accident of a comparison.
  static void expect_msm(std::span<const Fr> scalars, const std::string& what) {
    const AffinePoint<CaseField> sum = msm(make_bases(scalars.size()), scalars).to_affine();
    EXPECT_EQ(encode_uncompressed(sum), encode_uncompressed(expected(scalars)))
        << what << ", n = " << scalars.size();
  }
};

using Cases = testing::Types<KernelCase<Fp, false>, KernelCase<Fp, true>, KernelCase<Fp2, false>,
                             KernelCase<Fp2, true>>;
TYPED_TEST_SUITE(MsmTest, Cases);

constexpr std::size_t kSizes[] = {0,   1,   2,   3,   4,   7,   8,   9,    31,   32,   33,   127,  128, 129,
                                  237, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 4095, 4096, 4097};

TYPED_TEST(MsmTest, RandomScalarsOfEverySize) {
  const std::size_t largest =
      &TypeParam::kernels() == &point_kernels<typename TypeParam::Field>() ? kMaxSize : 1025;
  for (const std::size_t n : kSizes) {
    if (n <= largest) this->expect_msm(random_scalars(n, n), "random");
  }
}

TYPED_TEST(MsmTest, SkewedScalars) {
  const std::vector<Fr> few = random_scalars(3, 77);
  std::mt19937_64 random(5);
  for (const std::size_t n : {1u, 2u, 33u, 513u, 2049u}) {
    this->expect_msm(std::vector<Fr>(n, Fr::zero()), "all zero");
    this->expect_msm(std::vector<Fr>(n, Fr::one()), "all one");
    this->expect_msm(std::vector<Fr>(n, -Fr::one()), "all r - 1");
    this->expect_msm(std::vector<Fr>(n, few[0]), "all equal");
    std::vector<Fr> scalars(n);
    for (Fr& scalar : scalars) scalar = few[random() % 3];
    this->expect_msm(scalars, "few values");
    for (Fr& scalar : scalars) scalar = Fr::from_u64(random() % 2);
    this->expect_msm(scalars, "zero or one");
    for (Fr& scalar : scalars) scalar = random() % 2 == 0 ? Fr::one() : -Fr::one();
    this->expect_msm(scalars, "one or r - 1");
    for (Fr& scalar : scalars) scalar = Fr::from_u64(random());
    this->expect_msm(scalars, "64 bits");
    for (Fr& scalar : scalars) scalar = random() % 100 == 0 ? few[1] : Fr::zero();
    this->expect_msm(scalars, "sparse");
  }
}

TYPED_TEST(MsmTest, EqualAndOppositePoints) {
  using F = typename TypeParam::Field;
  using Affine = AffinePoint<F>;
  const Affine point = KnownPoints<F>::get().points[0];
  for (const std::size_t n : {2u, 31u, 512u, 3000u}) {
    const std::vector<Fr> scalars = random_scalars(n, n);
    Fr sum, alternating;
    for (std::size_t i = 0; i < n; ++i) {
      sum += scalars[i];
      alternating += i % 2 == 0 ? scalars[i] : -scalars[i];
    }
    std::vector<Affine> points(n, point);
    const auto equal = Bases<F>::from_affine(points, TypeParam::kernels());
    EXPECT_EQ(msm(equal, scalars), ProjectivePoint<F>(point).mul(sum)) << n;
    for (std::size_t i = 1; i < n; i += 2) points[i] = -point;
    const auto opposite = Bases<F>::from_affine(points, TypeParam::kernels());
    EXPECT_EQ(msm(opposite, scalars), ProjectivePoint<F>(point).mul(alternating)) << n;
    const std::vector<Fr> ones(n - n % 2, Fr::one());
    EXPECT_TRUE(msm(opposite, ones).is_infinity()) << n;
    std::ranges::fill(points, Affine::infinity());
    EXPECT_TRUE(msm(Bases<F>::from_affine(points, TypeParam::kernels()), scalars).is_infinity()) << n;
  }
}

TYPED_TEST(MsmTest, FewerScalarsThanBases) {
  const std::vector<Fr> scalars = random_scalars(100, 4);
  EXPECT_EQ(msm(this->make_bases(300), scalars).to_affine(), this->expected(scalars));
}

TYPED_TEST(MsmTest, WitnessScalars) {
  std::mt19937_64 random(31);
  for (const std::size_t n : {0u, 1u, 2u, 63u, 64u, 65u, 513u, 2500u}) {
    for (const unsigned percent_full : {0u, 1u, 30u, 100u}) {
      WitnessScalars witness{
          .n = n, .ones = std::vector<std::uint64_t>((n + 63) / 64), .indices = {}, .values = {}};
      std::vector<Fr> plain(n);
      for (std::size_t i = 0; i < n; ++i) {
        if (random() % 100 < percent_full) {
          plain[i] = random_scalars(1, random())[0];
          witness.indices.push_back(static_cast<std::uint32_t>(i));
          witness.values.push_back(plain[i]);
        } else if (random() % 2 == 0) {
          plain[i] = Fr::one();
          witness.ones[i / 64] |= std::uint64_t{1} << (i % 64);
        }
      }
      EXPECT_EQ(msm(this->make_bases(n), witness).to_affine(), this->expected(plain))
          << n << " " << percent_full;
    }
  }
}

nlohmann::json reference_vectors() {
  std::ifstream file(CUZK_TEST_DATA "/vectors.json");
  return nlohmann::json::parse(file);
}

std::vector<Fr> scalars_of(const nlohmann::json& list) {
  std::vector<Fr> scalars;
  for (const std::string text : list) {
    const Bytes32 bytes = bytes32_from_hex(text).value();
    scalars.push_back(Fr::from_bytes_le(bytes).value());
  }
  return scalars;
}

template <typename F>
void expect_reference(const std::string& sum_key) {
  const nlohmann::json vectors = reference_vectors()["msm"];
  const std::vector<Fr> logarithms = scalars_of(vectors["base_k"]), scalars = scalars_of(vectors["scalars"]);
  ASSERT_GT(scalars.size(), 2u);
  const std::vector<AffinePoint<F>> points = multiples_of_generator<F>(logarithms);
  for (const PointKernels<F>* kernels : {&portable_kernels<F>(), &point_kernels<F>()}) {
    const AffinePoint<F> sum = msm(Bases<F>::from_affine(points, *kernels), scalars).to_affine();
    EXPECT_EQ(to_hex(encode_compressed(sum)), vectors[sum_key]["compressed"]) << kernels->name;
  }
}

TEST(MsmVectors, G1) {
  expect_reference<Fp>("sum_g1");
}
TEST(MsmVectors, G2) {
  expect_reference<Fp2>("sum_g2");
}

}  // namespace
}  // namespace cuzk
