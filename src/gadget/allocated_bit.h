// AllocatedBit: a variable that is 0 or 1, with its value. Source: docs/formats/circuits.md 1.1.
#pragma once

#include "gadget/fill.h"
#include "r1cs/constraint_system.h"

namespace cuzk {

class AllocatedBit {
 public:
  constexpr AllocatedBit() noexcept = default;  // ONE, as if it were a bit; a place to assign to
  // Takes a variable that is, or will be, constrained to a bit.
  constexpr AllocatedBit(Variable variable, bool value) noexcept : variable_(variable), value_(value) {}

  constexpr Variable variable() const noexcept { return variable_; }
  constexpr bool value() const noexcept { return value_; }
  // The side 1 - bit.
  auto complement() const noexcept {
    return [variable = variable_](LinearCombination& lc) {
      lc.add(kOneVariable);
      lc.sub(variable);
    };
  }

  // A new variable, constrained by (1 - bit) * bit = 0.
  template <ConstraintSystem CS>
  static AllocatedBit alloc(CS& cs, bool value) {
    const AllocatedBit bit(cs.alloc_bit(value), value);
    cs.enforce(bit.complement(), term(bit.variable_), no_terms());
    return bit;
  }
  // A new variable, constrained by (1 - must_be_false - bit) * bit = 0: a bit that is 0 if must_be_false is 1.
  template <ConstraintSystem CS>
  static AllocatedBit alloc_conditionally(CS& cs, bool value, const AllocatedBit& must_be_false) {
    const AllocatedBit bit(cs.alloc_bit(value), value);
    cs.enforce(
        [&](LinearCombination& lc) {
          lc.add(kOneVariable);
          lc.sub(must_be_false.variable_);
          lc.sub(bit.variable_);
        },
        term(bit.variable_), no_terms());
    return bit;
  }

 private:
  Variable variable_;
  bool value_ = false;
};

// Each allocates one bit r and constrains it; the operand order is observable.

// (2 a) * b = a + b - r.
template <ConstraintSystem CS>
AllocatedBit xor_of(CS& cs, const AllocatedBit& a, const AllocatedBit& b) {
  const bool value = a.value() != b.value();
  const AllocatedBit r(cs.alloc_bit(value), value);
  cs.enforce(
      [&](LinearCombination& lc) {
        lc.add(a.variable());
        lc.add(a.variable());
      },
      term(b.variable()),
      [&](LinearCombination& lc) {
        lc.add(a.variable());
        lc.add(b.variable());
        lc.sub(r.variable());
      });
  return r;
}

// a * b = r.
template <ConstraintSystem CS>
AllocatedBit and_of(CS& cs, const AllocatedBit& a, const AllocatedBit& b) {
  const bool value = a.value() && b.value();
  const AllocatedBit r(cs.alloc_bit(value), value);
  cs.enforce(term(a.variable()), term(b.variable()), term(r.variable()));
  return r;
}

// a * (1 - b) = r.
template <ConstraintSystem CS>
AllocatedBit and_not_of(CS& cs, const AllocatedBit& a, const AllocatedBit& b) {
  const bool value = a.value() && !b.value();
  const AllocatedBit r(cs.alloc_bit(value), value);
  cs.enforce(term(a.variable()), b.complement(), term(r.variable()));
  return r;
}

// (1 - a) * (1 - b) = r.
template <ConstraintSystem CS>
AllocatedBit nor_of(CS& cs, const AllocatedBit& a, const AllocatedBit& b) {
  const bool value = !a.value() && !b.value();
  const AllocatedBit r(cs.alloc_bit(value), value);
  cs.enforce(a.complement(), b.complement(), term(r.variable()));
  return r;
}

}  // namespace cuzk
