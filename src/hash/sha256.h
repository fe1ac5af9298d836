// SHA-256 outside a circuit, and the two derived forms that Filecoin uses: truncated to 254 bits, and the
// node of TreeD.
#pragma once

#include <span>
#include <string_view>

#include "base/bytes.h"

namespace cuzk {

// Clears the two most significant bits of the last byte: the result, read little-endian, is below 2^254 and
// so a field element.
inline Bytes32 truncate_254(Bytes32 digest) noexcept {
  digest[31] &= 0x3f;
  return digest;
}

Bytes32 sha256(std::span<const std::uint8_t> message) noexcept;

// truncate_254 of the SHA-256 of both nodes, one after the other.
Bytes32 sha256_node(const Bytes32& left, const Bytes32& right) noexcept;

// A message in pieces. One object makes one digest.
class Sha256 {
 public:
  Sha256() noexcept;
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  Sha256& update(std::span<const std::uint8_t> bytes) noexcept;
  Sha256& update(std::string_view text) noexcept;
  Sha256& update_u64_le(std::uint64_t value) noexcept;
  Sha256& update_u64_be(std::uint64_t value) noexcept;
  Sha256& update_u32_le(std::uint32_t value) noexcept;
  Sha256& update_u32_be(std::uint32_t value) noexcept;
  // Once, as the last call.
  Bytes32 digest() noexcept;

 private:
  void* context_;  // EVP_MD_CTX
};

}  // namespace cuzk
