#include "r1cs/proving_system.h"

namespace cuzk {

Fr ProvingSystem::value_of(const LinearCombination& combination, BitVector* aux_density,
                           BitVector* input_density) const {
  Fr sum;
  for (const Term& term : combination.terms()) {
    const std::uint32_t index = term.variable.index();
    const bool is_aux = term.variable.is_aux();
    BitVector* density = is_aux ? aux_density : input_density;
    if (density != nullptr) density->set(index);
    const Fr& value = is_aux ? aux_[index] : inputs_[index];
    if (value.is_zero()) continue;
    if (value.is_one()) {
      sum += term.coefficient;
    } else if (term.coefficient.is_one()) {
      sum += value;
    } else {
      sum += term.coefficient * value;
    }
  }
  return sum;
}

}  // namespace cuzk
