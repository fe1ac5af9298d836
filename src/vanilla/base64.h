// Base64 (RFC 4648 section 4: standard alphabet, padded), decoded strictly.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace cuzk {

// The bytes, followed by `slack` zero bytes that a parser may read beyond the end. invalid_argument for a
// length that is not a multiple of four, a character outside the alphabet (white space too), misplaced
// padding, or bits left over that are not zero.
Result<std::vector<std::uint8_t>> decode_base64(std::string_view text, std::size_t slack = 0);

}  // namespace cuzk
