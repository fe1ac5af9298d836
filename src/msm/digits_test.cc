#include "msm/digits.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "msm/test_points.h"

namespace cuzk {
namespace {

// (-1)^negative * sum of digit_i 2^bit_offset_i, in Fr.
Fr recompose(const RecodedScalar& recoded, const Windows& windows) {
  Fr sum;
  for (unsigned i = windows.count; i-- > 0;) {
    for (unsigned bit = 0; bit < windows.width(i); ++bit) sum = sum.doubled();
    const std::int32_t d = DigitReader(windows, i)(recoded);
    const Fr magnitude = Fr::from_u64(static_cast<std::uint64_t>(std::abs(d)));
    sum += d < 0 ? -magnitude : magnitude;
  }
  return recoded.is_negative() ? -sum : sum;
}

void expect_recodes(const Fr& scalar, const Windows& windows) {
  const RecodedScalar recoded = recode(scalar.to_repr(), half_windows(windows));
  EXPECT_EQ(recompose(recoded, windows), scalar) << windows.count << " windows";
  for (unsigned i = 0; i < windows.count; ++i) {
    const std::int32_t d = DigitReader(windows, i)(recoded);
    ASSERT_LE(static_cast<std::size_t>(std::abs(d)), windows.num_buckets(i))
        << windows.count << " windows, " << i;
  }
  EXPECT_GE(DigitReader(windows, windows.count - 1)(recoded), 0);
}

std::vector<Fr> edge_scalars() {
  std::vector<Fr> scalars = {Fr::zero(), Fr::one(), -Fr::one()};
  const Fr half = Fr::from_u64(2).inverse();  // (r + 1) / 2, the first that changes sign
  for (std::uint64_t k = 0; k < 3; ++k) {
    scalars.push_back(half + Fr::from_u64(k));
    scalars.push_back(half - Fr::from_u64(k));
  }
  Fr power = Fr::one();
  for (unsigned bit = 0; bit < 256; ++bit, power = power.doubled()) {
    scalars.push_back(power);
    scalars.push_back(power - Fr::one());
    scalars.push_back(-power);
  }
  return scalars;
}

TEST(Windows, CoverAllBitsOnceForEveryCount) {
  for (unsigned count = Windows::kMinCount; count <= Windows::kMaxCount; ++count) {
    const Windows windows = Windows::of(count);
    unsigned bits = 0;
    std::size_t buckets = 0;
    for (unsigned i = 0; i < count; ++i) {
      EXPECT_EQ(windows.bit_offset(i), bits);
      EXPECT_EQ(windows.bucket_offset(i), buckets);
      bits += windows.width(i);
      buckets += windows.num_buckets(i);
    }
    EXPECT_EQ(bits, Windows::kBits);
    EXPECT_EQ(windows.bucket_offset(count), buckets);
    EXPECT_LE(windows.width(0), 26u);
  }
}

TEST(Windows, FewerForMorePoints) {
  unsigned last = choose_windows(1).count;
  for (std::size_t n = 1; n < (std::size_t{1} << 30); n *= 2) {
    const unsigned count = choose_windows(n).count;
    EXPECT_LE(count, last) << n;
    EXPECT_GE(count, Windows::kMinCount);
    last = count;
  }
  EXPECT_EQ(choose_windows(std::size_t{1} << 20).count, 16u);
}

TEST(Digits, RecomposeEdgeScalars) {
  const std::vector<Fr> scalars = edge_scalars();
  for (unsigned count = Windows::kMinCount; count <= Windows::kMaxCount; count += count < 64 ? 1 : 19) {
    for (const Fr& scalar : scalars) expect_recodes(scalar, Windows::of(count));
  }
}

RC_GTEST_PROP(Digits, RecomposeRandomScalars, ()) {
  const auto words = *rc::gen::container<std::array<std::uint64_t, 4>>(rc::gen::arbitrary<std::uint64_t>());
  const unsigned count = *rc::gen::inRange(Windows::kMinCount, Windows::kMaxCount + 1);
  expect_recodes(Fr::from_repr_unchecked(words), Windows::of(count));
}

// The top window is as full as the others: over random scalars its digits use most of its buckets' range.
TEST(Digits, TopWindowIsFull) {
  const Windows windows = Windows::of(16);
  const DigitReader top(windows, 15);
  std::int32_t largest = 0;
  for (const Fr& scalar : random_scalars(2000, 1)) {
    largest = std::max(largest, top(recode(scalar.to_repr(), half_windows(windows))));
  }
  EXPECT_GT(static_cast<double>(largest), 0.88 * static_cast<double>(windows.num_buckets(15)));
}

}  // namespace
}  // namespace cuzk
