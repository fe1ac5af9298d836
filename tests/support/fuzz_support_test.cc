// The tools of the tests of readers: damage repeats itself and is damage; memory is counted.
#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <set>
#include <string>

#include "support/allocation_watch.h"
#include "support/byte_fuzzer.h"

namespace cuzk {
namespace {

ByteFuzzer::Bytes good_bytes() {
  ByteFuzzer::Bytes bytes(200);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
  return bytes;
}

TEST(ByteFuzzer, TheSameDamageEveryTime) {
  ByteFuzzer one(500), two(500);
  const ByteFuzzer::Bytes good = good_bytes();
  const std::size_t lengths[] = {8, 100};
  std::size_t unchanged = 0, shorter = 0, longer = 0;
  for (int round = 0; round < 500; ++round) {
    const ByteFuzzer::Bytes bytes = one.damaged(good, lengths);
    ASSERT_EQ(bytes, two.damaged(good, lengths));
    unchanged += bytes == good;
    shorter += bytes.size() < good.size();
    longer += bytes.size() > good.size();
  }
  EXPECT_LT(unchanged, 50u);
  EXPECT_GT(shorter, 50u);
  EXPECT_GT(longer, 50u);
}

TEST(ByteFuzzer, EveryWordIsUsedAndWhole) {
  ByteFuzzer fuzzer(1);
  std::set<std::string> found;
  const std::string good(400, '.');
  for (int round = 0; round < 500; ++round) {
    const std::string text = fuzzer.damaged_text(good, "alpha b gamma");
    for (const char* word : {"alpha", "b", "gamma"})
      if (text.find(word) != std::string::npos) found.insert(word);
  }
  EXPECT_EQ(found.size(), 3u);
}

TEST(ByteFuzzer, AnythingIsDamagedDownToNothing) {
  ByteFuzzer fuzzer(1);
  for (std::size_t size = 1; size < 20; ++size) {
    for (int round = 0; round < 200; ++round) {
      fuzzer.damaged(ByteFuzzer::Bytes(size));
      fuzzer.damaged_text(std::string(size, 'x'), "word");
    }
  }
}

TEST(AllocationWatch, SeesTheMostThatIsHeldAtATime) {
  constexpr std::size_t kSize = std::size_t{1} << 20;
  const AllocationWatch watch;
  { const std::vector<char> first(kSize); }
  { const std::vector<char> second(3 * kSize); }
  EXPECT_GE(watch.peak_bytes(), 3 * kSize);
  EXPECT_LT(watch.peak_bytes(), 4 * kSize);
  const AllocationWatch later;
  EXPECT_LT(later.peak_bytes(), kSize);
  struct alignas(4096) Page {
    char bytes[4096];
  };
  const auto pages = std::make_unique<Page[]>(kSize / 2048);
  EXPECT_GE(later.peak_bytes(), 2 * kSize);
}

TEST(AllocationWatch, ARequestWithoutBoundsCountsThoughItFails) {
  const AllocationWatch watch;
  EXPECT_THROW(std::string(AllocationWatch::kLargestBytes, 'x'), std::bad_alloc);
  EXPECT_GE(watch.peak_bytes(), AllocationWatch::kLargestBytes);
}

}  // namespace
}  // namespace cuzk
