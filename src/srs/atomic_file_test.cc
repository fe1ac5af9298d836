// Files that appear complete or not at all, in small and large writes.
#include "srs/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace cuzk {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMiB = std::size_t{1} << 20;

class AtomicFiles : public testing::Test {
 protected:
  AtomicFiles() : directory_(fs::temp_directory_path() / ("cuzk-atomic-" + std::to_string(::getpid()))) {
    fs::create_directories(directory_);
  }
  ~AtomicFiles() override { fs::remove_all(directory_); }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory_), {}));
  }

  fs::path directory_;
};

std::vector<std::uint8_t> pattern(std::size_t size, std::uint32_t seed) {
  std::vector<std::uint8_t> bytes(size);
  for (std::uint8_t& byte : bytes)
    byte = static_cast<std::uint8_t>((seed = seed * 1664525 + 1013904223) >> 24);
  return bytes;
}

TEST_F(AtomicFiles, ChunksOfAnySizeFollowEachOther) {
  for (const bool reserved : {false, true}) {
    const fs::path path = directory_ / (reserved ? "reserved" : "grown");
    AtomicFile file = AtomicFile::create(path).value();
    std::vector<std::uint8_t> wanted;
    const std::size_t sizes[] = {0, 1, 868, 4 * kMiB - 1, 4 * kMiB, 4 * kMiB + 1, 13 * kMiB + 7, 3};
    std::size_t total = 0;
    for (const std::size_t size : sizes) total += size;
    if (reserved) {
      ASSERT_TRUE(file.reserve(total + 5).is_ok());
    }
    std::uint32_t seed = 0;
    for (const std::size_t size : sizes) {
      const auto bytes = pattern(size, ++seed);
      ASSERT_TRUE(file.write(bytes).is_ok());
      wanted.insert(wanted.end(), bytes.begin(), bytes.end());
    }
    AtomicFile moved = std::move(file);
    const auto last = pattern(5, 99);
    ASSERT_TRUE(moved.write(last).is_ok());
    wanted.insert(wanted.end(), last.begin(), last.end());
    EXPECT_FALSE(fs::exists(path));
    ASSERT_TRUE(moved.commit().is_ok());
    std::ifstream in(path, std::ios::binary);
    const std::vector<std::uint8_t> found{std::istreambuf_iterator<char>(in), {}};
    EXPECT_TRUE(found == wanted) << found.size() << " bytes of " << wanted.size();
  }
  EXPECT_EQ(files(), 2u);
}

// The disk fills up in the middle of a write.
TEST_F(AtomicFiles, AFullDiskInALargeWriteIsReportedAndLeavesNothing) {
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{20 * kMiB, old.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto bytes = pattern(15 * kMiB, 1);
  Status first, second;
  {
    AtomicFile file = AtomicFile::create(directory_ / "file").value();
    first = file.write(bytes);
    second = file.write(bytes);
  }
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_TRUE(first.is_ok()) << first.to_string();
  EXPECT_EQ(second.code(), StatusCode::resource_exhausted) << second.to_string();
  EXPECT_NE(second.message().find((directory_ / "file").string() + ": write"), std::string::npos);
  EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace cuzk
