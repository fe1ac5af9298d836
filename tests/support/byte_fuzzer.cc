#include "support/byte_fuzzer.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace cuzk {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

constexpr std::size_t kLongestPiece = 64;

}  // namespace

ByteFuzzer::ByteFuzzer(std::uint64_t rounds)
    : rounds_(rounds), at_least_(from_environment("CUZK_FUZZ_SECONDS", 0)) {
  const std::uint64_t seed = from_environment("CUZK_FUZZ_SEED", 20240607);
  random_.seed(seed);
  std::printf("CUZK_FUZZ_SEED=%llu\n", static_cast<unsigned long long>(seed));
  std::fflush(stdout);  // to be there after a crash
}

bool ByteFuzzer::next() {
  const bool enough =
      at_least_.count() == 0 ? round_ >= rounds_ : std::chrono::steady_clock::now() - begin_ >= at_least_;
  if (enough && at_least_.count() != 0) std::printf("%llu rounds\n", static_cast<unsigned long long>(round_));
  round_ += enough ? 0 : 1;
  return !enough;
}

template <class Sequence>
void ByteFuzzer::damage_once(Sequence& bytes) {
  using Byte = typename Sequence::value_type;
  const std::size_t at = below(bytes.size());
  const std::size_t length = std::min(1 + below(kLongestPiece), bytes.size() - at);
  const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
  switch (below(8)) {
    case 0:
      bytes.erase(place, place + static_cast<std::ptrdiff_t>(length));
      break;
    case 1: {
      const Sequence piece(place, place + static_cast<std::ptrdiff_t>(length));
      const std::size_t to = below(bytes.size() + 1);
      bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(to), piece.begin(), piece.end());
      break;
    }
    case 2:
      bytes.insert(place, length, static_cast<Byte>(random_()));
      break;
    case 3:
      bytes.resize(below(4) == 0 ? at : bytes.size() - std::min(bytes.size(), below(16)));
      break;
    case 4:
      bytes.resize(bytes.size() + 1 + below(kLongestPiece), static_cast<Byte>(random_()));
      break;
    case 5:
      *place = static_cast<Byte>(random_());
      break;
    default:
      *place = static_cast<Byte>(*place ^ static_cast<Byte>(1u << below(8)));
      break;
  }
}

void ByteFuzzer::overwrite_number(Bytes& bytes, std::span<const std::size_t> lengths) {
  std::size_t at = below(bytes.size());
  if (!lengths.empty() && below(4) != 0) at = std::min(lengths[below(lengths.size())], bytes.size() - 1);
  const std::uint64_t large[] = {0x7fffffff,
                                 0xffffffff,
                                 0x80000000,
                                 std::uint64_t{1} << 32,
                                 std::uint64_t{1} << 59,
                                 std::uint64_t{1} << 60,
                                 std::uint64_t{1} << 63,
                                 ~std::uint64_t{0}};
  const std::uint64_t value = below(2) == 0 ? large[below(std::size(large))] : random_() >> below(64);
  const std::size_t width = below(2) == 0 ? 4 : 8;
  const bool big_endian = below(2) == 0;
  for (std::size_t i = 0; i < width && at + i < bytes.size(); ++i)
    bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * (big_endian ? width - 1 - i : i)));
}

ByteFuzzer::Bytes ByteFuzzer::damaged(std::span<const std::uint8_t> good,
                                      std::span<const std::size_t> lengths) {
  Bytes bytes(good.begin(), good.end());
  for (std::size_t changes = 1 + below(4); changes > 0 && !bytes.empty(); --changes) {
    switch (below(3)) {
      case 0:
        overwrite_number(bytes, lengths);
        break;
      case 1:
        if (!lengths.empty()) {
          const std::size_t at = std::min(lengths[below(lengths.size())] + below(8), bytes.size() - 1);
          bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ (1u << below(8)));
          break;
        }
        [[fallthrough]];
      default:
        damage_once(bytes);
        break;
    }
  }
  return bytes;
}

std::string_view ByteFuzzer::any_word(std::string_view words) {
  const std::size_t space = words.rfind(' ', below(words.size()));
  const std::size_t begin = space == std::string_view::npos ? 0 : space + 1;
  return words.substr(begin, words.find(' ', begin) - begin);
}

std::string ByteFuzzer::damaged_text(std::string_view good, std::string_view words) {
  std::string text(good);
  for (std::size_t changes = 1 + below(4); changes > 0 && !text.empty(); --changes) {
    if (below(2) == 0) {
      damage_once(text);
      continue;
    }
    const std::size_t at = below(text.size());
    text.replace(at, below(2) == 0 ? 0 : below(16), any_word(words));
  }
  return text;
}

}  // namespace cuzk
