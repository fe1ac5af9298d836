// Round trips, and every way in which bytes can fail to be a point. The reference's own verdicts are in
// curve_vectors_test.cc.
#include "curve/encoding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/group_laws.h"

namespace cuzk {
namespace {

using testing::holds;
using testing::Random;
using testing::random_curve_point;
using testing::random_subgroup_point;

// The field modulus p as 48 big-endian bytes.
std::array<std::uint8_t, 48> modulus_bytes() {
  std::array<std::uint8_t, 48> bytes;
  for (std::size_t i = 0; i < 48; ++i) {
    bytes[47 - i] = static_cast<std::uint8_t>(Fp::modulus()[i / 8] >> (8 * (i % 8)));
  }
  return bytes;
}

template <typename F>
class Encoding : public ::testing::Test {
 public:
  using Point = AffinePoint<F>;
  using Compressed = std::array<std::uint8_t, kCompressedBytes<Point>>;
  using Uncompressed = std::array<std::uint8_t, kUncompressedBytes<Point>>;

  static Point point() { return ProjectivePoint<F>::generator().mul(Fr::from_u64(123456789)).to_affine(); }

  // Expects that `bytes` is refused with `reason` in the message.
  static void refused(const Compressed& bytes, const std::string& reason) {
    expect_refusal(decode_compressed<Point>(bytes), reason);
    EXPECT_FALSE(decode_compressed_in_subgroup<Point>(bytes).is_ok());
  }
  static void refused(const Uncompressed& bytes, const std::string& reason) {
    expect_refusal(decode_uncompressed<Point>(bytes), reason);
    EXPECT_FALSE(decode_uncompressed_in_subgroup<Point>(bytes).is_ok());
  }

 private:
  static void expect_refusal(const Result<Point>& result, const std::string& reason) {
    ASSERT_FALSE(result.is_ok()) << reason;
    EXPECT_EQ(result.status().code(), StatusCode::invalid_argument);
    EXPECT_NE(result.status().message().find(reason), std::string::npos) << result.status().message();
  }
};
using Fields = ::testing::Types<Fp, Fp2>;
TYPED_TEST_SUITE(Encoding, Fields);

TYPED_TEST(Encoding, RoundTrip) {
  using Affine = AffinePoint<TypeParam>;
  EXPECT_TRUE(holds("decode(encode(point)) = point", [](Random& random) {
    const bool inside = random.below(2) == 0;
    const Affine point =
        inside ? random_subgroup_point<TypeParam>(random) : random_curve_point<TypeParam>(random);
    if (!inside && point.x.is_zero()) return;  // refused by design
    const auto compressed = encode_compressed(point);
    const auto uncompressed = encode_uncompressed(point);
    RC_ASSERT(decode_compressed<Affine>(compressed).value() == point);
    RC_ASSERT(decode_uncompressed<Affine>(uncompressed).value() == point);
    RC_ASSERT(decode_compressed_in_subgroup<Affine>(compressed).is_ok() == inside);
    RC_ASSERT(decode_uncompressed_in_subgroup<Affine>(uncompressed).is_ok() == inside);
    auto negated = encode_compressed(-point);
    if (!point.is_infinity()) negated[0] ^= 0x20;
    RC_ASSERT(negated == compressed);
  }));
}

TYPED_TEST(Encoding, Flags) {
  using Fixture = Encoding<TypeParam>;
  for (const int flag : {0x80, 0xa0, 0xc0, 0xe0}) {
    auto bytes = encode_uncompressed(Fixture::point());
    bytes[0] = static_cast<std::uint8_t>(bytes[0] | flag);
    Fixture::refused(bytes, "compressed point where");
  }
  auto uncompressed = encode_uncompressed(Fixture::point());
  uncompressed[0] |= 0x20;
  Fixture::refused(uncompressed, "sort flag");
  for (const int flag : {0x00, 0x20, 0x40, 0x60}) {
    auto bytes = encode_compressed(Fixture::point());
    bytes[0] = static_cast<std::uint8_t>((bytes[0] & 0x1f) | flag);
    Fixture::refused(bytes, "without its flag");
  }
}

TYPED_TEST(Encoding, Infinity) {
  using Fixture = Encoding<TypeParam>;
  using Affine = AffinePoint<TypeParam>;
  const auto compressed = encode_compressed(Affine::infinity());
  const auto uncompressed = encode_uncompressed(Affine::infinity());
  EXPECT_EQ(compressed[0], 0xc0);
  EXPECT_EQ(uncompressed[0], 0x40);
  EXPECT_TRUE(decode_compressed_in_subgroup<Affine>(compressed).value().is_infinity());
  EXPECT_TRUE(decode_uncompressed_in_subgroup<Affine>(uncompressed).value().is_infinity());
  for (std::size_t bit = 0; bit < 8 * compressed.size(); ++bit) {
    if (bit == 6 || bit == 7) continue;  // the flags of infinity and compression themselves
    auto bytes = compressed;
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1 << (bit % 8));
    Fixture::refused(bytes, "infinity with other bits");
  }
  for (std::size_t bit = 0; bit < 8 * uncompressed.size(); ++bit) {
    if (bit >= 5 && bit <= 7) continue;  // flags, tested above
    auto bytes = uncompressed;
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1 << (bit % 8));
    Fixture::refused(bytes, "infinity with other bits");
  }
  auto with_sort = uncompressed;
  with_sort[0] = 0x60;
  Fixture::refused(with_sort, "sort flag");
}

