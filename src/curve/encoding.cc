#include "curve/encoding.h"

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>

#include "base/bytes.h"
#include "base/check.h"
#include "base/thread_pool.h"
#include "curve/subgroup.h"

namespace cuzk {
namespace {

constexpr std::uint8_t kCompressedFlag = 0x80;
constexpr std::uint8_t kInfinityFlag = 0x40;
constexpr std::uint8_t kSortFlag = 0x20;
constexpr std::uint8_t kFlags = 0xe0;

constexpr std::size_t kFpBytes = Fp::kBytes;

void write_field(const Fp& value, std::uint8_t* bytes) noexcept {
  const Fp::Repr repr = value.to_repr();
  for (std::size_t i = 0; i < Fp::kLimbs; ++i) store_be(bytes + 8 * i, repr[Fp::kLimbs - 1 - i]);
}
void write_field(const Fp2& value, std::uint8_t* bytes) noexcept {
  write_field(value.c1, bytes);
  write_field(value.c0, bytes + kFpBytes);
}

// Reads one coordinate whose flag bits, if it is the first one, are in `flags` and not part of the number.
Status read_field(const std::uint8_t* bytes, std::uint8_t flags, const char* name, Fp& out) {
  Fp::Repr repr;
  for (std::size_t i = 0; i < Fp::kLimbs; ++i)
    repr[Fp::kLimbs - 1 - i] = load_be<std::uint64_t>(bytes + 8 * i);
  repr[Fp::kLimbs - 1] &= ~(static_cast<std::uint64_t>(flags) << 56);
  const std::optional<Fp> value = Fp::from_repr(repr);
  if (!value)
    return invalid_argument(std::string("point coordinate ") + name + " is not below the field modulus");
  out = *value;
  return Status::ok();
}

template <typename F>
Status read_coordinate(const std::uint8_t* bytes, std::uint8_t flags, char name, F& out) {
  if constexpr (std::is_same_v<F, Fp>) {
    const char text[] = {name, '\0'};
    return read_field(bytes, flags, text, out);
  } else {
    const char text1[] = {name, '.', 'c', '1', '\0'};
    const char text0[] = {name, '.', 'c', '0', '\0'};
    CUZK_TRY(read_field(bytes, flags, text1, out.c1));
    return read_field(bytes + kFpBytes, 0, text0, out.c0);
  }
}

// Whether every bit but the flags named in `flags` is zero.
bool is_zero_except(std::span<const std::uint8_t> bytes, std::uint8_t flags) noexcept {
  return bytes[0] == flags &&
         std::all_of(bytes.begin() + 1, bytes.end(), [](std::uint8_t b) { return b == 0; });
}

// The points (0, 2) and (0, -2) of order 3: the reference refuses them at every read.
template <typename Affine>
Status check_x(const Affine& point) {
  if constexpr (std::is_same_v<Affine, G1Affine>) {
    if (point.x.is_zero())
      return invalid_argument("G1 point with x = 0, which is outside the subgroup of order r");
  }
  return Status::ok();
}

template <typename Affine>
std::array<std::uint8_t, kUncompressedBytes<Affine>> uncompressed(const Affine& point) noexcept {
  std::array<std::uint8_t, kUncompressedBytes<Affine>> bytes{};
  if (point.is_infinity()) {
    bytes[0] = kInfinityFlag;
    return bytes;
  }
  write_field(point.x, bytes.data());
  write_field(point.y, bytes.data() + kCompressedBytes<Affine>);
  return bytes;
}

constexpr std::size_t kPointsPerTask = 1 << 10;

template <typename Affine>
void encode_all(std::span<const Affine> points, std::span<std::uint8_t> encoded) {
  constexpr std::size_t kSize = kUncompressedBytes<Affine>;
  CUZK_CHECK(encoded.size() == points.size() * kSize, "encoded points: lengths differ");
  parallel_for(points.size(), kPointsPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      std::ranges::copy(uncompressed(points[i]), encoded.data() + i * kSize);
  });
}

template <typename Affine>
std::array<std::uint8_t, kCompressedBytes<Affine>> compressed(const Affine& point) noexcept {
  std::array<std::uint8_t, kCompressedBytes<Affine>> bytes{};
  if (point.is_infinity()) {
    bytes[0] = kCompressedFlag | kInfinityFlag;
    return bytes;
  }
  write_field(point.x, bytes.data());
  bytes[0] |= kCompressedFlag;
  if (point.y.is_lexicographically_largest()) bytes[0] |= kSortFlag;
  return bytes;
}

template <typename Affine>
Result<Affine> require_subgroup(Result<Affine> point) {
  if (point.is_ok() && !is_in_subgroup(point.value())) {
    return invalid_argument("point is on the curve but outside the subgroup of order r");
  }
  return point;
}

}  // namespace

