#include "hash/blake2b.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/check.h"

namespace cuzk {
namespace {

constexpr std::size_t kBlock = 128;

constexpr std::array<std::uint64_t, 8> kIv = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                              0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                              0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

constexpr std::uint8_t kSigma[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                         {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                         {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                         {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                         {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                         {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                         {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                         {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                         {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                         {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

inline void mix(std::uint64_t& a, std::uint64_t& b, std::uint64_t& c, std::uint64_t& d, std::uint64_t x,
                std::uint64_t y) noexcept {
  a += b + x;
  d = std::rotr(d ^ a, 32);
  c += d;
  b = std::rotr(b ^ c, 24);
  a += b + y;
  d = std::rotr(d ^ a, 16);
  c += d;
  b = std::rotr(b ^ c, 63);
}

}  // namespace

Blake2b::Blake2b(std::size_t digest_length, std::span<const std::uint8_t> key) noexcept
    : h_(kIv), digest_length_(digest_length) {
  CUZK_CHECK(digest_length >= 1 && digest_length <= 64 && key.size() <= 64,
             "a BLAKE2b parameter is out of range");
  h_[0] ^= 0x01010000 ^ (key.size() << 8) ^ digest_length;
  if (key.empty()) return;
  std::copy(key.begin(), key.end(), buffer_.begin());
  buffered_ = kBlock;
}

void Blake2b::compress(const std::uint8_t* block, bool last) noexcept {
  std::uint64_t m[16];
  for (int i = 0; i < 16; ++i) m[i] = load_le<std::uint64_t>(block + 8 * i);
  std::uint64_t v[16];
  std::copy(h_.begin(), h_.end(), v);
  std::copy(kIv.begin(), kIv.end(), v + 8);
  v[12] ^= total_;
  if (last) v[14] = ~v[14];
  for (int round = 0; round < 12; ++round) {
    const std::uint8_t* s = kSigma[round % 10];
    mix(v[0], v[4], v[8], v[12], m[s[0]], m[s[1]]);
    mix(v[1], v[5], v[9], v[13], m[s[2]], m[s[3]]);
    mix(v[2], v[6], v[10], v[14], m[s[4]], m[s[5]]);
    mix(v[3], v[7], v[11], v[15], m[s[6]], m[s[7]]);
    mix(v[0], v[5], v[10], v[15], m[s[8]], m[s[9]]);
    mix(v[1], v[6], v[11], v[12], m[s[10]], m[s[11]]);
    mix(v[2], v[7], v[8], v[13], m[s[12]], m[s[13]]);
    mix(v[3], v[4], v[9], v[14], m[s[14]], m[s[15]]);
  }
  for (std::size_t i = 0; i < 8; ++i) h_[i] ^= v[i] ^ v[i + 8];
}

// The buffer is compressed only when more follows: the last block, full or not, is marked.
Blake2b& Blake2b::update(std::span<const std::uint8_t> bytes) noexcept {
  while (!bytes.empty()) {
    if (buffered_ == kBlock) {
      total_ += kBlock;
      compress(buffer_.data(), false);
      buffered_ = 0;
    }
    const std::size_t taken = std::min(bytes.size(), kBlock - buffered_);
    std::memcpy(buffer_.data() + buffered_, bytes.data(), taken);
    buffered_ += taken;
    bytes = bytes.subspan(taken);
  }
  return *this;
}

void Blake2b::digest(std::span<std::uint8_t> out) noexcept {
  CUZK_CHECK(out.size() == digest_length_, "the digest has the length given at the start");
  total_ += buffered_;
  std::fill(buffer_.begin() + static_cast<std::ptrdiff_t>(buffered_), buffer_.end(), std::uint8_t{0});
  compress(buffer_.data(), true);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint8_t>(h_[i / 8] >> (8 * (i % 8)));
}

Bytes32 blake2b_256(std::span<const std::uint8_t> key, std::span<const std::uint8_t> data) noexcept {
  Bytes32 out;
  Blake2b(32, key).update(data).digest(out);
  return out;
}

std::array<std::uint8_t, 64> blake2b_512(std::span<const std::uint8_t> data) noexcept {
  std::array<std::uint8_t, 64> out;
  Blake2b(64).update(data).digest(out);
  return out;
}

}  // namespace cuzk
