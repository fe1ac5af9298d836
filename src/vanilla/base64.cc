#include "vanilla/base64.h"

#include <array>
#include <string>

namespace cuzk {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint32_t kInvalid = 0x80;

constexpr std::array<std::uint8_t, 256> make_values() {
  std::array<std::uint8_t, 256> values{};
  values.fill(kInvalid);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}
constexpr std::array<std::uint8_t, 256> kValues = make_values();

std::uint32_t value_of(char character) noexcept {
  return kValues[static_cast<unsigned char>(character)];
}

Status bad_character(std::string_view text, std::size_t from) {
  while (from < text.size() && value_of(text[from]) != kInvalid) ++from;
  return invalid_argument("not base64 at character " + std::to_string(from));
}

// The last one to three bytes, from the last four characters.
Status decode_tail(std::string_view text, std::uint8_t* out) {
  const std::size_t at = text.size() - 4;
  const std::size_t padding = text[at + 3] != '=' ? 0 : text[at + 2] != '=' ? 1 : 2;
  std::uint32_t group = 0;
  for (std::size_t i = 0; i < 4 - padding; ++i) {
    const std::uint32_t value = value_of(text[at + i]);
    if (value == kInvalid) return bad_character(text, at + i);
    group |= value << (18 - 6 * i);
  }
  if ((group & ((1u << (8 * padding)) - 1)) != 0)
    return invalid_argument("base64 ends in bits that are not zero");
  for (std::size_t i = 0; i < 3 - padding; ++i) out[i] = static_cast<std::uint8_t>(group >> (16 - 8 * i));
  return Status::ok();
}

}  // namespace

Result<std::vector<std::uint8_t>> decode_base64(std::string_view text, std::size_t slack) {
  if (text.size() % 4 != 0) {
    return invalid_argument("base64 of " + std::to_string(text.size()) +
                            " characters, which is no multiple of four");
  }
  if (text.empty()) return std::vector<std::uint8_t>(slack);
  const std::size_t padding = !text.ends_with('=') ? 0 : !text.ends_with("==") ? 1 : 2;
  std::vector<std::uint8_t> bytes(text.size() / 4 * 3 - padding + slack);
  std::uint8_t* out = bytes.data();
  for (std::size_t at = 0; at + 4 < text.size(); at += 4, out += 3) {
    const std::uint32_t a = value_of(text[at]);
    const std::uint32_t b = value_of(text[at + 1]);
    const std::uint32_t c = value_of(text[at + 2]);
    const std::uint32_t d = value_of(text[at + 3]);
    if (((a | b | c | d) & kInvalid) != 0) [[unlikely]]
      return bad_character(text, at);
    const std::uint32_t group = (a << 18) | (b << 12) | (c << 6) | d;
    out[0] = static_cast<std::uint8_t>(group >> 16);
    out[1] = static_cast<std::uint8_t>(group >> 8);
    out[2] = static_cast<std::uint8_t>(group);
  }
  CUZK_TRY(decode_tail(text, out));
  return bytes;
}

}  // namespace cuzk
