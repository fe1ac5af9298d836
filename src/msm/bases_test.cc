#include "msm/bases.h"

#include <gtest/gtest.h>

#include <cstring>

#include "curve/encoding.h"
#include "msm/test_points.h"

namespace cuzk {
namespace {

template <typename Case>
class BasesTest : public testing::Test {
 protected:
  using CaseField = typename Case::Field;
  using Affine = AffinePoint<CaseField>;
  static constexpr std::size_t kBytes = kUncompressedBytes<Affine>;

  void SetUp() override {
    if (!Case::is_available()) GTEST_SKIP() << "this machine has no AVX-512 IFMA";
    points_ = multiples_of_generator<CaseField>(random_scalars(21, 9));
    for (const Affine& point : points_) {
      const auto encoded = encode_uncompressed(point);
      bytes_.insert(bytes_.end(), encoded.begin(), encoded.end());
    }
  }

  static Result<Bases<CaseField>> decode(std::span<const std::uint8_t> bytes) {
    return Bases<CaseField>::from_encoded(bytes, Case::kernels());
  }
  // Changes point `index` with `change(bytes of the point)` and expects exactly that point to be refused.
  template <typename Change>
  void expect_refused(std::size_t index, Change change, const std::string& why) {
    std::vector<std::uint8_t> bytes = bytes_;
    change(bytes.data() + kBytes * index);
    const Result<Bases<CaseField>> bases = decode(bytes);
    ASSERT_FALSE(bases.is_ok()) << why << " at " << index;
    EXPECT_EQ(bases.status().code(), StatusCode::invalid_argument);
    EXPECT_NE(bases.status().message().find("point " + std::to_string(index) + " of 21"), std::string::npos)
        << why << ": " << bases.status().message();
  }

  std::vector<Affine> points_;
  std::vector<std::uint8_t> bytes_;
};

using Cases = testing::Types<KernelCase<Fp, false>, KernelCase<Fp, true>, KernelCase<Fp2, false>,
                             KernelCase<Fp2, true>>;
TYPED_TEST_SUITE(BasesTest, Cases);

TYPED_TEST(BasesTest, ReadsWhatWasEncoded) {
  for (const std::size_t n : {0u, 1u, 7u, 8u, 9u, 16u, 21u}) {
    const auto bases = TestFixture::decode(std::span(this->bytes_).first(this->kBytes * n));
    ASSERT_TRUE(bases.is_ok()) << bases.status().to_string();
    ASSERT_EQ(bases.value().size(), n);
    EXPECT_EQ(bases.value().bytes(), this->kBytes * n);
    EXPECT_FALSE(bases.value().has_infinities());
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(bases.value().affine(i), this->points_[i]);
  }
}

TYPED_TEST(BasesTest, RefusesBadPoints) {
  constexpr std::size_t kSize = TestFixture::kBytes;
  // p, big-endian.
  std::uint8_t modulus[48];
  for (std::size_t i = 0; i < 48; ++i) {
    modulus[47 - i] = static_cast<std::uint8_t>(FpParams::kModulus[i / 8] >> (8 * (i % 8)));
  }
  for (const std::size_t index : {0u, 7u, 8u, 15u, 16u, 20u}) {
    for (const unsigned flag : {0x80u, 0x40u, 0x20u, 0xc0u, 0xe0u}) {
      this->expect_refused(
          index, [&](std::uint8_t* p) { p[0] = static_cast<std::uint8_t>(p[0] | flag); }, "flag");
    }
    const auto infinity = [&](std::uint8_t* p) {
      std::memset(p, 0, kSize);
      p[0] = 0x40;
    };
    this->expect_refused(index, infinity, "infinity");
    this->expect_refused(
        index, [&](std::uint8_t* p) { std::memset(p, 0, kSize); }, "zeros");
    this->expect_refused(
        index, [&](std::uint8_t* p) { p[kSize - 1] ^= 1; }, "off the curve");
    this->expect_refused(
        index, [&](std::uint8_t* p) { p[kSize / 2 - 1] ^= 4; }, "off the curve");
    for (std::size_t c = 0; c < kSize / 48; ++c) {
      this->expect_refused(
          index, [&](std::uint8_t* p) { std::memcpy(p + 48 * c, modulus, 48); }, "p");
      this->expect_refused(
          index, [&](std::uint8_t* p) { std::memset(p + 48 * c, 0x1f, 48); }, "above p");
    }
  }
}

// A coordinate plus p is the same point modulo p, but not an encoding.
TYPED_TEST(BasesTest, RefusesUnreducedCoordinates) {
  for (std::size_t c = 0; c < this->kBytes / 48; ++c) {
    const auto add_modulus = [&](std::uint8_t* p) {
      unsigned carry = 0;
      for (std::size_t i = 0; i < 48; ++i) {
        std::uint8_t& byte = p[48 * c + 47 - i];
        carry += byte + static_cast<std::uint8_t>(FpParams::kModulus[i / 8] >> (8 * (i % 8)));
        byte = static_cast<std::uint8_t>(carry);
        carry >>= 8;
      }
    };
    this->expect_refused(9, add_modulus, "coordinate + p");
  }
}

TYPED_TEST(BasesTest, NamesTheFirstOfSeveral) {
  this->bytes_[this->kBytes * 17 + 3] ^= 1;
  this->bytes_[this->kBytes * 12 + 3] ^= 1;
  this->expect_refused(
      5, [](std::uint8_t* p) { p[0] |= 0x80; }, "first of three");
}

TYPED_TEST(BasesTest, RefusesWrongLengths) {
  for (const std::size_t cut : {std::size_t{1}, this->kBytes - 1}) {
    const auto bases = TestFixture::decode(std::span(this->bytes_).first(this->bytes_.size() - cut));
    ASSERT_FALSE(bases.is_ok());
    EXPECT_EQ(bases.status().code(), StatusCode::invalid_argument);
  }
}

TYPED_TEST(BasesTest, KeepsInfinitiesOfAffinePoints) {
  using F = typename TypeParam::Field;
  this->points_[3] = AffinePoint<F>::infinity();
  this->points_[20] = AffinePoint<F>::infinity();
  const auto bases = Bases<F>::from_affine(this->points_, TypeParam::kernels());
  EXPECT_TRUE(bases.has_infinities());
  for (std::size_t i = 0; i < this->points_.size(); ++i) {
    EXPECT_EQ(bases.affine(i), this->points_[i]);
    EXPECT_EQ(bases.is_infinity(i), i == 3 || i == 20);
  }
}

// x = 0, y = 2 is on the curve of G1 but not in the subgroup; blst and curve/encoding.h refuse it.
TEST(BasesG1, RefusesXZero) {
  std::vector<std::uint8_t> bytes(96);
  bytes[95] = 2;
  EXPECT_FALSE(G1Bases::from_encoded(bytes).is_ok());
  EXPECT_FALSE(G1Bases::from_encoded(bytes, portable_kernels<Fp>()).is_ok());
}

}  // namespace
}  // namespace cuzk
