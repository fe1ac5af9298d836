// The R1CS digest: one SHA-256 over all constraints, by which a circuit is compared with the network's
// (docs/formats).
//
// Per constraint A, B, C; per combination a u32 LE number of non-zero terms, then per term u8 kind (0 input,
// 1 aux), u32 LE index, 32 bytes LE canonical coefficient, in the order of Variable. The closing input
// constraints are left out.
#pragma once

#include <memory>
#include <string>

#include "base/bytes.h"
#include "r1cs/linear_combination.h"
#include "r1cs/r1cs.h"

namespace cuzk {

// Hashes combinations one after the other.
class R1csHasher {
 public:
  R1csHasher();
  ~R1csHasher();
  R1csHasher(const R1csHasher&) = delete;
  R1csHasher& operator=(const R1csHasher&) = delete;

  // `combination` must be canonical (LinearCombination::canonicalize).
  void update(const LinearCombination& combination);
  // The digest of everything so far; more may follow.
  Bytes32 digest_so_far() const;

 private:
  friend Bytes32 r1cs_digest(const R1cs& r1cs);
  void update_bytes(const std::uint8_t* data, std::size_t size);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The digest of a recorded circuit, every repetition written out (32 GiB PoRep: 27 GB hashed).
Bytes32 r1cs_digest(const R1cs& r1cs);

// SHA-256 over the 32-byte LE canonical values, by which witnesses and evaluations are compared.
Bytes32 values_digest(std::span<const Fr> values);

}  // namespace cuzk
