// The ChaCha stream ciphers as random number generators: ChaCha20 in the IETF layout (RFC 8439) with random
// access, and ChaCha8 as the crate rand_chacha 0.3 lays it out, drawn word by word.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/bytes.h"

namespace cuzk {

using ChaChaBlock = std::array<std::uint8_t, 64>;
using ChaChaNonce = std::array<std::uint8_t, 12>;

// Block `counter` of the keystream.
ChaChaBlock chacha20_block(const Bytes32& key, std::uint32_t counter, const ChaChaNonce& nonce) noexcept;

// ChaCha8Rng of rand_chacha 0.3: 64-bit block counter from 0, stream 0; words are read little-endian in
// keystream order.
class ChaCha8Rng {
 public:
  explicit ChaCha8Rng(const Bytes32& seed) noexcept : seed_(seed) {}
  std::uint32_t next_u32() noexcept;
  // Two words, the low one first.
  std::uint64_t next_u64() noexcept;

 private:
  Bytes32 seed_;
  ChaChaBlock block_{};
  std::uint64_t counter_ = 0;
  unsigned position_ = 64;
};

}  // namespace cuzk
