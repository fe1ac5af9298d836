// VerifyingKey: what is needed to check a proof, and the head of a parameter file.
//
// Encoding (docs/formats/params.md): alpha_g1, beta_g1, beta_g2, gamma_g2, delta_g1, delta_g2, then a u32 BE
// count and that many ic points; every point in the uncompressed ZCash form (curve/encoding.h). A .vk file is
// exactly this; a .params file begins with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "curve/affine.h"

namespace cuzk {

struct VerifyingKey {
  G1Affine alpha_g1;
  G1Affine beta_g1;
  G2Affine beta_g2;
  G2Affine gamma_g2;
  G1Affine delta_g1;
  G2Affine delta_g2;
  std::vector<G1Affine> ic;  // one per input, ONE first

  // The fixed part before the count of ic, and with the count.
  static constexpr std::size_t kFixedBytes = 864;
  static constexpr std::size_t kHeadBytes = kFixedBytes + 4;

  std::size_t num_public_inputs() const noexcept { return ic.size() - 1; }  // without ONE
  std::size_t encoded_bytes() const noexcept { return kHeadBytes + 96 * ic.size(); }
  std::vector<std::uint8_t> encode() const;

  // The length of an encoded key as its own count gives it. `head` is at least the first kHeadBytes bytes.
  static std::size_t encoded_bytes(std::span<const std::uint8_t> head) noexcept;
  // From exactly one encoded key. invalid_argument, naming the point, its offset and what is wrong, for another
  // length, no ic at all, and a point that is infinity, not canonical, off the curve or outside the subgroup of
  // order r. Parallel.
  static Result<VerifyingKey> decode(std::span<const std::uint8_t> bytes);

  friend bool operator==(const VerifyingKey&, const VerifyingKey&) = default;
};

}  // namespace cuzk
