// Pairs with shared inversions, run on the host's field: the same code as on the device.
#include "cuda/msm/pair_addition.h"

#include <gtest/gtest.h>

#include <vector>

#include "cuda/testing/random_data.h"
#include "curve/xyzz.h"

namespace cuzk::cuda {
namespace {

// The host's Fp2 and G2 with the device's names.
struct HostField {
  Fp2 v;
  friend HostField operator+(const HostField& a, const HostField& b) { return {a.v + b.v}; }
  friend HostField operator-(const HostField& a, const HostField& b) { return {a.v - b.v}; }
  friend HostField operator*(const HostField& a, const HostField& b) { return {a.v * b.v}; }
  friend HostField squared(const HostField& a) { return {a.v.squared()}; }
  friend bool is_zero(const HostField& a) { return a.v.is_zero(); }
  friend void set_one(HostField& a) { a.v = Fp2::one(); }
};
struct HostPoint {
  HostField x, y;
  bool infinite = false;
  friend bool is_infinity(const HostPoint& p) { return p.infinite; }
  friend void set_infinity(HostPoint& p) { p = {{}, {}, true}; }
};

HostPoint host_point(const G2Affine& p) {
  return {{p.x}, {p.y}, p == G2Affine::infinity()};
}
G2Affine affine(const HostPoint& p) {
  return p.infinite ? G2Affine::infinity() : G2Affine{p.x.v, p.y.v};
}
G2Affine sum_of(const G2Affine& a, const G2Affine& b) {
  G2Xyzz sum;
  sum.add(a);
  sum.add(b);
  return sum.to_projective().to_affine();
}

// One level over all chains, as the device's threads do it.
std::vector<G2Affine> level(const std::vector<G2Affine>& points, unsigned num_chains) {
  const auto num_pairs = static_cast<unsigned>((points.size() + 1) / 2);
  std::vector<HostField> products(num_pairs);
  std::vector<G2Affine> out(num_pairs);
  std::vector<int> stored(num_pairs);
  int inversions = 0;
  const auto load = [&](unsigned i, HostPoint& p) {
    if (i >= points.size()) {
      set_infinity(p);
    } else {
      p = host_point(points[i]);
    }
  };
  const auto store = [&](unsigned pair, const HostPoint& p) {
    out.at(pair) = affine(p);
    ++stored.at(pair);
  };
  const auto invert = [&](const HostField& x) {
    EXPECT_FALSE(is_zero(x));
    ++inversions;
    return HostField{x.v.inverse()};
  };
  for (unsigned chain = 0; chain < num_chains; ++chain) {
    add_pairs_of_chain<HostPoint, HostField>(chain, num_chains, num_pairs, products.data(), load, store,
                                             invert);
  }
  EXPECT_EQ(inversions, static_cast<int>(num_chains));
  for (const int times : stored) EXPECT_EQ(times, 1);
  return out;
}

void expect_pair_sums(const std::vector<G2Affine>& points) {
  for (const unsigned num_chains : {1U, 2U, 7U, 128U}) {
    const std::vector<G2Affine> sums = level(points, num_chains);
    ASSERT_EQ(sums.size(), (points.size() + 1) / 2);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const bool alone = 2 * i + 1 == points.size();
      const G2Affine want = alone ? points[2 * i] : sum_of(points[2 * i], points[2 * i + 1]);
      EXPECT_TRUE(sums[i] == want) << i << " of " << sums.size() << ", chains " << num_chains;
    }
  }
}

TEST(PairAddition, EqualsTheHostsAddition) {
  RandomData random(61);
  for (const std::size_t n : {1, 2, 3, 31, 64, 255}) {
    std::vector<G2Affine> points = random.points<G2Affine>(n);
    expect_pair_sums(points);
    // Every kind of pair: equal, opposite, infinity first, second, both.
    for (std::size_t i = 0; i + 1 < n; i += 2) {
      switch (random.word() % 7) {
        case 0:
          points[i + 1] = points[i];
          break;
        case 1:
          points[i + 1] = -points[i];
          break;
        case 2:
          points[i] = G2Affine::infinity();
          break;
        case 3:
          points[i + 1] = G2Affine::infinity();
          break;
        case 4:
          points[i] = points[i + 1] = G2Affine::infinity();
          break;
        default:
          break;
      }
    }
    expect_pair_sums(points);
    expect_pair_sums(std::vector<G2Affine>(n, G2Affine::infinity()));
    expect_pair_sums(std::vector<G2Affine>(n, points.back()));
  }
}

}  // namespace
}  // namespace cuzk::cuda
