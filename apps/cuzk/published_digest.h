// The digest under which the network publishes a parameter file or key: the first 128 bits of BLAKE2b-512, in hexadecimal.
#pragma once

#include <span>
#include <string>

#include "base/bytes.h"
#include "hash/blake2b.h"

namespace cuzk {

inline std::string published_digest(std::span<const std::uint8_t> bytes) {
  const auto digest = blake2b_512(bytes);
  return to_hex(std::span(digest).first(16));
}

}  // namespace cuzk
