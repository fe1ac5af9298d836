#include "engine/device_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace cuzk {
namespace {

class DeviceMemoryTest : public ::testing::Test {
 protected:
  DeviceShare take(const DeviceNeed& need) { return memory_.try_take("x", need).value(); }

  MemoryBudget budget_{"memory of device 0", 130};
  DeviceMemory memory_{&budget_};
};

TEST_F(DeviceMemoryTest, TheWorkSpaceIsAsLargeAsTheLargestNeed) {
  DeviceShare small = take({.own = 10, .work = 30});
  EXPECT_EQ(budget_.used_bytes(), 40u);
  DeviceShare large = take({.own = 10, .work = 100});
  EXPECT_EQ(budget_.used_bytes(), 120u);
  DeviceShare middle = take({.own = 10, .work = 50});
  EXPECT_EQ(budget_.used_bytes(), 130u);
  EXPECT_EQ(memory_.work_bytes(), 100u);
  EXPECT_EQ(large.own_bytes(), 10u);

  DeviceShare moved = std::move(large);
  EXPECT_EQ(large.release(), 0u);
  EXPECT_EQ(moved.release(), 60u) << "its own and what the work space shrinks by";
  EXPECT_EQ(moved.release(), 0u);
  EXPECT_EQ(memory_.work_bytes(), 50u);
  EXPECT_EQ(budget_.used_bytes(), 70u);
  EXPECT_EQ(small.release(), 10u);
  middle = DeviceShare();
  EXPECT_EQ(memory_.work_bytes(), 0u);
  EXPECT_EQ(budget_.used_bytes(), 0u);
}

TEST_F(DeviceMemoryTest, EqualNeedsAreCountedApart) {
  DeviceShare a = take({.work = 100}), b = take({.work = 100});
  EXPECT_EQ(a.release(), 0u);
  EXPECT_EQ(budget_.used_bytes(), 100u);
  EXPECT_EQ(b.release(), 100u);
}

TEST_F(DeviceMemoryTest, WhatOnlyALoadNeedsGoesWithIt) {
  DeviceShare share = take({.own = 10, .work = 20, .load = 100});
  EXPECT_EQ(budget_.used_bytes(), 130u);
  share.end_load();
  EXPECT_EQ(budget_.used_bytes(), 30u);
  EXPECT_EQ(share.release(), 30u);
}

TEST_F(DeviceMemoryTest, RefusesWithNeededFreeAndLimitAndTakesNothing) {
  const DeviceShare held = take({.own = 40, .work = 50});
  // 40 are free, and 50 of the 70 are there already.
  EXPECT_EQ(memory_.try_take("the thing", {.own = 15, .work = 70, .load = 6}).status().message(),
            "memory of device 0: the thing needs 41 bytes, 40 of 130 are free");
  EXPECT_EQ(memory_.try_take("the thing", {.own = 61, .work = 120}).status().message(),
            "memory of device 0: the thing needs 131 bytes, the limit is 130");
  EXPECT_EQ(memory_.work_bytes(), 50u);
  EXPECT_EQ(budget_.used_bytes(), 90u);
  EXPECT_TRUE(memory_.check_free("x", {.own = 15, .work = 70, .load = 5}).is_ok());
}

TEST_F(DeviceMemoryTest, WhatIsKeptSharesItsWorkSpaceToo) {
  const DeviceShare a = take({.own = 20, .work = 30}), b = take({.own = 10, .work = 60});
  const std::array kept = {&a, &b};
  EXPECT_TRUE(memory_.check_fits("x", {.own = 40, .work = 60}, kept).is_ok());
  EXPECT_TRUE(memory_.check_fits("x", {.own = 20, .work = 70, .load = 10}, kept).is_ok());
  EXPECT_EQ(memory_.check_fits("x", {.own = 20, .work = 70, .load = 11}, kept).message(),
            "memory of device 0: x needs 41 bytes, the limit is 130, of which 90 are taken for good");
  EXPECT_TRUE(memory_.check_fits("x", {.own = 60, .work = 70}, {}).is_ok());
}

TEST_F(DeviceMemoryTest, KnowsWhatWouldBeFreeWithoutSomeShares) {
  const DeviceShare small = take({.own = 20, .work = 30}), large = take({.own = 10, .work = 80});
  const std::array both = {&small, &large};
  const auto fits = [&](const DeviceNeed& need, DeviceMemory::Shares gone) {
    return memory_.check_free("x", need, gone).is_ok();
  };
  // 20 are free. Without the large one 80 are, beside a work space of 30.
  EXPECT_TRUE(fits({.own = 20, .work = 80}, {}));
  EXPECT_FALSE(fits({.own = 21, .work = 80}, {}));
  EXPECT_TRUE(fits({.own = 40, .work = 70}, std::span(both).subspan(1)));
  EXPECT_FALSE(fits({.own = 40, .work = 71}, std::span(both).subspan(1)));
  // Without the small one its own part is free too, and the work space stays.
  EXPECT_TRUE(fits({.own = 40, .work = 80}, std::span(both).first(1)));
  EXPECT_FALSE(fits({.own = 40, .work = 81}, std::span(both).first(1)));
  EXPECT_TRUE(fits({.own = 50, .work = 80}, both));
  EXPECT_FALSE(fits({.own = 50, .work = 81}, both));
  EXPECT_EQ(budget_.used_bytes(), 110u) << "nothing is taken";
}

TEST_F(DeviceMemoryTest, AProcessorHasNone) {
  DeviceMemory none(nullptr);
  DeviceShare share = none.try_take("x", {.own = 1000, .work = 1000}).value();
  EXPECT_TRUE(none.check_fits("x", {.own = ~std::uint64_t{0}}, {}).is_ok());
  EXPECT_EQ(none.work_bytes() + share.own_bytes() + share.release(), 0u);
}

}  // namespace
}  // namespace cuzk
