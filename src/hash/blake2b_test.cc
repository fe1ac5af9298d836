#include "hash/blake2b.h"

#include <gtest/gtest.h>

#include "hash/sha256.h"

namespace cuzk {
namespace {

std::vector<std::uint8_t> counting(std::size_t length, unsigned modulus = 256) {
  std::vector<std::uint8_t> out(length);
  for (std::size_t i = 0; i < length; ++i) out[i] = static_cast<std::uint8_t>(i % modulus);
  return out;
}

TEST(Blake2b, Rfc7693) {
  const std::vector<std::uint8_t> abc = {'a', 'b', 'c'};
  EXPECT_EQ(to_hex(blake2b_512(abc)),
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc95"
            "18d38aa8dbf1"
            "925ab92386edd4009923");
  EXPECT_EQ(to_hex(blake2b_512({})),
            "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419d25e1031afee585313896444934eb04b"
            "903a685b1448"
            "b755d56f701afe9be2ce");
}

TEST(Blake2b,
     Keyed256) {  // Python's hashlib.blake2b(bytes(range(200)), digest_size=32, key=bytes(range(42)))
  EXPECT_EQ(to_hex(blake2b_256(counting(42), counting(200))),
            "7317b288b0bd69826c6128188e638a2376f2c0aeebab880280cdd101ddcdfa32");
}

// SHA-256 over hashlib.blake2b(bytes(i % 251 for i in range(n)), digest_size=1 + n % 64, key=bytes(range(n %
// 65))) for n = 0..299: every digest and key length, block borders included.
TEST(Blake2b, AllLengths) {
  Sha256 all;
  for (std::size_t n = 0; n < 300; ++n) {
    std::vector<std::uint8_t> digest(1 + n % 64);
    Blake2b(digest.size(), counting(n % 65)).update(counting(n, 251)).digest(digest);
    all.update(digest);
  }
  EXPECT_EQ(to_hex(all.digest()), "0eba2bcebe055429d7bfea0fbb26c079f90ded71e3a2f4aeec6a30ea1396f4b1");
}

TEST(Blake2b, PiecesEqualTheWhole) {
  const auto message = counting(1000);
  for (const std::size_t piece : {1u, 63u, 64u, 127u, 128u, 129u, 500u}) {
    Blake2b pieces(64);
    for (std::size_t at = 0; at < message.size(); at += piece) {
      pieces.update(std::span(message).subspan(at, std::min(piece, message.size() - at)));
    }
    std::array<std::uint8_t, 64> digest;
    pieces.digest(digest);
    EXPECT_EQ(digest, blake2b_512(message)) << piece;
  }
}

}  // namespace
}  // namespace cuzk
