#include "r1cs/linear_combination.h"

#include <algorithm>

namespace cuzk {

void LinearCombination::add_scaled(const LinearCombination& other, const Fr& factor) {
  for (const Term& term : other.terms_) terms_.push_back({term.variable, term.coefficient * factor});
}

void LinearCombination::add(const LinearCombination& other) {
  terms_.insert(terms_.end(), other.terms_.begin(), other.terms_.end());
}

void LinearCombination::canonicalize() {
  const auto by_variable = [](const Term& a, const Term& b) { return a.variable < b.variable; };
  if (!std::is_sorted(terms_.begin(), terms_.end(), by_variable)) {
    std::sort(terms_.begin(), terms_.end(), by_variable);
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < terms_.size();) {
    Term sum = terms_[i++];
    for (; i < terms_.size() && terms_[i].variable == sum.variable; ++i)
      sum.coefficient += terms_[i].coefficient;
    if (!sum.coefficient.is_zero()) terms_[kept++] = sum;
  }
  terms_.resize(kept);
}

}  // namespace cuzk
