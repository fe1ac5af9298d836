// The sides of a constraint that gadgets need most, as callables for ConstraintSystem::enforce.
#pragma once

#include "r1cs/linear_combination.h"

namespace cuzk {

// The single term 1 * variable.
inline auto term(Variable variable) noexcept {
  return [variable](LinearCombination& lc) { lc.add(variable); };
}
// The constant 1.
inline auto one_term() noexcept {
  return term(kOneVariable);
}
// The empty combination.
inline auto no_terms() noexcept {
  return [](LinearCombination&) {};
}

}  // namespace cuzk
