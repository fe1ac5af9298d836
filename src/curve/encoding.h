// The ZCash encoding of points as bytes, as in parameter files, verifying keys and proofs (bit for bit that
// of blst).
//
// Coordinates are 48 big-endian bytes; an Fp2 is c1 then c0. Uncompressed: x, y. Compressed: x alone. The
// three top bits of the first byte are flags: 0x80 compressed, 0x40 infinity (then all other bits are zero),
// 0x20 (compressed only) y is the larger of {y, -y}, where c1 is compared first in Fp2.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "curve/affine.h"

namespace cuzk {

// Bytes of a point in compressed form (G1 48, G2 96) and in uncompressed form (G1 96, G2 192).
template <typename Affine>
inline constexpr std::size_t kCompressedBytes = sizeof(typename Affine::Field);
template <typename Affine>
inline constexpr std::size_t kUncompressedBytes = 2 * kCompressedBytes<Affine>;

// Any point of the curve or infinity (not checked).
std::array<std::uint8_t, 96> encode_uncompressed(const G1Affine& point) noexcept;
std::array<std::uint8_t, 192> encode_uncompressed(const G2Affine& point) noexcept;
// All points, one after the other; `encoded` is as long as that (checked). Parallel.
void encode_uncompressed(std::span<const G1Affine> points, std::span<std::uint8_t> encoded);
void encode_uncompressed(std::span<const G2Affine> points, std::span<std::uint8_t> encoded);
std::array<std::uint8_t, 48> encode_compressed(const G1Affine& point) noexcept;
std::array<std::uint8_t, 96> encode_compressed(const G2Affine& point) noexcept;

// Decoding, for example decode_compressed<G1Affine>(bytes). invalid_argument, with a sentence that says what
// is wrong, for: flags other than those above (so also an uncompressed slot with 0x80, which no writer
// produces), infinity with any other bit set, a coordinate >= p, a point not on the curve, and a finite G1
// point with x = 0. Infinity is accepted. The subgroup is not checked here: a point outside the subgroup of
// order r is returned. Any thread.
template <typename Affine>
Result<Affine> decode_uncompressed(std::span<const std::uint8_t, kUncompressedBytes<Affine>> bytes);
template <typename Affine>
Result<Affine> decode_compressed(std::span<const std::uint8_t, kCompressedBytes<Affine>> bytes);

// The same, and the point must be in the subgroup of order r. Verifying keys and proofs are read with these.
template <typename Affine>
Result<Affine> decode_uncompressed_in_subgroup(
    std::span<const std::uint8_t, kUncompressedBytes<Affine>> bytes);
template <typename Affine>
Result<Affine> decode_compressed_in_subgroup(std::span<const std::uint8_t, kCompressedBytes<Affine>> bytes);

}  // namespace cuzk
