#include "msm/fixed_base.h"

#include <gtest/gtest.h>

#include "msm/test_points.h"

namespace cuzk {
namespace {

template <typename Case>
class FixedBaseTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Case::is_available()) GTEST_SKIP() << "this machine has no AVX-512 IFMA";
  }
};

using Cases = testing::Types<KernelCase<Fp, false>, KernelCase<Fp, true>, KernelCase<Fp2, false>,
                             KernelCase<Fp2, true>>;
TYPED_TEST_SUITE(FixedBaseTest, Cases);

TYPED_TEST(FixedBaseTest, EqualsTheProduct) {
  using F = typename TypeParam::Field;
  const AffinePoint<F> point = ProjectivePoint<F>::generator().mul(Fr::from_u64(12345)).to_affine();
  const FixedBase<F> base(point, TypeParam::kernels());
  std::vector<Fr> scalars = {Fr::zero(),
                             Fr::one(),
                             -Fr::one(),
                             Fr::from_u64(2),
                             Fr::from_u64(2).inverse(),
                             -Fr::from_u64(2).inverse()};
  for (unsigned bit = 0; bit < 255; bit += 3) scalars.push_back(Fr::from_u64(2).pow(bit));
  for (const Fr& scalar : random_scalars(100, 3)) scalars.push_back(scalar);
  std::vector<AffinePoint<F>> out(scalars.size());
  base.mul(scalars, out);
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    ASSERT_EQ(out[i], ProjectivePoint<F>(point).mul(scalars[i]).to_affine()) << i;
  }
  EXPECT_TRUE(out[0].is_infinity());
}

// Sizes about that of a batch: consecutive integers, so that each product is the one before plus the base.
TYPED_TEST(FixedBaseTest, EverySize) {
  using F = typename TypeParam::Field;
  const FixedBase<F> base(AffinePoint<F>::generator(), TypeParam::kernels());
  for (const std::size_t n : {0u, 1u, 2047u, 2048u, 2049u, 5000u}) {
    std::vector<Fr> scalars;
    std::vector<ProjectivePoint<F>> running = {{}};
    for (std::size_t i = 0; i < n; ++i) {
      scalars.push_back(Fr::from_u64(i));
      running.push_back(running.back() + AffinePoint<F>::generator());
    }
    running.pop_back();
    std::vector<AffinePoint<F>> expected(running.size()), out(n);
    batch_to_affine<F>(running, expected);
    expected.resize(n);
    base.mul(scalars, out);
    EXPECT_EQ(out, expected) << n;
  }
}

TYPED_TEST(FixedBaseTest, OfInfinityIsInfinity) {
  using F = typename TypeParam::Field;
  const FixedBase<F> base(AffinePoint<F>::infinity(), TypeParam::kernels());
  std::vector<AffinePoint<F>> out(3, AffinePoint<F>::generator());
  base.mul(random_scalars(3, 1), out);
  for (const AffinePoint<F>& point : out) EXPECT_TRUE(point.is_infinity());
}

}  // namespace
}  // namespace cuzk
