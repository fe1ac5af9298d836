#include "hash/sha256.h"

#include <gtest/gtest.h>

#include <thread>

namespace cuzk {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

TEST(Sha256, FipsVectors) {  // FIPS 180-4 examples
  EXPECT_EQ(to_hex(sha256({})), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(to_hex(sha256(bytes_of("abc"))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(to_hex(sha256(bytes_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, PiecesAndIntegersEqualTheWhole) {
  const std::vector<std::uint8_t> whole = {'a', 'b', 1, 2, 3, 4, 4, 3, 2, 1, 0, 0, 0,
                                           0,   0,   0, 0, 7, 8, 0, 0, 0, 0, 0, 0, 0};
  Sha256 pieces;
  pieces.update("ab").update_u32_be(0x01020304).update_u32_le(0x01020304).update_u64_be(7).update_u64_le(8);
  EXPECT_EQ(pieces.digest(), sha256(whole));
}

TEST(Sha256, ObjectsMayBeNestedAndShared) {
  Sha256 outer;
  outer.update("a");
  const Bytes32 inner = sha256(bytes_of("abc"));
  outer.update("bc");
  EXPECT_EQ(outer.digest(), inner);
  Bytes32 other{};
  std::thread([&] { other = sha256(bytes_of("abc")); }).join();
  EXPECT_EQ(other, inner);
}

TEST(Sha256, NodeIsTruncated) {
  // Filecoin's zero piece commitment of 64 bytes: the node over two zero leaves.
  EXPECT_EQ(to_hex(sha256_node({}, {})), "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb0b");
  Bytes32 ones;
  ones.fill(0xff);
  EXPECT_EQ(truncate_254(ones)[31], 0x3f);
  EXPECT_EQ(truncate_254(ones)[30], 0xff);
}

}  // namespace
}  // namespace cuzk
