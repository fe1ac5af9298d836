// ProvingSystem: the classical synthesis, as in bellperson's ProvingAssignment: values, and A, B, C evaluated
// and densities marked while enforcing. It checks ShapeSystem and WitnessSystem, and is the baseline of the
// synthesis benchmark.
#pragma once

#include <vector>

#include "r1cs/constraint_system.h"
#include "r1cs/r1cs.h"

namespace cuzk {

class ProvingSystem {
 public:
  static constexpr bool kWantsConstraints = true;

  ProvingSystem() { alloc_input(Fr::one()); }

  Variable alloc(const Fr& value) {
    aux_.push_back(value);
    densities_.aux_in_a.push_back(false);
    densities_.aux_in_b.push_back(false);
    return Variable::aux(static_cast<std::uint32_t>(aux_.size() - 1));
  }
  Variable alloc_bit(bool value) { return alloc(value ? Fr::one() : Fr::zero()); }
  Variable alloc_input(const Fr& value) {
    inputs_.push_back(value);
    densities_.inputs_in_b.push_back(false);
    return Variable::input(static_cast<std::uint32_t>(inputs_.size() - 1));
  }

  template <class A, class B, class C>
  void enforce(const A& a, const B& b, const C& c) {
    a_values_.push_back(evaluate(a, &densities_.aux_in_a, nullptr));
    b_values_.push_back(evaluate(b, &densities_.aux_in_b, &densities_.inputs_in_b));
    c_values_.push_back(evaluate(c, nullptr, nullptr));
  }

  template <class Block>
  void repeat(std::size_t n, const Block& block) {
    for (std::size_t i = 0; i < n; ++i) block(*this, i);
  }
  template <class Parameters, class Block>
  void repeat(std::size_t n, const Parameters&, const Block& block) {
    repeat(n, block);
  }

  void enter(const char*, int) noexcept {}
  void leave() noexcept {}

  const std::vector<Fr>& inputs() const noexcept { return inputs_; }  // ONE first
  const std::vector<Fr>& aux() const noexcept { return aux_; }
  // The values of each constraint's three sides, in order, without the closing input constraints.
  const std::vector<Fr>& a() const noexcept { return a_values_; }
  const std::vector<Fr>& b() const noexcept { return b_values_; }
  const std::vector<Fr>& c() const noexcept { return c_values_; }
  const Densities& densities() const noexcept { return densities_; }

 private:
  template <class Fill>
  Fr evaluate(const Fill& fill, BitVector* aux_density, BitVector* input_density) {
    combination_.clear();
    fill(combination_);
    combination_.canonicalize();
    return value_of(combination_, aux_density, input_density);
  }
  Fr value_of(const LinearCombination& combination, BitVector* aux_density, BitVector* input_density) const;

  std::vector<Fr> inputs_, aux_;
  std::vector<Fr> a_values_, b_values_, c_values_;
  Densities densities_;
  LinearCombination combination_;
};

}  // namespace cuzk
