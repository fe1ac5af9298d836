// Damaged C1 text (support/byte_fuzzer.h): never a crash, never an endless loop, never much memory, always either an error or an
// object of the right shape.
#include <gtest/gtest.h>

#include "support/allocation_watch.h"
#include "support/byte_fuzzer.h"
#include "vanilla/base64.h"
#include "vanilla/c1_test_data.h"
#include "vanilla/c1_validate.h"

namespace cuzk {
namespace {

// Beyond a multiple of the text.
constexpr std::size_t kSlackBytes = std::size_t{1} << 20;

std::string inner_text(const std::string& name) {
  const auto wrapper = nlohmann::ordered_json::parse(read_test_data(name));
  const auto bytes = decode_base64(wrapper["Phase1Out"].get<std::string>()).value();
  return {bytes.begin(), bytes.end()};
}

std::string wrap(std::string_view inner, std::uint64_t sector_size) {
  return "{\"SectorNum\":1,\"Phase1Out\":\"" + encode_base64(inner) +
         "\",\"SectorSize\":" + std::to_string(sector_size) + "}";
}

// A JSON number, "0,", of two bytes becomes a field element's share of a byte in the worst case; the text itself is held twice.
Result<C1> parse_within_bounds(std::string_view text) {
  const AllocationWatch memory;
  Result<C1> c1 = parse_c1(bytes_of(text));
  EXPECT_LT(memory.peak_bytes(), 8 * text.size() + kSlackBytes);
  return c1;
}

bool is_refused(std::string_view text) {
  const Result<C1> c1 = parse_within_bounds(text);
  EXPECT_TRUE(c1.is_ok() || c1.status().code() == StatusCode::invalid_argument);
  EXPECT_TRUE(c1.is_ok() || !c1.status().message().empty());
  return !c1.is_ok();
}

TEST(C1Fuzz, EveryTruncationIsRefused) {
  const std::string wrapper = read_test_data("c1-2KiB-v1-4.json");
  for (std::size_t length = 0; length < wrapper.size();
       length += length < 300 || length + 300 > wrapper.size() ? 1 : 1009) {
    ASSERT_TRUE(is_refused(std::string_view(wrapper).substr(0, length))) << length;
  }
  const std::string inner = inner_text("c1-2KiB-v1-4.json");
  for (std::size_t length = 0; length < inner.size();
       length += length < 300 || length + 300 > inner.size() ? 1 : 499) {
    ASSERT_TRUE(is_refused(wrap(std::string_view(inner).substr(0, length), 2048))) << length;
  }
}

// A successful parse of damaged text still has the promised shape: validation walks all of it.
void expect_survived(const std::string& text, std::uint64_t& parsed) {
  const Result<C1> c1 = parse_within_bounds(text);
  if (!c1.is_ok()) return;
  ++parsed;
  if (parsed % 16 == 0) validate_c1(c1.value(), {.miner_id = 1000});
}

TEST(C1Fuzz, ByteFlipsOfTheInnerText) {
  ByteFuzzer fuzzer(1500);
  const std::string inner = inner_text("c1-32KiB-v1_1-1.json");
  std::uint64_t parsed = 0;
  while (fuzzer.next()) {
    std::string damaged = inner;
    const std::size_t flips = 1 + fuzzer.below(3);
    for (std::size_t k = 0; k < flips; ++k)
      damaged[fuzzer.below(damaged.size())] = static_cast<char>(fuzzer.below(256));
    expect_survived(wrap(damaged, 32768), parsed);
  }
  EXPECT_LT(parsed, fuzzer.round());
}

// What means something to JSON and to this reader, put in or in place of what was there.
constexpr std::string_view kWords =
    "[ ] { } : , \" \\ \\u0000 \\ud800 null true -1 256 1e999 0.5 18446744073709551615 18446744073709551616 "
    "[] {} [[[[ "
    "\"comm_r\": \"vanilla_proofs\": \"Sub\": \"inclusion_path\": \xff \n";

TEST(C1Fuzz, StructuralDamage) {
  ByteFuzzer fuzzer(1500);
  const std::string inner = inner_text("c1-16KiB-v1_1-1.json");
  std::uint64_t parsed = 0;
  while (fuzzer.next()) expect_survived(wrap(fuzzer.damaged_text(inner, kWords), 16384), parsed);
}

TEST(C1Fuzz, ByteFlipsOfTheWrapper) {
  ByteFuzzer fuzzer(1500);
  const std::string wrapper = read_test_data("c1-2KiB-v1-4.json");
  std::uint64_t parsed = 0;
  while (fuzzer.next()) {
    std::string damaged = wrapper;
    // Half of the flips near the ends, where the wrapper's own text is.
    std::size_t at = fuzzer.below(damaged.size());
    if (fuzzer.round() % 4 == 0) at = fuzzer.below(40);
    if (fuzzer.round() % 4 == 1) at = damaged.size() - 1 - fuzzer.below(24);
    damaged[at] = static_cast<char>(fuzzer.below(256));
    expect_survived(damaged, parsed);
  }
}

std::string repeated(std::string_view piece, std::size_t count) {
  std::string out;
  out.reserve(piece.size() * count);
  while (count-- > 0) out += piece;
  return out;
}

TEST(C1Fuzz, StructuralDamageOfTheWrapper) {
  ByteFuzzer fuzzer(1500);
  const std::string wrapper = read_test_data("c1-2KiB-v1-4.json");
  std::uint64_t parsed = 0;
  while (fuzzer.next()) expect_survived(fuzzer.damaged_text(wrapper, kWords), parsed);
}

TEST(C1Fuzz, DepthBombs) {
  constexpr std::size_t kDepth = 1000000;
  const std::string arrays = repeated("[", kDepth);
  const std::string objects = repeated("{\"a\":", kDepth);
  const std::string closed = arrays + repeated("]", kDepth);
  for (const std::string& bomb : {arrays, objects, closed, objects + "1" + repeated("}", kDepth)}) {
    EXPECT_TRUE(is_refused(bomb));
    EXPECT_TRUE(is_refused("{\"x\":" + bomb + "}"));
    EXPECT_TRUE(is_refused("{\"SectorNum\":" + bomb));
    EXPECT_TRUE(is_refused(wrap(bomb, 2048)));
    EXPECT_TRUE(is_refused(wrap("{\"vanilla_proofs\":{\"StackedDrg2KiBV1\":" + bomb + "}}", 2048)));
    EXPECT_TRUE(is_refused(wrap("{\"unknown\":" + bomb + ",\"comm_r\":" + bomb + "}", 2048)));
  }
}

TEST(C1Fuzz, SizeBombs) {
  const std::string many = repeated("1,", 1000000) + "1";
  EXPECT_TRUE(is_refused("{\"SectorNum\":" + repeated("9", 1000000) + "}"));
  EXPECT_TRUE(is_refused("{\"" + repeated("k", 1000000) + "\":1}"));
  EXPECT_TRUE(is_refused(wrap("{\"comm_r\":[" + many + "]}", 2048)));
  EXPECT_TRUE(is_refused(wrap("{\"vanilla_proofs\":{\"StackedDrg2KiBV1\":[" + many + "]}}", 2048)));
  EXPECT_TRUE(is_refused(
      wrap("{\"vanilla_proofs\":{\"StackedDrg2KiBV1\":[" + repeated("[],", 100000) + "[]]}}", 2048)));
  EXPECT_TRUE(is_refused(wrap("{\"registered_proof\":\"" + repeated("x", 1000000) + "\"}", 2048)));
  EXPECT_TRUE(is_refused("{\"SectorSize\":18446744073709551616,\"SectorNum\":1,\"Phase1Out\":\"e30=\"}"));
  // An error repeats only the head of what it refuses.
  const Result<C1> c1 =
      parse_c1(bytes_of(wrap("{\"registered_proof\":\"" + repeated("x", 1000000) + "\"}", 2048)));
  EXPECT_LT(c1.status().message().size(), 300u);
}

}  // namespace
}  // namespace cuzk
