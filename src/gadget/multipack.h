// Bits packed into field elements, 254 a piece. Source: docs/formats/circuits.md 1.2.
#pragma once

#include <algorithm>
#include <span>

#include "gadget/allocated_num.h"
#include "gadget/boolean.h"

namespace cuzk {

namespace detail {

// The integer sum 2^i bit_i; at most 254 bits.
Fr packed_value(std::span<const Boolean> bits) noexcept;

// lc += sum 2^i bit_i.
void add_packed(LinearCombination& lc, std::span<const Boolean> bits);

// (sum 2^i bit_i) * 1 = packed.
template <ConstraintSystem CS>
void enforce_packed(CS& cs, std::span<const Boolean> bits, Variable packed) {
  cs.enforce([&](LinearCombination& lc) { add_packed(lc, bits); }, one_term(), term(packed));
}

}  // namespace detail

// One new variable that holds the first 254 bits, lowest first; further bits are ignored. No bits give the
// number 0.
template <ConstraintSystem CS>
AllocatedNum pack_bits(CS& cs, std::span<const Boolean> bits) {
  const auto used = bits.first(std::min<std::size_t>(bits.size(), kFrCapacity));
  const AllocatedNum packed = AllocatedNum::alloc(cs, detail::packed_value(used));
  detail::enforce_packed(cs, used, packed.variable());
  return packed;
}

// One new public input for every 254 bits, lowest first; the last may have fewer.
template <ConstraintSystem CS>
void pack_into_inputs(CS& cs, std::span<const Boolean> bits) {
  for (std::size_t begin = 0; begin < bits.size(); begin += kFrCapacity) {
    const auto chunk = bits.subspan(begin, std::min<std::size_t>(bits.size() - begin, kFrCapacity));
    const Variable input = cs.alloc_input(detail::packed_value(chunk));
    detail::enforce_packed(cs, chunk, input);
  }
}

}  // namespace cuzk
