// LinearCombination: a sum of coefficient * variable, built in place.
//
// There is no operator+ and no temporary: a gadget adds its terms to a combination that a constraint system
// owns and reuses, so a constraint costs no allocation once the buffers have grown. Terms are appended as
// they come; the order of appending is not observable after canonicalize().
#pragma once

#include <span>
#include <vector>

#include "field/fr.h"
#include "r1cs/variable.h"

namespace cuzk {

struct Term {
  Variable variable;
  Fr coefficient;  // Montgomery form, like every Fr
};

class LinearCombination {
 public:
  void clear() noexcept { terms_.clear(); }
  bool empty() const noexcept { return terms_.empty(); }
  std::span<const Term> terms() const noexcept { return terms_; }

  void add(Variable variable) { terms_.push_back({variable, Fr::one()}); }
  void sub(Variable variable) { terms_.push_back({variable, -Fr::one()}); }
  void add(Variable variable, const Fr& coefficient) { terms_.push_back({variable, coefficient}); }
  // this += factor * other. `other` must not be this.
  void add_scaled(const LinearCombination& other, const Fr& factor);
  void add(const LinearCombination& other);

  // Sorts the terms by variable, adds up those of equal variables and drops zero coefficients.
  void canonicalize();

 private:
  std::vector<Term> terms_;
};

}  // namespace cuzk
