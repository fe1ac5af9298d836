// Files of commands: whole or not at all, links and devices stay what they are.
#include "whole_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

namespace cuzk {
namespace {

namespace fs = std::filesystem;

class WholeFile : public ::testing::Test {
 protected:
  WholeFile() {
    std::string name = (fs::temp_directory_path() / "cuzk-out-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
    folder_ = name;
  }
  ~WholeFile() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t num_files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(WholeFile, IsWrittenWhole) {
  ASSERT_TRUE(check_writable(path("a")).is_ok());
  EXPECT_EQ(num_files(), 0u) << "a check leaves nothing";
  ASSERT_TRUE(write_file(path("a"), "first").is_ok());
  ASSERT_TRUE(write_file(path("a"), "2nd").is_ok());
  EXPECT_EQ(text_of(path("a")), "2nd");
  EXPECT_EQ(num_files(), 1u);
}

TEST_F(WholeFile, AFolderIsRefusedBeforeTheWork) {
  for (const std::string& wrong : {folder_.string(), path("no-such-folder/a")}) {
    for (const Status& status : {check_writable(wrong), write_file(wrong, "text")}) {
      EXPECT_FALSE(status.is_ok()) << wrong;
      EXPECT_NE(status.message().find(wrong), std::string::npos) << status.message();
    }
  }
}

TEST_F(WholeFile, APathThatCannotBeLookedAtIsRefusedBeforeTheWork) {
  const Status status = check_writable(path(std::string(300, 'x')));
  ASSERT_FALSE(status.is_ok());
  EXPECT_NE(status.message().find("File name too long"), std::string::npos) << status.message();
}

TEST_F(WholeFile, ALinkStaysAndItsTargetIsReplaced) {
  ASSERT_TRUE(write_file(path("target"), "old").is_ok());
  fs::create_symlink("target", path("link"));
  ASSERT_TRUE(write_file(path("link"), "new").is_ok());
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(text_of(path("target")), "new");
}

TEST_F(WholeFile, APipeIsWrittenTo) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  ASSERT_TRUE(check_writable(path("pipe")).is_ok());
  std::string received;
  {
    std::jthread reader([&] { received = text_of(path("pipe")); });
    ASSERT_TRUE(write_file(path("pipe"), "through").is_ok());
  }
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(WholeFile, ADeviceStaysADevice) {
  fs::create_symlink("/dev/null", path("null"));
  EXPECT_TRUE(write_file(path("null"), "text").is_ok());
  EXPECT_TRUE(fs::is_symlink(path("null")));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  fs::create_symlink("/dev/full", path("full"));
  const Status status = write_file(path("full"), "text");
  ASSERT_FALSE(status.is_ok());
  EXPECT_NE(status.message().find("No space left on device"), std::string::npos) << status.message();
}

TEST_F(WholeFile, AFullDiskLeavesWhatWasThere) {
  ASSERT_TRUE(write_file(path("a"), "old").is_ok());
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {100, old.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const Status status = write_file(path("a"), std::string(1000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(status.code(), StatusCode::resource_exhausted);
  EXPECT_EQ(text_of(path("a")), "old");
  EXPECT_EQ(num_files(), 1u);
}

}  // namespace
}  // namespace cuzk
