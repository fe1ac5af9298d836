// The binary digits of a field element, lowest first. Source: docs/formats/circuits.md 1.2.
#pragma once

#include <optional>
#include <vector>

#include "gadget/allocated_num.h"

namespace cuzk {

using NumBits = std::array<AllocatedBit, kFrNumBits>;

// Bit i of a canonical integer.
inline bool bit_of(const FrRepr& repr, std::size_t i) noexcept {
  return ((repr[i / 64] >> (i % 64)) & 1) != 0;
}

namespace detail {

// 0 * 0 = sum 2^i bit_i - x: the whole relation stands in C.
template <ConstraintSystem CS>
void enforce_unpacked(CS& cs, const AllocatedNum& x, const NumBits& bits) {
  cs.enforce(no_terms(), no_terms(), [&](LinearCombination& lc) {
    Fr coefficient = Fr::one();
    for (const AllocatedBit& bit : bits) {
      lc.add(bit.variable(), coefficient);
      coefficient = coefficient.doubled();
    }
    lc.sub(x.variable());
  });
}

}  // namespace detail

// 255 new bits whose weighted sum is x modulo r. Whether the integer is below r is not constrained, so a
// prover may choose x + r where it fits: the circuits of the network accept that.
template <ConstraintSystem CS>
NumBits to_bits_le(CS& cs, const AllocatedNum& x) {
  const FrRepr repr = x.value().to_repr();
  NumBits bits;
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = AllocatedBit::alloc(cs, bit_of(repr, i));
  detail::enforce_unpacked(cs, x, bits);
  return bits;
}

// The canonical digits: the same relation, and the integer is at most r - 1.
//
// Bits are allocated from the top. Where r - 1 has a one, the bit is free; where it has a zero, the bit must
// be zero if all bits above it that stand at ones of r - 1 are one, because then the integer equals r - 1 so
// far. That condition is one bit, extended by an AND for each of the ones, at the end of each run of ones.
template <ConstraintSystem CS>
NumBits to_bits_le_strict(CS& cs, const AllocatedNum& x) {
  const FrRepr repr = x.value().to_repr();
  const FrRepr largest = (-Fr::one()).to_repr();
  NumBits bits;
  std::optional<AllocatedBit> equal_so_far;  // up to the last finished run of ones
  std::vector<AllocatedBit> run;
  for (std::size_t i = bits.size(); i-- > 0;) {
    if (bit_of(largest, i)) {
      bits[i] = AllocatedBit::alloc(cs, bit_of(repr, i));
      run.push_back(bits[i]);
      continue;
    }
    if (!run.empty()) {
      if (equal_so_far.has_value()) run.push_back(*equal_so_far);
      AllocatedBit all = run.front();
      for (std::size_t k = 1; k < run.size(); ++k) all = and_of(cs, all, run[k]);
      equal_so_far = all;
      run.clear();
    }
    bits[i] = AllocatedBit::alloc_conditionally(cs, bit_of(repr, i), *equal_so_far);
  }
  detail::enforce_unpacked(cs, x, bits);
  return bits;
}

}  // namespace cuzk
