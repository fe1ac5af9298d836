// Damaged settings (support/byte_fuzzer.h): refused with a place, or taken and then printed so that they are read again.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "config_file.h"
#include "load_config.h"
#include "scratch_folder.h"
#include "support/allocation_watch.h"
#include "support/byte_fuzzer.h"

namespace cuzk {
namespace {

// A tree of nodes with their places is much larger than its text.
constexpr std::size_t kBytesPerByte = 600;
constexpr std::size_t kSlackBytes = std::size_t{1} << 20;

constexpr std::string_view kWords =
    "[ ] [[ { } = , . # \" ' \"\"\" ''' \\ \\u0000 \\uD800 \n \r \xff \xef\xbb\xbf true -1 0x10 1_000 1e999 "
    "nan inf 1979-05-27 "
    "07:32:00 9223372036854775807 18446744073709551616 [engine] [server] engine.max_jobs max_jobs 1GiB "
    "\"10s\" a.b.c.d [a.b]";

// The example with every key set.
std::string every_key() {
  std::ifstream file(CUZK_EXAMPLE_CONFIG);
  const std::string example{std::istreambuf_iterator<char>(file), {}};
  EXPECT_FALSE(example.empty());
  return std::regex_replace(example, std::regex("(^|\n)#([a-z_]+ = )"), "$1$2");
}

void expect_place_or_values(const std::string& text) {
  const AllocationWatch memory;
  const auto parsed = parse_config_text(text, "cuzk.toml");
  EXPECT_LT(memory.peak_bytes(), kBytesPerByte * text.size() + kSlackBytes);
  if (parsed.is_ok()) return;
  EXPECT_EQ(parsed.status().code(), StatusCode::invalid_argument);
  EXPECT_TRUE(parsed.status().message().starts_with("cuzk.toml:")) << parsed.status().message();
}

TEST(DaemonConfigFuzz, DamagedTextIsRefusedWithAPlaceOrTaken) {
  ByteFuzzer fuzzer(1500);
  const std::string good = every_key();
  while (fuzzer.next()) expect_place_or_values(fuzzer.damaged_text(good, kWords));
}

TEST(DaemonConfigFuzz, DamagedValuesAreRefusedOrPrintedAsTheyAre) {
  ByteFuzzer fuzzer(300);
  const ScratchFolder scratch;
  const std::string path = scratch.file("cuzk.toml");
  // A new file each time: what is cut and written again goes to the disk at once, which takes milliseconds.
  const auto load = [&](const std::string& text) {
    std::filesystem::remove(path);
    write_text(path, text);
    return load_config(path, {}, {});
  };
  const std::string good = every_key();
  std::size_t taken = 0;
  while (fuzzer.next()) {
    const auto loaded = load(fuzzer.damaged_text(good, kWords));
    if (!loaded.is_ok()) continue;
    ++taken;
    const std::string printed = print_config(loaded.value());
    const auto again = load(printed);
    ASSERT_TRUE(again.is_ok()) << again.status().message() << "\n" << printed;
    for (const auto& [name, value] : loaded.value().values)
      EXPECT_EQ(again.value().values.at(name).value, value.value) << name;
  }
  EXPECT_GT(taken, 0u) << "damage in a comment, at least";
}

std::string repeated(std::string_view piece, std::size_t count) {
  std::string out;
  while (count-- > 0) out += piece;
  return out;
}

TEST(DaemonConfigFuzz, BombsAreRefused) {
  constexpr std::size_t kMany = 100000;
  for (const std::string& bomb :
       {"[log]\nfile = " + repeated("[", kMany), "[log]\nfile = " + repeated("{a = ", kMany),
        repeated("a.", kMany) + "b = 1", "[" + repeated("a.", kMany) + "b]", repeated("k", kMany) + " = 1",
        "[log]\nlevel = " + repeated("9", kMany), repeated("[[a]]\n", kMany / 10), repeated("[", kMany),
        "[log]\nlevel = \"" + repeated("x", kMany) + "\""}) {
    const AllocationWatch memory;
    const auto parsed = parse_config_text(bomb, "cuzk.toml");
    EXPECT_LT(memory.peak_bytes(), kBytesPerByte * bomb.size() + kSlackBytes) << bomb.substr(0, 20);
    if (parsed.is_ok()) continue;
    EXPECT_TRUE(parsed.status().message().starts_with("cuzk.toml:")) << bomb.substr(0, 20);
    EXPECT_LT(parsed.status().message().size(), 2 * kMany);
  }
}

TEST(DaemonConfigFuzz, AFileWithoutEndIsRefused) {
  const auto loaded = load_config("/dev/zero", {}, {});
  ASSERT_FALSE(loaded.is_ok());
  EXPECT_NE(loaded.status().message().find("/dev/zero: cannot be read: more than"), std::string::npos)
      << loaded.status().message();
}

}  // namespace
}  // namespace cuzk
