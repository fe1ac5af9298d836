#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/thread_pool.h"

namespace cuzk {
namespace {

TEST(Bytes, HexRoundTripAndRefusals) {
  const std::vector<std::uint8_t> bytes = {0x00, 0x9f, 0xA0, 0xff};
  EXPECT_EQ(to_hex(bytes), "009fa0ff");
  EXPECT_EQ(from_hex("009FA0ff").value(), bytes);
  EXPECT_EQ(from_hex("0").status().code(), StatusCode::invalid_argument);
  EXPECT_EQ(from_hex("0g").status().code(), StatusCode::invalid_argument);
  EXPECT_EQ(bytes32_from_hex("00").status().code(), StatusCode::invalid_argument);
}

TEST(Bytes, FixedWidthIntegers) {
  std::uint8_t buffer[8];
  store_be<std::uint64_t>(buffer, 0x0102030405060708);
  EXPECT_EQ(buffer[0], 1);
  EXPECT_EQ(load_be<std::uint64_t>(buffer), 0x0102030405060708u);
  EXPECT_EQ(load_le<std::uint32_t>(buffer), 0x04030201u);
}

TEST(ThreadPool, CoversEveryIndexOnce) {
  for (const std::size_t threads : {1u, 2u, 5u}) {
    ThreadPool pool(threads);
    for (const std::size_t n : {0u, 1u, 7u, 1000u}) {
      for (const std::size_t grain : {1u, 3u, 2000u}) {
        std::vector<std::atomic<int>> hits(n);
        pool.parallel_for(n, grain, [&](std::size_t begin, std::size_t end) {
          EXPECT_LE(end - begin, grain);
          for (std::size_t i = begin; i < end; ++i) ++hits[i];
        });
        for (const auto& hit : hits) EXPECT_EQ(hit, 1);
      }
    }
  }
}

TEST(ThreadPool, TasksMayThrow) {
  for (int throwing = 0; throwing < 4; ++throwing) {
    std::atomic<int> ran{0};
    std::vector<std::function<void()>> tasks;
    for (int i = 0; i < 4; ++i) {
      tasks.push_back([&, i] {
        parallel_for(100, 1, [&](std::size_t, std::size_t) { ++ran; });
        if (i >= throwing) throw std::runtime_error(std::to_string(i));
      });
    }
    std::string caught;
    try {
      run_tasks(tasks);
    } catch (const std::runtime_error& error) {
      caught = error.what();
    }
    EXPECT_EQ(caught, std::to_string(throwing));
    EXPECT_EQ(ran, 400);
  }
  run_tasks({});
}

// On whichever thread it happens; the pool works on.
TEST(ThreadPool, ABodyMayThrow) {
  ThreadPool pool(4);
  for (const std::size_t bad : {std::size_t{0}, std::size_t{500}, std::size_t{999}}) {
    std::atomic<int> calls{0};
    const auto body = [&](std::size_t begin, std::size_t) {
      ++calls;
      if (begin == bad) throw std::bad_alloc();
    };
    EXPECT_THROW(pool.parallel_for(1000, 1, body), std::bad_alloc) << bad;
    EXPECT_GE(calls, 1);
    EXPECT_THROW(pool.parallel_for(1000, 1000, [](std::size_t, std::size_t) { throw std::bad_alloc(); }),
                 std::bad_alloc);
  }
  std::atomic<int> calls{0};
  pool.parallel_for(1000, 1, [&](std::size_t, std::size_t) { ++calls; });
  EXPECT_EQ(calls, 1000);
}

TEST(ThreadPool, NestedCallsFinish) {
  ThreadPool pool(3);
  std::atomic<int> total{0};
  pool.parallel_for(8, 1, [&](std::size_t, std::size_t) {
    pool.parallel_for(100, 1,
                      [&](std::size_t begin, std::size_t end) { total += static_cast<int>(end - begin); });
  });
  EXPECT_EQ(total, 800);
}

}  // namespace
}  // namespace cuzk
