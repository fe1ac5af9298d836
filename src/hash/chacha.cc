#include "hash/chacha.h"

#include <bit>

namespace cuzk {
namespace {

inline void quarter_round(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c, std::uint32_t& d) noexcept {
  a += b;
  d = std::rotl(d ^ a, 16);
  c += d;
  b = std::rotl(b ^ c, 12);
  a += b;
  d = std::rotl(d ^ a, 8);
  c += d;
  b = std::rotl(b ^ c, 7);
}

// `tail` is words 12..15: counter and nonce, divided as the variant wants.
ChaChaBlock chacha_block(const Bytes32& key, const std::array<std::uint32_t, 4>& tail, int rounds) noexcept {
  std::uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (int i = 0; i < 8; ++i) start[4 + i] = load_le<std::uint32_t>(key.data() + 4 * i);
  for (std::size_t i = 0; i < 4; ++i) start[12 + i] = tail[i];
  std::uint32_t x[16];
  std::memcpy(x, start, sizeof(x));
  for (int round = 0; round < rounds; round += 2) {
    quarter_round(x[0], x[4], x[8], x[12]);
    quarter_round(x[1], x[5], x[9], x[13]);
    quarter_round(x[2], x[6], x[10], x[14]);
    quarter_round(x[3], x[7], x[11], x[15]);
    quarter_round(x[0], x[5], x[10], x[15]);
    quarter_round(x[1], x[6], x[11], x[12]);
    quarter_round(x[2], x[7], x[8], x[13]);
    quarter_round(x[3], x[4], x[9], x[14]);
  }
  ChaChaBlock out;
  for (int i = 0; i < 16; ++i) store_le(out.data() + 4 * i, x[i] + start[i]);
  return out;
}

}  // namespace

ChaChaBlock chacha20_block(const Bytes32& key, std::uint32_t counter, const ChaChaNonce& nonce) noexcept {
  return chacha_block(key,
                      {counter, load_le<std::uint32_t>(nonce.data()),
                       load_le<std::uint32_t>(nonce.data() + 4), load_le<std::uint32_t>(nonce.data() + 8)},
                      20);
}

std::uint32_t ChaCha8Rng::next_u32() noexcept {
  if (position_ == block_.size()) {
    block_ = chacha_block(
        seed_, {static_cast<std::uint32_t>(counter_), static_cast<std::uint32_t>(counter_ >> 32), 0, 0}, 8);
    ++counter_;
    position_ = 0;
  }
  const auto word = load_le<std::uint32_t>(block_.data() + position_);
  position_ += 4;
  return word;
}

std::uint64_t ChaCha8Rng::next_u64() noexcept {
  const std::uint64_t low = next_u32();
  return low | (std::uint64_t{next_u32()} << 32);
}

}  // namespace cuzk
