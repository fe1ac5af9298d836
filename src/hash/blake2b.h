// BLAKE2b (RFC 7693) with any digest length and an optional key. OpenSSL 3.0 offers the unkeyed form at 64
// bytes only and the keyed one through an allocation per message, so the function is written out here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bytes.h"

namespace cuzk {

// A message in pieces. One object makes one digest.
class Blake2b {
 public:
  // digest_length 1..64, key of at most 64 bytes, empty for none (both checked).
  explicit Blake2b(std::size_t digest_length, std::span<const std::uint8_t> key = {}) noexcept;

  Blake2b& update(std::span<const std::uint8_t> bytes) noexcept;
  // Once, as the last call. out.size() must be digest_length (checked).
  void digest(std::span<std::uint8_t> out) noexcept;

 private:
  void compress(const std::uint8_t* block, bool last) noexcept;

  std::array<std::uint64_t, 8> h_;
  std::array<std::uint8_t, 128> buffer_{};
  std::size_t buffered_ = 0;
  std::uint64_t total_ = 0;  // bytes compressed so far; no message here reaches 2^64
  std::size_t digest_length_;
};

// BLAKE2b-256 of the data under a key.
Bytes32 blake2b_256(std::span<const std::uint8_t> key, std::span<const std::uint8_t> data) noexcept;
// BLAKE2b-512 without a key.
std::array<std::uint8_t, 64> blake2b_512(std::span<const std::uint8_t> data) noexcept;

}  // namespace cuzk
