// Proof: the three points of a Groth16 proof and their 192 bytes: A (G1, 48), B (G2, 96), C (G1, 48), all
// compressed (curve/encoding.h). Proofs of several partitions are their plain concatenation in partition order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "curve/affine.h"

namespace cuzk {

struct Proof {
  static constexpr std::size_t kBytes = 192;

  G1Affine a;
  G2Affine b;
  G1Affine c;

  std::array<std::uint8_t, kBytes> encode() const noexcept;
  // From exactly 192 bytes. invalid_argument, naming the point and what is wrong, for another length and for a
  // point that is infinity, not canonical, off the curve or outside the subgroup of order r.
  static Result<Proof> decode(std::span<const std::uint8_t> bytes);

  friend bool operator==(const Proof&, const Proof&) = default;
};

std::vector<std::uint8_t> encode_proofs(std::span<const Proof> proofs);
// From a positive multiple of 192 bytes; an error also names the index of the proof.
Result<std::vector<Proof>> decode_proofs(std::span<const std::uint8_t> bytes);

}  // namespace cuzk
