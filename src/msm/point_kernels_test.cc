// sum_chains and the changes of form, for both groups and both builds, against projective sums.
#include "msm/point_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/buffer.h"
#include "msm/list_sum.h"
#include "msm/test_points.h"

namespace cuzk {
namespace {

template <typename Case>
class PointKernelsTest : public testing::Test {
 protected:
  using CaseField = typename Case::Field;
  using Affine = AffinePoint<CaseField>;

  void SetUp() override {
    if (!Case::is_available()) GTEST_SKIP() << "this machine has no AVX-512 IFMA";
    affine_ = multiples_of_generator<CaseField>(random_scalars(40, 7));
    affine_.push_back(-affine_[0]);
    affine_.push_back(affine_[1]);
    points_.resize(affine_.size());
    Case::kernels().from_affine(affine_.data(), affine_.size(), points_.data());
  }

  Affine value(PointRef ref) const {
    const Affine& point = affine_[ref & ~kNegate];
    return (ref & kNegate) != 0 ? -point : point;
  }
  Affine naive_sum(const std::vector<PointRef>& list) const {
    ProjectivePoint<CaseField> sum;
    for (const PointRef ref : list) sum += value(ref);
    return sum.to_affine();
  }
  std::vector<Affine> to_affine(const std::vector<KernelPoint<CaseField>>& points) const {
    std::vector<Affine> out(points.size());
    Case::kernels().to_affine(points.data(), points.size(), out.data());
    return out;
  }
  void expect_sums(const std::vector<std::vector<PointRef>>& lists) {
    std::vector<PointRef> refs;
    std::vector<std::uint32_t> offsets = {0};
    for (const auto& list : lists) {
      refs.insert(refs.end(), list.begin(), list.end());
      offsets.push_back(static_cast<std::uint32_t>(refs.size()));
    }
    std::vector<KernelPoint<CaseField>> sums(lists.size());
    ListSummer<CaseField> summer;
    summer.sum(Case::kernels(), points_.data(), refs.data(), offsets, sums.data());
    const std::vector<Affine> affine = to_affine(sums);
    for (std::size_t i = 0; i < lists.size(); ++i) {
      ASSERT_EQ(affine[i], naive_sum(lists[i])) << "list " << i << " of " << lists.size();
    }
  }

