// QueryMap: which variables stand behind the points of a query, and their values in that order.
//
// A query has a point for some of the inputs, then for some of the aux variables, both by index. The bits of a witness
// are taken over a word at a time (the bits under a word of the mask are pushed together), the full elements through a
// table made once.
#pragma once

#include <cstdint>
#include <vector>

#include "msm/witness_sum.h"
#include "r1cs/bit_vector.h"
#include "r1cs/r1cs.h"
#include "r1cs/witness.h"

namespace cuzk {

// The bits of `word` at the ones of `mask`, moved together to the low end: what the instruction pext does.
std::uint64_t compress_bits(std::uint64_t word, std::uint64_t mask) noexcept;

class QueryMap {
 public:
  // One bit per input and per aux variable of the circuit: those that have a point (lengths checked).
  QueryMap(const R1cs& r1cs, const BitVector& inputs, BitVector aux);

  // Number of points.
  std::size_t size() const noexcept { return inputs_.size() + num_aux_; }
  std::size_t memory_bytes() const noexcept;
  // Overwrites `out`, whose memory is reused. The witness has the circuit's dimensions.
  void gather(const Witness& witness, WitnessScalars& out) const;

 private:
  static constexpr std::uint32_t kAbsent = ~0u;

  std::vector<std::uint32_t> inputs_;  // the inputs that have a point
  BitVector aux_;
  std::size_t num_aux_;
  std::vector<std::uint32_t> point_of_full_;  // by ordinal of the full element; kAbsent if it has no point
};

// The maps of one circuit. b serves b_g1 and b_g2.
struct QueryMaps {
  QueryMap l;
  QueryMap a;
  QueryMap b;

  static QueryMaps of(const R1cs& r1cs);
};

}  // namespace cuzk