std::array<std::uint8_t, 96> encode_uncompressed(const G1Affine& point) noexcept {
  return uncompressed(point);
}
std::array<std::uint8_t, 192> encode_uncompressed(const G2Affine& point) noexcept {
  return uncompressed(point);
}
void encode_uncompressed(std::span<const G1Affine> points, std::span<std::uint8_t> encoded) {
  encode_all(points, encoded);
}
void encode_uncompressed(std::span<const G2Affine> points, std::span<std::uint8_t> encoded) {
  encode_all(points, encoded);
}
std::array<std::uint8_t, 48> encode_compressed(const G1Affine& point) noexcept {
  return compressed(point);
}
std::array<std::uint8_t, 96> encode_compressed(const G2Affine& point) noexcept {
  return compressed(point);
}

template <typename Affine>
Result<Affine> decode_uncompressed(std::span<const std::uint8_t, kUncompressedBytes<Affine>> bytes) {
  const std::uint8_t flags = bytes[0] & kFlags;
  if ((flags & kCompressedFlag) != 0)
    return invalid_argument("compressed point where an uncompressed one is wanted");
  if ((flags & kSortFlag) != 0) return invalid_argument("uncompressed point with the sort flag 0x20");
  if ((flags & kInfinityFlag) != 0) {
    if (is_zero_except(bytes, kInfinityFlag)) return Affine::infinity();
    return invalid_argument("point at infinity with other bits set");
  }
  Affine point;
  CUZK_TRY(read_coordinate(bytes.data(), 0, 'x', point.x));
  CUZK_TRY(read_coordinate(bytes.data() + kCompressedBytes<Affine>, 0, 'y', point.y));
  CUZK_TRY(check_x(point));
  // x = y = 0 written out in full is not infinity, and not on the curve.
  if (point.is_infinity() || !point.is_on_curve()) return invalid_argument("point is not on the curve");
  return point;
}

template <typename Affine>
Result<Affine> decode_compressed(std::span<const std::uint8_t, kCompressedBytes<Affine>> bytes) {
  const std::uint8_t flags = bytes[0] & kFlags;
  if ((flags & kCompressedFlag) == 0) return invalid_argument("compressed point without its flag 0x80");
  if ((flags & kInfinityFlag) != 0) {
    if (is_zero_except(bytes, kCompressedFlag | kInfinityFlag)) return Affine::infinity();
    return invalid_argument("point at infinity with other bits set");
  }
  Affine point;
  CUZK_TRY(read_coordinate(bytes.data(), flags, 'x', point.x));
  CUZK_TRY(check_x(point));
  using Field = typename Affine::Field;
  const std::optional<Field> y = (point.x.squared() * point.x + curve_coefficient<Field>()).sqrt();
  if (!y) return invalid_argument("no point of the curve has this x");
  point.y = y->is_lexicographically_largest() == ((flags & kSortFlag) != 0) ? *y : -*y;
  return point;
}

template <typename Affine>
Result<Affine> decode_uncompressed_in_subgroup(
    std::span<const std::uint8_t, kUncompressedBytes<Affine>> bytes) {
  return require_subgroup(decode_uncompressed<Affine>(bytes));
}
template <typename Affine>
Result<Affine> decode_compressed_in_subgroup(std::span<const std::uint8_t, kCompressedBytes<Affine>> bytes) {
  return require_subgroup(decode_compressed<Affine>(bytes));
}

template Result<G1Affine> decode_uncompressed<G1Affine>(std::span<const std::uint8_t, 96>);
template Result<G2Affine> decode_uncompressed<G2Affine>(std::span<const std::uint8_t, 192>);
template Result<G1Affine> decode_compressed<G1Affine>(std::span<const std::uint8_t, 48>);
template Result<G2Affine> decode_compressed<G2Affine>(std::span<const std::uint8_t, 96>);
template Result<G1Affine> decode_uncompressed_in_subgroup<G1Affine>(std::span<const std::uint8_t, 96>);
template Result<G2Affine> decode_uncompressed_in_subgroup<G2Affine>(std::span<const std::uint8_t, 192>);
template Result<G1Affine> decode_compressed_in_subgroup<G1Affine>(std::span<const std::uint8_t, 48>);
template Result<G2Affine> decode_compressed_in_subgroup<G2Affine>(std::span<const std::uint8_t, 96>);

}  // namespace cuzk
