// The policy over which every circuit and gadget is a template: a circuit is written once, in the order of
// the network's reference circuits, and each system takes from it what it needs.
//
//   ShapeSystem    records the R1CS (r1cs.h), each repeated block once
//   WitnessSystem  computes the values only; enforce compiles to nothing
//   ProvingSystem  values, and a, b, c and densities evaluated while enforcing: the classical prover's
//   synthesis TestSystem     names every constraint and says which one fails
//
// The allocation order, the constraint order and every coefficient are observable (they fix the trusted
// setup), values are not: a system that does not need values gets zeros and must produce the same shape.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "r1cs/linear_combination.h"

namespace cuzk {

// What a system offers. `fill` below stands for a callable void(LinearCombination&) that adds the terms of one
// side.
// - kWantsConstraints: whether enforce() calls its arguments; a gadget skips building combinations otherwise.
// - alloc(value): a new aux variable holding any field element.
// - alloc_bit(value): a new aux variable that the caller constrains to 0 or 1; one bit of a Witness.
// - alloc_input(value): a new public input.
// - enforce(a, b, c): the constraint a * b = c.
// - repeat(n, block): block(cs, i) for i = 0 .. n-1, where every call must emit the same shape into the system
//   that it is given (which may be another one for each i): the same allocations, and the same constraints over
//   its own variables (shifted) and those allocated before repeat. Not nested. ShapeSystem calls block(cs, 0)
//   only; WitnessSystem may call several at the same time.
// - repeat(n, parameters, block): the same, where parameters(i), a std::vector<Variable> of one length and
//   ascending, lists aux variables allocated before repeat that block(cs, i) has for its own: where block(cs, 0)
//   uses parameters(0)[k], block(cs, i) uses parameters(i)[k].
// - enter(name, index), leave(): a named scope; without effect on the R1CS. index < 0 means none.
template <class CS>
concept ConstraintSystem = requires(CS cs, const Fr& value, bool bit, void (*fill)(LinearCombination&),
                                    void (*block)(CS&, std::size_t), const char* name, int index) {
  { CS::kWantsConstraints } -> std::convertible_to<bool>;
  { cs.alloc(value) } -> std::same_as<Variable>;
  { cs.alloc_bit(bit) } -> std::same_as<Variable>;
  { cs.alloc_input(value) } -> std::same_as<Variable>;
  cs.enforce(fill, fill, fill);
  cs.repeat(std::size_t{}, block);
  cs.enter(name, index);
  cs.leave();
};

// Enters a named scope for its own lifetime. Costs nothing where the system ignores names.
template <ConstraintSystem CS>
class [[nodiscard]] Scope {
 public:
  Scope(CS& cs, const char* name, int index = -1) : cs_(cs) { cs_.enter(name, index); }
  ~Scope() { cs_.leave(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  CS& cs_;
};

}  // namespace cuzk
