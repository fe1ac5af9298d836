#include "gadget/boolean_word.h"

#include <algorithm>

namespace cuzk {

BooleanWord BooleanWord::constant(std::uint32_t value) noexcept {
  return detail::bitwise([&](std::size_t i) { return Boolean::constant(((value >> i) & 1) != 0); });
}

BooleanWord BooleanWord::from_bits(std::span<const Boolean, 32> bits) noexcept {
  BooleanWord word;
  std::copy(bits.begin(), bits.end(), word.bits_.begin());
  return word;
}

std::uint32_t BooleanWord::value() const noexcept {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 32; ++i) value |= std::uint32_t{bits_[i].value()} << i;
  return value;
}

bool BooleanWord::is_constant() const noexcept {
  return std::all_of(bits_.begin(), bits_.end(), [](const Boolean& bit) { return bit.is_constant(); });
}

BooleanWord BooleanWord::rotr(unsigned count) const noexcept {
  return detail::bitwise([&](std::size_t i) { return bits_[(i + count) % 32]; });
}

BooleanWord BooleanWord::shr(unsigned count) const noexcept {
  return detail::bitwise(
      [&](std::size_t i) { return i + count < 32 ? bits_[i + count] : Boolean::constant(false); });
}

BooleanWord BooleanWord::byteswapped() const noexcept {
  return detail::bitwise([&](std::size_t i) { return bits_[8 * (3 - i / 8) + i % 8]; });
}

void BooleanWord::add_to_lc(LinearCombination& lc, const Fr& scale) const {
  std::uint32_t constants = 0;
  Fr coefficient = scale;
  for (std::size_t i = 0; i < 32; ++i) {
    if (bits_[i].is_constant()) {
      constants |= std::uint32_t{bits_[i].value()} << i;
    } else {
      bits_[i].add_to_lc(lc, coefficient);
    }
    coefficient = coefficient.doubled();
  }
  if (constants != 0) lc.add(kOneVariable, scale * Fr::from_u64(constants));
}

}  // namespace cuzk
