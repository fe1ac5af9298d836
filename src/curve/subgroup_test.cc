// is_in_subgroup against its definition, [r] P = O: in the subgroup, outside it, and in the small subgroups of the
// cofactor, where a wrong endomorphism test is most likely to be fooled.
#include "curve/subgroup.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/group_laws.h"

namespace cuzk {
namespace {

using testing::holds;
using testing::Random;
using testing::random_curve_point;
using testing::random_subgroup_point;

template <typename F>
bool has_order_r(const AffinePoint<F>& point) {
  return ProjectivePoint<F>(point).mul(Fr::modulus()).is_infinity();
}

template <typename F>
class Subgroup : public ::testing::Test {};
using Fields = ::testing::Types<Fp, Fp2>;
TYPED_TEST_SUITE(Subgroup, Fields);

TYPED_TEST(Subgroup, AcceptsTheSubgroup) {
  EXPECT_TRUE(is_in_subgroup(AffinePoint<TypeParam>::infinity()));
  EXPECT_TRUE(is_in_subgroup(AffinePoint<TypeParam>::generator()));
  EXPECT_TRUE(holds("multiples of the generator", [](Random& random) {
    const auto point = random_subgroup_point<TypeParam>(random);
    RC_ASSERT(has_order_r(point));
    RC_ASSERT(is_in_subgroup(point));
  }));
}

TYPED_TEST(Subgroup, AgreesWithTheDefinitionOnTheCurve) {
  int outside = 0;
  EXPECT_TRUE(holds("any point of the curve", [&outside](Random& random) {
    const auto point = random_curve_point<TypeParam>(random);
    RC_ASSERT(is_in_subgroup(point) == has_order_r(point));
    outside += is_in_subgroup(point) ? 0 : 1;
  }));
  EXPECT_GE(outside, 90);
}

// N is the order of the curve and e the exact power of the prime q in it: points of order q, or q^2.
struct SmallOrder {
  std::uint64_t q;
  std::vector<std::uint64_t> n_over_q_e;
};

std::vector<SmallOrder> small_orders(const Fp&) {
  return {{3,
           {0xd955555555558e39, 0x0a395554e5c6aaaa, 0xcd104635a790520c, 0xcc27c3d6fbd7063f,
            0x190937e76bc3e447, 0x08ab05f8bdd54cde}},
          {11,
           {0xff0a941963702343, 0x461258dc05b269c8, 0xe11e05f8de12635b, 0xe98ebcebf11641bd,
            0x85e8f4b11c0f6f71, 0x0037046124713073}},
          {10177,
           {0x3a24a99528dca02b, 0x34a3754bcaa7f489, 0x01355fc141ebb629, 0x6108ec4349c3ed61,
            0x428bdeec60fd2e92, 0x00000004365bf803}},
          {859267,
           {0x5b8e0c186760b113, 0x99f9c8df3382e955, 0x9972d05a4b963f83, 0x51940e20533818e4,
            0x14f9a9bfc6a1d68e, 0x000000000026b97e}},
          {52437899,
           {0x85f4e51b4a558443, 0x2109579598622c3f, 0xf3bb074193d88072, 0x2ea79eb7aa6cc575,
            0x7289d2f199a7fe44, 0x00000000000002a9}}};
}

std::vector<SmallOrder> small_orders(const Fp2&) {
  return {{13,
           {0x29f4e3380941cfdd, 0xa706298882819145, 0xb3ca5c33c3fd8ff8, 0x96568f2d18c750b4,
            0xd6461e907737d78e, 0xcfdac10ff1fc5b48, 0x3677f5d45f7cedb8, 0xb33907d71557a7d3,
            0x56f3b9bdc84396ca, 0x28ba1c1fa6b67083, 0xa7136c440a0c65b7, 0x0004005449cda731}},
          {23,
           {0xb5540aa5804bb595, 0x55c861790a3cc012, 0x04b06fb96e09de25, 0x21fe9e0346d3c231,
            0xb990d5fbd2d9b42b, 0xb518655c33a8b236, 0xf5d126da598b99db, 0x23f6a2afa96b5e43,
            0x52f26668aaed6d26, 0x76821c578a6e8c79, 0x889cb5381880d0a5, 0x0001473e413236dd}},
          {2713,
           {0xe0d520ee8ae8bc2d, 0x2185cf414efe8a6a, 0xb1ef426ad51a2cbb, 0x0975962d2d53a875,
            0xce204c72df226dc5, 0xa8bcaa5cfea7bc15, 0x3170df91252e784d, 0xf67fd34a2a90a45b,
            0x13da8777344b8bfc, 0xde4d74f74f145432, 0x5c987842842a1a26, 0x00003fcee61e74c2}},
          {11953,
           {0x78fab9632ed78275, 0x3844c5ab20477018, 0x39643949c93915d3, 0x094768767f1e6cc3,
            0x8de61764329a3e70, 0x446ec1db5dcd5174, 0x9937c64966acc866, 0xa69c7cf3a9d7278d,
            0x594110346483f17d, 0x2b89ec85bf8e8a7d, 0x7d4c0c79957105c9, 0x00000e7b91d864fd}},
          {262069,
           {0xcbf41ccb9be93271, 0x12616966d30f7f44, 0x8299bce84d8ec6ce, 0xcb6bb5ecb4478b22,
            0x10999452285c21b6, 0x30c4603c694e6664, 0x83baa337c6a28ec6, 0x709252e11d3c29df,
            0x6c924d7093911c08, 0x6b0fd01fa28a6b3f, 0x26d1ead4914c4ce2, 0x000000a91a4bdb3f}}};
}

TYPED_TEST(Subgroup, RefusesSmallOrders) {
  Random random(7);
  for (const SmallOrder& order : small_orders(TypeParam())) {
    int seen = 0;
    for (int i = 0; i < 20; ++i) {
      const auto small =
          ProjectivePoint<TypeParam>(random_curve_point<TypeParam>(random)).mul(order.n_over_q_e);
      const std::uint64_t q2[] = {order.q * order.q};
      ASSERT_TRUE(small.mul(q2).is_infinity()) << order.q;
      if (small.is_infinity()) continue;
      ++seen;
      EXPECT_FALSE(is_in_subgroup(small.to_affine())) << order.q;
      const auto shifted = small + ProjectivePoint<TypeParam>::generator();
      EXPECT_FALSE(is_in_subgroup(shifted.to_affine())) << order.q;
    }
    EXPECT_GT(seen, 5) << order.q;
  }
}

}  // namespace
}  // namespace cuzk
