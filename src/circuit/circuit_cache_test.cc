// The circuit cache: the second use comes from the file and is the same circuit; whatever happens to the file, the circuit is
// the right one.
#include "circuit/circuit_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "circuit/proof_input.h"
#include "r1cs/digest.h"
#include "r1cs/r1cs_file.h"

namespace cuzk {
namespace {

const CircuitParameters& circuit_of(ProofKind kind, std::string_view size) {
  return *find_circuit_parameters(kind, *find_sector_shape(size).value()).value();
}

class CircuitCacheTest : public testing::Test {
 protected:
  ~CircuitCacheTest() override { std::filesystem::remove_all(folder_); }

  // Whether get() gave the circuit, from the file or not.
  void expect_get(bool from_cache) {
    const CachedCircuit found = cache_.get(circuit_);
    EXPECT_EQ(found.from_cache, from_cache) << found.note;
    EXPECT_EQ(to_hex(r1cs_digest(found.r1cs)), digest_);
    note_ = found.note;
  }
  // The damaged file is seen, replaced, and whole again.
  void expect_rebuilt(const std::string& reason) {
    expect_get(false);
    EXPECT_NE(note_.find(reason), std::string::npos) << note_;
    expect_get(true);
    EXPECT_EQ(note_, "");
  }

  const CircuitParameters& circuit_ = circuit_of(ProofKind::window, "2KiB");
  const std::string digest_ = to_hex(r1cs_digest(record_circuit(circuit_)));
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("cuzk_circuit_cache_test_" + std::to_string(::getpid()));
  const CircuitCache cache_{folder_ / "below"};
  const std::filesystem::path path_ = cache_.path_of(circuit_);
  std::string note_;
};

TEST_F(CircuitCacheTest, TheSecondUseComesFromTheFile) {
  expect_get(false);
  EXPECT_EQ(note_, "");
  EXPECT_TRUE(std::filesystem::is_regular_file(path_));
  expect_get(true);
  EXPECT_EQ(note_, "");
}

TEST_F(CircuitCacheTest, ADamagedFileIsRebuilt) {
  expect_get(false);
  const auto size = std::filesystem::file_size(path_);
  std::filesystem::resize_file(path_, size / 2);
  expect_rebuilt("shorter than its counts say");
  std::filesystem::resize_file(path_, 0);
  expect_rebuilt("only 0 bytes");
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(size / 2));
  const auto byte = static_cast<char>(file.get() ^ 1);
  file.seekp(static_cast<std::streamoff>(size / 2));
  file.put(byte);
  file.close();
  expect_rebuilt("SHA-256");
}

TEST_F(CircuitCacheTest, AForeignFileIsRebuilt) {
  expect_get(false);
  const CircuitParameters& other = circuit_of(ProofKind::window, "4KiB");
  ASSERT_FALSE(cache_.get(other).from_cache);
  ASSERT_NE(cache_.path_of(other), path_);
  std::filesystem::copy_file(cache_.path_of(other), path_, std::filesystem::copy_options::overwrite_existing);
  expect_rebuilt("another circuit: cuzk circuits 1: window 4KiB");
  // The right circuit as another version of the program would have written it.
  ASSERT_TRUE(write_r1cs_file(record_circuit(circuit_), "cuzk circuits 0: window 2KiB", path_).is_ok());
  expect_rebuilt("another circuit: cuzk circuits 0");
}

TEST_F(CircuitCacheTest, AFolderThatCannotBeWrittenIsNoFailure) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ / "below") << "a file where the folder should be";
  expect_get(false);
  EXPECT_NE(note_, "");
  expect_get(false);
  // A folder under the file's name can be neither read nor replaced.
  std::filesystem::remove(folder_ / "below");
  std::filesystem::create_directories(path_ / "in the way");
  expect_get(false);
  EXPECT_NE(note_.find("rename"), std::string::npos) << note_;
}

TEST_F(CircuitCacheTest, WithoutAFolderEveryUseRecords) {
  const CircuitCache none{{}};
  EXPECT_EQ(none.path_of(circuit_), "");
  for (int i = 0; i < 2; ++i) {
    const CachedCircuit found = none.get(circuit_);
    EXPECT_FALSE(found.from_cache);
    EXPECT_EQ(found.note, "");
    EXPECT_EQ(found.r1cs.num_constraints(), record_circuit(circuit_).num_constraints());
  }
}

TEST(CircuitCacheNames, EveryCircuitHasItsOwn) {
  const CircuitCache cache{"/cache"};
  std::vector<std::filesystem::path> paths;
  for (const CircuitParameters& circuit : all_circuit_parameters()) paths.push_back(cache.path_of(circuit));
  std::sort(paths.begin(), paths.end());
  EXPECT_EQ(std::adjacent_find(paths.begin(), paths.end()), paths.end());
}

TEST(CircuitCacheDirectory, FollowsTheEnvironment) {
  ::setenv("CUZK_CACHE_DIR", "relative/own", 1);
  ::setenv("XDG_CACHE_HOME", "/xdg", 1);
  const std::string home = std::filesystem::temp_directory_path();
  ::setenv("HOME", home.c_str(), 1);
  EXPECT_EQ(CircuitCache::default_directory(), "relative/own");
  ::setenv("CUZK_CACHE_DIR", "", 1);
  EXPECT_EQ(CircuitCache::default_directory(), "") << "switched off";
  ::unsetenv("CUZK_CACHE_DIR");
  EXPECT_EQ(CircuitCache::default_directory(), "/xdg/cuzk");
  ::setenv("XDG_CACHE_HOME", "xdg", 1);
  EXPECT_EQ(CircuitCache::default_directory(), home + "/.cache/cuzk");
  ::unsetenv("XDG_CACHE_HOME");
  ::setenv("HOME", "/no such home", 1);
  EXPECT_EQ(CircuitCache::default_directory(), "");
  ::setenv("HOME", "", 1);
  EXPECT_EQ(CircuitCache::default_directory(), "");
}

}  // namespace
}  // namespace cuzk
