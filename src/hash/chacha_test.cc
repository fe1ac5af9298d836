#include "hash/chacha.h"

#include <gtest/gtest.h>

namespace cuzk {
namespace {

TEST(ChaCha20, Rfc8439Section232) {
  Bytes32 key;
  for (std::size_t i = 0; i < 32; ++i) key[i] = static_cast<std::uint8_t>(i);
  const ChaChaNonce nonce = {0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0};
  EXPECT_EQ(to_hex(chacha20_block(key, 1, nonce)),
            "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4ed2826446079faa0914c2d705d98b02a2"
            "b5129cd1de16"
            "4eb9cbd083e8a2503c4e");
}

TEST(ChaCha8, ZeroSeed) {  // draft-strombergson-chacha-test-vectors-01, TC1, 256-bit key, 8 rounds
  ChaCha8Rng rng(Bytes32{});
  EXPECT_EQ(rng.next_u32(), 0x2fef003eu);
  EXPECT_EQ(rng.next_u32(), 0xd6405f89u);
  EXPECT_EQ(rng.next_u64(), 0xa1a5091fe8b85b7full);
}

TEST(ChaCha8, CrossesBlocks) {
  ChaCha8Rng words(Bytes32{});
  ChaCha8Rng doubles(Bytes32{});
  words.next_u32();
  doubles.next_u32();
  for (int i = 0; i < 40; ++i) {
    const std::uint64_t low = words.next_u32();
    const std::uint64_t high = words.next_u32();
    EXPECT_EQ(doubles.next_u64(), low | (high << 32));
  }
}

}  // namespace
}  // namespace cuzk
