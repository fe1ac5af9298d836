#include "base/bytes.h"

namespace cuzk {
namespace {

int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string to_hex(std::span<const std::uint8_t> bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

Result<std::vector<std::uint8_t>> from_hex(std::string_view hex) {
  if (hex.size() % 2 != 0) {
    return invalid_argument("hexadecimal text has an odd number of digits (" + std::to_string(hex.size()) +
                            ")");
  }
  std::vector<std::uint8_t> bytes(hex.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = hex_digit(hex[2 * i]);
    const int low = hex_digit(hex[2 * i + 1]);
    if (high < 0 || low < 0) {
      return invalid_argument("character " + std::to_string(high < 0 ? 2 * i : 2 * i + 1) +
                              " is not a hexadecimal digit");
    }
    bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return bytes;
}

Result<Bytes32> bytes32_from_hex(std::string_view hex) {
  if (hex.size() != 64) {
    return invalid_argument("expected 64 hexadecimal digits (32 bytes), found " + std::to_string(hex.size()));
  }
  CUZK_ASSIGN(const auto bytes, from_hex(hex));
  Bytes32 out;
  std::memcpy(out.data(), bytes.data(), out.size());
  return out;
}

}  // namespace cuzk
