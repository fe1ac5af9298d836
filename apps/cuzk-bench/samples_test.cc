// The percentiles against the definition by counting, at every size where a rank could slip by one.
#include "samples.h"

#include <gtest/gtest.h>

#include <random>

namespace cuzk {
namespace {

// The smallest sample such that at least p percent of all are not above it, by trying all.
double by_counting(const std::vector<double>& values, int p) {
  double best = 1e300;
  for (const double candidate : values) {
    std::size_t not_above = 0;
    for (const double value : values) not_above += value <= candidate ? 1 : 0;
    if (not_above * 100 >= values.size() * static_cast<std::size_t>(p)) best = std::min(best, candidate);
  }
  return best;
}

TEST(Samples, PercentilesAreThoseOfTheDefinition) {
  std::mt19937_64 random(5);
  for (std::size_t n = 1; n <= 201; ++n) {
    std::vector<double> values(n);
    for (double& value : values) value = static_cast<double>(random() % (n < 100 ? 1000 : 50));  // ties too
    const Samples samples(values);
    for (const int p : {0, 1, 25, 49, 50, 51, 90, 99, 100}) {
      ASSERT_EQ(samples.percentile(p), by_counting(values, p)) << n << " samples, p" << p;
    }
  }
}

TEST(Samples, OrderDoesNotMatterAndExtremesAreExact) {
  const Samples samples({5, 1, 4, 2, 3});
  EXPECT_EQ(samples.min(), 1);
  EXPECT_EQ(samples.median(), 3);
  EXPECT_EQ(samples.max(), 5);
  EXPECT_EQ(samples.percentile(90), 5);
  EXPECT_EQ(samples.sum(), 15);
  EXPECT_EQ(Samples({1, 2, 3, 4}).median(), 2);
}

TEST(Samples, NoneGiveZeros) {
  EXPECT_EQ(Samples().percentile(99), 0);
  EXPECT_EQ(Samples().summary()["runs"], 0);
}

TEST(Samples, RunsAreCountedWithoutTheWarmUp) {
  int calls = 0;
  const Samples samples = time_runs(3, [&] { ++calls; });
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(samples.size(), 3u);
  EXPECT_EQ(samples.summary("ms").size(), 4u);
}

}  // namespace
}  // namespace cuzk
