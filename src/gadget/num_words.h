// A field element as 256 bits of a SHA-256 message, and a digest as a field element. Source:
// docs/formats/circuits.md 1.4.
//
// In memory an element is 32 little-endian bytes; SHA-256 reads the bytes in that order, the highest bit of
// each first. So message word i is 32-bit limb i of the element, byte-swapped.
#pragma once

#include <algorithm>

#include "gadget/multipack.h"
#include "gadget/num_bits.h"
#include "gadget/uint32.h"

namespace cuzk {

namespace detail {

inline WitnessWord limb_word(const FrRepr& repr, std::size_t i) noexcept {
  // Bit 255 is a constant.
  const std::uint32_t constant = i == 7 ? 0x80000000 : 0;
  return {static_cast<std::uint32_t>(repr[i / 2] >> (32 * (i % 2))), constant, 0};
}

// The canonical integer of the low 254 bits of eight little-endian limbs.
template <class Word>
Fr value_of_254_bits(std::span<const Word, 8> limbs) noexcept {
  FrRepr repr;
  for (std::size_t i = 0; i < 4; ++i)
    repr[i] = limbs[2 * i].value() | (std::uint64_t{limbs[2 * i + 1].value()} << 32);
  repr[3] &= ~std::uint64_t{0} >> 2;
  return Fr::from_repr_unchecked(repr);
}

}  // namespace detail

// to_bits_le(x) and a constant zero, as a piece of a message: 255 new bits.
template <ConstraintSystem CS>
Words256<CS> to_message_words(CS& cs, const AllocatedNum& x) {
  Words256<CS> words;
  if constexpr (CS::kWantsConstraints) {
    const NumBits bits = to_bits_le(cs, x);
    std::array<Boolean, 256> padded;  // the last one stays the constant zero
    std::copy(bits.begin(), bits.end(), padded.begin());
    for (std::size_t i = 0; i < words.size(); ++i) {
      words[i] = BooleanWord::from_bits(std::span<const Boolean>(padded).subspan(32 * i).template first<32>())
                     .byteswapped();
    }
  } else {
    const FrRepr repr = x.value().to_repr();
    for (std::size_t i = 0; i < repr.size(); ++i) cs.alloc_bits(repr[i], i < 3 ? 64 : kFrNumBits - 3 * 64);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = detail::limb_word(repr, i).byteswapped();
  }
  return words;
}

// The first 254 bits of a digest, packed into one new variable: the two highest bits of the last byte are
// dropped.
template <ConstraintSystem CS>
AllocatedNum pack_digest(CS& cs, const Words256<CS>& digest) {
  Words256<CS> limbs;
  for (std::size_t i = 0; i < limbs.size(); ++i) limbs[i] = digest[i].byteswapped();
  const Fr value = detail::value_of_254_bits<UInt32<CS>>(limbs);
  const AllocatedNum packed = AllocatedNum::alloc(cs, value);
  if constexpr (CS::kWantsConstraints) {
    std::array<Boolean, 256> bits;
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = limbs[i / 32][i % 32];
    detail::enforce_packed(cs, std::span<const Boolean>(bits).first(kFrCapacity), packed.variable());
  }
  return packed;
}

}  // namespace cuzk