TYPED_TEST(Encoding, CoordinatesNotBelowTheModulus) {
  using Fixture = Encoding<TypeParam>;
  const auto compressed = encode_compressed(Fixture::point());
  const auto uncompressed = encode_uncompressed(Fixture::point());
  const auto p = modulus_bytes();
  std::array<std::uint8_t, 48> ones;  // the largest integer that leaves the flags free
  ones.fill(0xff);
  ones[0] = 0x1f;
  for (const auto& number : {p, ones}) {
    for (std::size_t at = 0; at < uncompressed.size(); at += 48) {
      auto bytes = uncompressed;
      std::copy(number.begin(), number.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
      Fixture::refused(bytes, at < compressed.size() ? "coordinate x" : "coordinate y");
    }
    for (std::size_t at = 0; at < compressed.size(); at += 48) {
      auto bytes = compressed;
      std::copy(number.begin(), number.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
      if (at == 0) bytes[0] |= 0x80;
      Fixture::refused(bytes, "is not below the field modulus");
    }
  }
}

TYPED_TEST(Encoding, NotOnTheCurve) {
  using Fixture = Encoding<TypeParam>;
  auto bytes = encode_uncompressed(Fixture::point());
  bytes.back() ^= 1;
  Fixture::refused(bytes, "not on the curve");

  auto point = Fixture::point();
  while (testing::reference_sqrt(point.x.squared() * point.x + curve_coefficient<TypeParam>())) {
    point.x += TypeParam::one();
  }
  Fixture::refused(encode_uncompressed(point), "not on the curve");
  Fixture::refused(encode_compressed(point), "no point of the curve");
}

// All zero: neither infinity, which has its flag, nor a point.
TYPED_TEST(Encoding, ZeroBytes) {
  using Fixture = Encoding<TypeParam>;
  typename Fixture::Uncompressed uncompressed{};
  typename Fixture::Compressed compressed{};
  const bool g1 = std::is_same_v<TypeParam, Fp>;
  Fixture::refused(uncompressed, g1 ? "x = 0" : "not on the curve");
  Fixture::refused(compressed, "without its flag");
}

TEST(EncodingG1, PointsOfOrderThree) {
  using Fixture = Encoding<Fp>;
  for (const Fp& y : {Fp::from_u64(2), -Fp::from_u64(2)}) {
    const G1Affine point = {Fp::zero(), y};
    ASSERT_TRUE(point.is_on_curve());
    Fixture::refused(encode_uncompressed(point), "x = 0");
    Fixture::refused(encode_compressed(point), "x = 0");
  }
}

TYPED_TEST(Encoding, OutsideTheSubgroup) {
  using Affine = AffinePoint<TypeParam>;
  Random random(3);
  const Affine point = random_curve_point<TypeParam>(random);
  const Result<Affine> result = decode_compressed_in_subgroup<Affine>(encode_compressed(point));
  ASSERT_FALSE(result.is_ok());
  EXPECT_NE(result.status().message().find("outside the subgroup"), std::string::npos);
}

// Whatever bytes are accepted, they are the only encoding of their point.
TYPED_TEST(Encoding, BitFlipsAreRefusedOrCanonical) {
  using Affine = AffinePoint<TypeParam>;
  const auto compressed = encode_compressed(Encoding<TypeParam>::point());
  const auto uncompressed = encode_uncompressed(Encoding<TypeParam>::point());
  int accepted = 0;
  for (std::size_t bit = 0; bit < 8 * compressed.size(); ++bit) {
    auto bytes = compressed;
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1 << (bit % 8));
    const Result<Affine> result = decode_compressed<Affine>(bytes);
    if (!result.is_ok()) continue;
    ++accepted;
    EXPECT_EQ(encode_compressed(result.value()), bytes) << bit;
    EXPECT_TRUE(result.value().is_on_curve()) << bit;
  }
  EXPECT_GT(accepted, 20);  // about half of all x are those of a point
  for (std::size_t bit = 0; bit < 8 * uncompressed.size(); ++bit) {
    auto bytes = uncompressed;
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1 << (bit % 8));
    EXPECT_FALSE(decode_uncompressed<Affine>(bytes).is_ok()) << bit;
  }
}

TYPED_TEST(Encoding, ManyPointsAreEncodedOneAfterTheOther) {
  using Affine = AffinePoint<TypeParam>;
  for (const std::size_t n : {0u, 1u, 1023u, 1024u, 1025u}) {
    std::vector<Affine> points(n, Encoding<TypeParam>::point());
    for (std::size_t i = 0; i < n; i += 3) points[i] = i % 2 == 0 ? Affine::infinity() : Affine::generator();
    std::vector<std::uint8_t> wanted, found(n * kUncompressedBytes<Affine>);
    for (const Affine& point : points)
      std::ranges::copy(encode_uncompressed(point), std::back_inserter(wanted));
    encode_uncompressed(points, found);
    EXPECT_TRUE(found == wanted) << n;
  }
}

TYPED_TEST(Encoding, RandomBytes) {
  using Fixture = Encoding<TypeParam>;
  using Affine = AffinePoint<TypeParam>;
  EXPECT_TRUE(holds("random bytes are refused or canonical", [](Random& random) {
    typename Fixture::Compressed compressed;
    for (std::uint8_t& byte : compressed) byte = static_cast<std::uint8_t>(random.next());
    const Result<Affine> point = decode_compressed<Affine>(compressed);
    if (point.is_ok()) RC_ASSERT(encode_compressed(point.value()) == compressed);
    typename Fixture::Uncompressed uncompressed;
    for (std::uint8_t& byte : uncompressed) byte = static_cast<std::uint8_t>(random.next());
    RC_ASSERT(!decode_uncompressed<Affine>(uncompressed).is_ok());
  }));
}

}  // namespace
}  // namespace cuzk
