// AllocatedNum: a variable that holds a field element, with its value. Source: docs/formats/circuits.md 1.2.
#pragma once

#include <array>

#include "gadget/allocated_bit.h"
#include "r1cs/constraint_system.h"

namespace cuzk {

class AllocatedNum {
 public:
  constexpr AllocatedNum() noexcept = default;  // a place to assign to
  constexpr AllocatedNum(Variable variable, const Fr& value) noexcept : variable_(variable), value_(value) {}

  // A new variable without a constraint.
  template <ConstraintSystem CS>
  static AllocatedNum alloc(CS& cs, const Fr& value) {
    return AllocatedNum(cs.alloc(value), value);
  }

  constexpr Variable variable() const noexcept { return variable_; }
  constexpr const Fr& value() const noexcept { return value_; }

 private:
  Variable variable_;
  Fr value_;
};

// A new public input with the value of x: input * 1 = x.
template <ConstraintSystem CS>
void inputize(CS& cs, const AllocatedNum& x) {
  const Variable input = cs.alloc_input(x.value());
  cs.enforce(term(input), one_term(), term(x.variable()));
}

// A new variable p: a * b = p.
template <ConstraintSystem CS>
AllocatedNum mul(CS& cs, const AllocatedNum& a, const AllocatedNum& b) {
  const AllocatedNum product = AllocatedNum::alloc(cs, a.value() * b.value());
  cs.enforce(term(a.variable()), term(b.variable()), term(product.variable()));
  return product;
}

// A new variable s: (a + b) * 1 = s.
template <ConstraintSystem CS>
AllocatedNum add(CS& cs, const AllocatedNum& a, const AllocatedNum& b) {
  const AllocatedNum sum = AllocatedNum::alloc(cs, a.value() + b.value());
  cs.enforce(
      [&](LinearCombination& lc) {
        lc.add(a.variable());
        lc.add(b.variable());
      },
      one_term(), term(sum.variable()));
  return sum;
}

// a * 1 = b.
template <ConstraintSystem CS>
void enforce_equal(CS& cs, const AllocatedNum& a, const AllocatedNum& b) {
  cs.enforce(term(a.variable()), one_term(), term(b.variable()));
}

}  // namespace cuzk
