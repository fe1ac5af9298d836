// The published scalars of test parameters and test proofs: SHA-256 of a label, its two top bits cleared, read as a
// little-endian integer. Whoever reads this can forge proofs for parameters made from them, so they are for tests only.
#pragma once

#include <string_view>

#include "field/fr.h"
#include "hash/sha256.h"

namespace cuzk {

inline Fr test_scalar(std::string_view label) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(label.data());
  const Bytes32 digest = truncate_254(sha256({bytes, label.size()}));
  return *Fr::from_bytes_le(digest);  // 254 bits: always below the modulus
}

}  // namespace cuzk
