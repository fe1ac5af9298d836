// Byte strings: hexadecimal text and fixed-width integers in either order.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace cuzk {

// 32 bytes: a commitment, a domain element, a ticket, a digest. Meaning and order are the owner's.
using Bytes32 = std::array<std::uint8_t, 32>;

// Lower-case hexadecimal, two digits a byte, no prefix.
std::string to_hex(std::span<const std::uint8_t> bytes);
// Accepts upper and lower case and no prefix; an odd length or another character is invalid_argument.
Result<std::vector<std::uint8_t>> from_hex(std::string_view hex);
// from_hex of exactly 64 digits.
Result<Bytes32> bytes32_from_hex(std::string_view hex);

template <typename T>
inline T load_le(const std::uint8_t* bytes) noexcept {
  T value = 0;
  for (std::size_t i = sizeof(T); i-- > 0;) value = static_cast<T>((value << 8) | bytes[i]);
  return value;
}
template <typename T>
inline T load_be(const std::uint8_t* bytes) noexcept {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) value = static_cast<T>((value << 8) | bytes[i]);
  return value;
}
template <typename T>
inline void store_le(std::uint8_t* bytes, T value) noexcept {
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<std::uint8_t>(value >> (8 * i));
}
template <typename T>
inline void store_be(std::uint8_t* bytes, T value) noexcept {
  for (std::size_t i = 0; i < sizeof(T); ++i)
    bytes[sizeof(T) - 1 - i] = static_cast<std::uint8_t>(value >> (8 * i));
}

}  // namespace cuzk
