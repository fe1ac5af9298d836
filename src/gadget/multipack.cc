#include "gadget/multipack.h"

namespace cuzk::detail {

Fr packed_value(std::span<const Boolean> bits) noexcept {
  FrRepr repr{};
  for (std::size_t i = 0; i < bits.size(); ++i) repr[i / 64] |= std::uint64_t{bits[i].value()} << (i % 64);
  return Fr::from_repr_unchecked(repr);
}

void add_packed(LinearCombination& lc, std::span<const Boolean> bits) {
  Fr coefficient = Fr::one();
  for (const Boolean& bit : bits) {
    bit.add_to_lc(lc, coefficient);
    coefficient = coefficient.doubled();
  }
}

}  // namespace cuzk::detail
