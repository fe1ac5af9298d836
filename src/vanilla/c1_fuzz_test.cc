// Damaged C1 text: never a crash, never an endless loop, always either an error or an object of the right
// shape. The loops are deterministic; a seed from the environment variable CUZK_FUZZ_SEED replaces the
// built-in one, CUZK_FUZZ_ROUNDS their length.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "vanilla/base64.h"
#include "vanilla/c1_test_data.h"
#include "vanilla/c1_validate.h"

namespace cuzk {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

// Prints itself when the test fails.
class Fuzzer {
 public:
  Fuzzer() : seed_(from_environment("CUZK_FUZZ_SEED", 20240607)), random_(seed_) {
    std::printf("CUZK_FUZZ_SEED=%llu\n", static_cast<unsigned long long>(seed_));
  }
  std::uint64_t rounds(std::uint64_t otherwise) const {
    return from_environment("CUZK_FUZZ_ROUNDS", otherwise);
  }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

 private:
  std::uint64_t seed_;
  std::mt19937_64 random_;
};

std::string inner_text(const std::string& name) {
  const auto wrapper = nlohmann::ordered_json::parse(read_test_data(name));
  const auto bytes = decode_base64(wrapper["Phase1Out"].get<std::string>()).value();
  return {bytes.begin(), bytes.end()};
}

std::string wrap(std::string_view inner, std::uint64_t sector_size) {
  return "{\"SectorNum\":1,\"Phase1Out\":\"" + encode_base64(inner) +
         "\",\"SectorSize\":" + std::to_string(sector_size) + "}";
}

bool is_refused(std::string_view text) {
  const Result<C1> c1 = parse_c1(bytes_of(text));
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
  const Result<C1> c1 = parse_c1(bytes_of(text));
  if (!c1.is_ok()) return;
  ++parsed;
  if (parsed % 16 == 0) validate_c1(c1.value(), {.miner_id = 1000});
}

TEST(C1Fuzz, ByteFlipsOfTheInnerText) {
  Fuzzer fuzzer;
  const std::string inner = inner_text("c1-32KiB-v1_1-1.json");
  std::uint64_t parsed = 0;
  const std::uint64_t rounds = fuzzer.rounds(1500);
  for (std::uint64_t i = 0; i < rounds; ++i) {
    std::string damaged = inner;
    const std::size_t flips = 1 + fuzzer.below(3);
    for (std::size_t k = 0; k < flips; ++k)
      damaged[fuzzer.below(damaged.size())] = static_cast<char>(fuzzer.below(256));
    expect_survived(wrap(damaged, 32768), parsed);
  }
  EXPECT_LT(parsed, rounds);
}

// Characters that mean something to JSON, put in place of, before or instead of what was there.
TEST(C1Fuzz, StructuralDamage) {
  Fuzzer fuzzer;
  constexpr std::string_view kMeaningful = "[]{}:,\"\\0123456789.-+eE tfnu/";
  const std::string inner = inner_text("c1-16KiB-v1_1-1.json");
  std::uint64_t parsed = 0;
  for (std::uint64_t i = 0; i < fuzzer.rounds(1500); ++i) {
    std::string damaged = inner;
    for (std::size_t k = 1 + fuzzer.below(4); k > 0; --k) {
      const std::size_t at = fuzzer.below(damaged.size());
      const char character = kMeaningful[fuzzer.below(kMeaningful.size())];
      switch (fuzzer.below(4)) {
        case 0:
          damaged[at] = character;
          break;
        case 1:
          damaged.insert(at, 1, character);
          break;
        case 2:
          damaged.erase(at, 1 + fuzzer.below(20));
          break;
        default:
          damaged.insert(at, damaged.substr(fuzzer.below(damaged.size()), fuzzer.below(50)));
          break;
      }
    }
    expect_survived(wrap(damaged, 16384), parsed);
  }
}

TEST(C1Fuzz, ByteFlipsOfTheWrapper) {
  Fuzzer fuzzer;
  const std::string wrapper = read_test_data("c1-2KiB-v1-4.json");
  std::uint64_t parsed = 0;
  for (std::uint64_t i = 0; i < fuzzer.rounds(1500); ++i) {
    std::string damaged = wrapper;
    // Half of the flips near the ends, where the wrapper's own text is.
    std::size_t at = fuzzer.below(damaged.size());
    if (i % 4 == 0) at = fuzzer.below(40);
    if (i % 4 == 1) at = damaged.size() - 1 - fuzzer.below(24);
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
