// UInt32<CS>: the 32-bit word of a circuit over CS, with
//   UInt32::constant, from_bits, value, is_constant, rotr, shr, byteswapped
//   xor_of(cs, a, b), sha256_ch(cs, a, b, c), sha256_maj(cs, a, b, c)
// and Sum32<CS>, the sum of several, with add and resolve(MultiEq&).
// It is 32 Booleans where constraints are wanted and three machine words where only values are.
#pragma once

#include <type_traits>

#include "gadget/boolean_word.h"
#include "gadget/witness_word.h"

namespace cuzk {

template <ConstraintSystem CS>
using UInt32 = std::conditional_t<CS::kWantsConstraints, BooleanWord, WitnessWord>;

template <ConstraintSystem CS>
using Sum32 = std::conditional_t<CS::kWantsConstraints, BooleanSum, WitnessSum>;

// 256 bits: a digest of SHA-256, or a field element as a piece of its message (num_words.h).
template <ConstraintSystem CS>
using Words256 = std::array<UInt32<CS>, 8>;

}  // namespace cuzk
