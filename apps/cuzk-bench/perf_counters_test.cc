// Counters count the work between start() and stop(), or say in words why they cannot.
#include "perf_counters.h"

#include <gtest/gtest.h>

namespace cuzk {
namespace {

void spin(std::uint64_t rounds) {
  volatile std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < rounds; ++i) sum = sum + i;
}

TEST(PerfCounters, CountOrSayWhyNot) {
  PerfCounters counters;
  const auto count = [&](std::uint64_t rounds) {
    counters.start();
    spin(rounds);
    counters.stop();
    return counters.report();
  };
  const auto few = count(100'000), many = count(10'000'000);
  for (const char* name : {"instructions", "cycles", "branches", "branch_misses", "cache_misses"}) {
    ASSERT_TRUE(few.contains(name)) << name;
    EXPECT_TRUE(!few[name].is_null() || !few["unavailable"].get<std::string>().empty()) << name;
  }
  if (few["instructions"].is_null()) {
    GTEST_SKIP() << "no instruction counter: " << few["unavailable"].get<std::string>();
  }
  EXPECT_GT(many["instructions"].get<std::uint64_t>(), 10 * few["instructions"].get<std::uint64_t>());
  EXPECT_GT(many["instructions"].get<std::uint64_t>(), 10'000'000u);
}

}  // namespace
}  // namespace cuzk