  std::vector<Affine> affine_;
  std::vector<KernelPoint<CaseField>> points_;
};

using Cases = testing::Types<KernelCase<Fp, false>, KernelCase<Fp, true>, KernelCase<Fp2, false>,
                             KernelCase<Fp2, true>>;
TYPED_TEST_SUITE(PointKernelsTest, Cases);

TYPED_TEST(PointKernelsTest, FormsAreInverse) {
  using F = typename TypeParam::Field;
  for (std::size_t n = 0; n <= 17; ++n) {
    std::vector<AffinePoint<F>> in(this->affine_.begin(),
                                   this->affine_.begin() + static_cast<std::ptrdiff_t>(n));
    if (n > 3) in[n / 2] = AffinePoint<F>::infinity();
    std::vector<KernelPoint<F>> points(n);
    TypeParam::kernels().from_affine(in.data(), n, points.data());
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(points[i].is_infinity(), in[i].is_infinity());
    EXPECT_EQ(this->to_affine(points), in);
  }
}

TYPED_TEST(PointKernelsTest, RandomListsOfEveryCount) {
  std::mt19937_64 random(11);
  for (const std::size_t count : {1u, 2u, 7u, 8u, 9u, 15u, 16u, 17u, 100u}) {
    std::vector<std::vector<PointRef>> lists(count);
    for (auto& list : lists) {
      list.resize(random() % 12);
      for (PointRef& ref : list)
        ref = static_cast<PointRef>(random() % 40) | (random() % 2 == 0 ? kNegate : 0);
    }
    this->expect_sums(lists);
  }
}

// Points 0 and 40 are opposite, 1 and 41 equal.
TYPED_TEST(PointKernelsTest, ExceptionalAdditions) {
  const auto neg = [](PointRef ref) { return ref | kNegate; };
  std::vector<std::vector<PointRef>> lists = {
      {},
      {0},
      {neg(0)},
      {0, 0},                          // doubling
      {1, 41},                         // doubling of equal points
      {0, 40},                         // to infinity
      {neg(0), neg(40)},               // to infinity, negated
      {0, 40, 5},                      // from infinity
      {0, 40, 5, 6},                   // and on
      {0, 40, 0, 40},                  // twice to infinity
      {0, 40, 1, 41, neg(1), neg(1)},  // through a doubling to infinity again
      {0, 0, neg(0)},                  // doubling, then back
      {0, 0, neg(0), neg(0)},
      {3, 3, 3, 3, 3, 3, 3, 3},
      {3, neg(3), 3, neg(3), 3},
  };
  this->expect_sums(lists);
  // Every pattern in every lane, with ordinary chains beside it.
  std::mt19937_64 random(3);
  const std::vector<std::vector<PointRef>> patterns = lists;
  for (int i = 0; i < 200; ++i) {
    lists.push_back(patterns[random() % patterns.size()]);
    lists.push_back(
        {static_cast<PointRef>(random() % 40), static_cast<PointRef>(random() % 40), 7, 8, neg(9)});
  }
  this->expect_sums(lists);
}

// One point and its opposite in random order: every sum is a small multiple, and most additions are exceptional.
TYPED_TEST(PointKernelsTest, OnePointWithRandomSigns) {
  std::mt19937_64 random(12);
  std::vector<std::vector<PointRef>> lists(300);
  for (auto& list : lists) {
    list.resize(random() % 24);
    for (PointRef& ref : list) ref = (random() % 2 == 0 ? 0 : 40) | (random() % 2 == 0 ? kNegate : 0);
  }
  this->expect_sums(lists);
}

// Longer than any chain, so cut, with lengths on both sides of the limit.
TYPED_TEST(PointKernelsTest, LongLists) {
  std::mt19937_64 random(5);
  std::vector<std::vector<PointRef>> lists(12);
  const std::size_t lengths[] = {0, 1, 31, 32, 33, 1023, 1024, 1025, 2048, 3000, 5, 4100};
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (std::size_t k = 0; k < lengths[i]; ++k) {
      lists[i].push_back(static_cast<PointRef>(random() % 42) | (random() % 2 == 0 ? kNegate : 0));
    }
  }
  lists.push_back(std::vector<PointRef>(2500, 4));  // one point, again and again
  this->expect_sums(lists);
}

// A single batch at the longest chain allowed: the lazily reduced accumulators at their bound.
TYPED_TEST(PointKernelsTest, LongestChain) {
  using F = typename TypeParam::Field;
  std::mt19937_64 random(6);
  constexpr std::uint32_t kChains = 3;
  std::vector<PointRef> refs(kChains * kMaxChainLength);
  for (PointRef& ref : refs) ref = static_cast<PointRef>(random() % 42) | (random() % 2 == 0 ? kNegate : 0);
  const std::uint32_t start[] = {0, 1, 2}, length[] = {kMaxChainLength, kMaxChainLength, 1000},
                      slot[] = {2, 0, 1};
  const auto& kernels = TypeParam::kernels();
  Buffer<std::byte> scratch(kernels.scratch_bytes(kChains));
  std::vector<KernelPoint<F>> out(kChains);
  kernels.sum_chains({.points = this->points_.data(),
                      .refs = refs.data(),
                      .start = start,
                      .length = length,
                      .count = kChains,
                      .stride = kChains,
                      .out = out.data(),
                      .slot = slot},
                     scratch.data());
  const std::vector<AffinePoint<F>> sums = this->to_affine(out);
  for (std::uint32_t chain = 0; chain < kChains; ++chain) {
    std::vector<PointRef> list;
    for (std::uint32_t j = 0; j < length[chain]; ++j) list.push_back(refs[chain + j * kChains]);
    EXPECT_EQ(sums[slot[chain]], this->naive_sum(list)) << chain;
  }
}

TYPED_TEST(PointKernelsTest, TotalOfEveryCount) {
  using F = typename TypeParam::Field;
  std::mt19937_64 random(8);
  for (const std::size_t count : {0u, 1u, 2u, 9u, 300u, 2500u, 20000u}) {
    std::vector<PointRef> refs(count);
    for (PointRef& ref : refs) ref = static_cast<PointRef>(random() % 42) | (random() % 2 == 0 ? kNegate : 0);
    ListSummer<F> summer;
    EXPECT_EQ(summer.total(TypeParam::kernels(), this->points_.data(), refs).to_affine(),
              this->naive_sum(refs))
        << count;
  }
}

}  // namespace
}  // namespace cuzk
