#include "engine/memory_budget.h"

#include <gtest/gtest.h>

#include <fstream>
#include <new>
#include <thread>
#include <vector>

#include "engine/memory_limit.h"

namespace cuzk {
namespace {

TEST(MemoryBudget, GivesBackWhatIsReleased) {
  MemoryBudget budget("memory", 100);
  {
    Reservation a = budget.try_reserve("a", 60).value();
    EXPECT_EQ(budget.used_bytes(), 60u);
    EXPECT_EQ(budget.free_bytes(), 40u);
    Reservation b = std::move(a);
    EXPECT_EQ(budget.used_bytes(), 60u);
    b.shrink_to(25);
    b.shrink_to(50);
    EXPECT_EQ(b.bytes(), 25u);
    EXPECT_EQ(budget.used_bytes(), 25u);
    b = budget.try_reserve("c", 10).value();
    EXPECT_EQ(budget.used_bytes(), 10u);
  }
  EXPECT_EQ(budget.used_bytes(), 0u);
}

TEST(MemoryBudget, ReservationsAreSplitAndJoined) {
  MemoryBudget budget("memory", 100);
  {
    Reservation a = budget.try_reserve("a", 60).value(), b;
    b.join(a.split(20));
    EXPECT_EQ(a.bytes(), 40u);
    EXPECT_EQ(b.bytes(), 20u);
    b.join(a.split(15));
    b.join(Reservation());
    EXPECT_EQ(b.bytes(), 35u);
    EXPECT_EQ(budget.used_bytes(), 60u);
    a.release();
    EXPECT_EQ(budget.used_bytes(), 35u);
  }
  EXPECT_EQ(budget.used_bytes(), 0u);
}

TEST(MemoryBudget, RefusesWithNeededFreeAndLimit) {
  MemoryBudget budget("host memory", 100);
  const Reservation held = budget.try_reserve("a", 70).value();
  const Status now = budget.try_reserve("the thing", 40).status();
  EXPECT_EQ(now.code(), StatusCode::resource_exhausted);
  EXPECT_EQ(now.message(), "host memory: the thing needs 40 bytes, 30 of 100 are free");
  EXPECT_EQ(budget.check_free("the thing", 40).message(), now.message());
  EXPECT_TRUE(budget.check_free("the thing", 30).is_ok());
  const Status never = budget.reserve("the thing", 101, 0).status();
  EXPECT_EQ(never.code(), StatusCode::resource_exhausted);
  EXPECT_EQ(never.message(), "host memory: the thing needs 101 bytes, the limit is 100");
  EXPECT_EQ(budget.check_fits("x", 50, 60).message(),
            "host memory: x needs 50 bytes, the limit is 100, of which 60 are taken for good");
  EXPECT_TRUE(budget.check_fits("x", 40, 60).is_ok());
  EXPECT_FALSE(budget.check_fits("x", ~std::uint64_t{0}, 1).is_ok());
}

// One waits for 50 of low priority, then one for 80 of high priority: the high one is first, although the low one fits sooner.
TEST(MemoryBudget, WaitersComeByPriorityAndAreNotOvertaken) {
  MemoryBudget budget("memory", 100);
  Reservation held = budget.try_reserve("held", 100).value();
  std::mutex mutex;
  std::vector<int> order;
  std::atomic<int> waiting{0};
  const auto wait_for = [&](std::uint64_t bytes, int priority) {
    return std::thread([&, bytes, priority] {
      const Result<Reservation> got = budget.reserve("x", bytes, priority, [&, counted = false]() mutable {
        waiting += !counted;
        counted = true;
        return false;
      });
      const std::lock_guard lock(mutex);
      order.push_back(priority);
    });
  };
  std::thread low = wait_for(50, 1);
  while (waiting < 1) std::this_thread::yield();
  std::thread high = wait_for(80, 3);
  while (waiting < 2) std::this_thread::yield();
  held.shrink_to(40);  // 60 are free: enough for low alone
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  {
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(order.empty());
  }
  held.release();
  high.join();
  low.join();
  EXPECT_EQ(order, (std::vector<int>{3, 1}));
  EXPECT_EQ(budget.used_bytes(), 0u);
}

TEST(MemoryBudget, AWaiterCanGiveUp) {
  MemoryBudget budget("memory", 100);
  const Reservation held = budget.try_reserve("held", 100).value();
  std::atomic<bool> stop{false};
  Status status;
  std::thread waiter([&] { status = budget.reserve("x", 10, 1, [&] { return stop.load(); }).status(); });
  stop = true;
  waiter.join();
  EXPECT_EQ(status.code(), StatusCode::cancelled);
}

// The next one must not wait for one that is gone.
TEST(MemoryBudget, AWaiterThatThrowsLeavesNoTrace) {
  MemoryBudget budget("memory", 100);
  Reservation held = budget.try_reserve("held", 100).value();
  EXPECT_THROW((void)budget.reserve("x", 10, 3, []() -> bool { throw std::bad_alloc(); }), std::bad_alloc);
  held.release();
  EXPECT_TRUE(budget.reserve("y", 10, 1, [tries = 0]() mutable { return ++tries > 20; }).is_ok());
}

class CgroupFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::temp_directory_path() / ("cuzk-cgroup-" + std::to_string(::getpid()));
    std::filesystem::create_directories(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  std::uint64_t limit() { return allowed_memory_bytes(root_ / "fs", root_ / "self"); }
  std::filesystem::path root_;
};

TEST_F(CgroupFiles, TheLeastOfAllGroupsCounts) {
  write("self", "0::/a/b\n");
  const std::uint64_t machine = limit();
  EXPECT_GT(machine, 1u << 20);
  write("fs/a/b/memory.max", "max\n");
  EXPECT_EQ(limit(), machine);
  write("fs/a/memory.max", "1048576\n");
  EXPECT_EQ(limit(), 1048576u);
  write("fs/a/b/memory.max", "4096\n");
  EXPECT_EQ(limit(), 4096u);
}

TEST_F(CgroupFiles, TheOldFormCountsToo) {
  write("self", "3:cpu:/x\n5:blkio,memory:/y\n");
  write("fs/memory/y/memory.limit_in_bytes", "65536\n");
  EXPECT_EQ(limit(), 65536u);
}

TEST(MemoryLimit, TheProcessHasMemory) {
  EXPECT_GT(resident_set_bytes(), 1u << 20);
  EXPECT_GT(allowed_memory_bytes(), resident_set_bytes());
}

}  // namespace
}  // namespace cuzk
