#include "gadget/witness_word.h"

namespace cuzk {

WitnessWord WitnessWord::from_bits(std::span<const Boolean, 32> bits) noexcept {
  std::uint32_t value = 0, constant = 0, negated = 0;
  for (unsigned i = 0; i < 32; ++i) {
    value |= std::uint32_t{bits[i].value()} << i;
    constant |= std::uint32_t{bits[i].is_constant()} << i;
    negated |= std::uint32_t{bits[i].is_negated()} << i;
  }
  return {value, constant, negated};
}

}  // namespace cuzk
