// TestSystem: keeps every value, combination and name; says which constraint fails, and the digest at every
// scope. It is for tests and for explaining a failure, on circuits of a few million constraints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "r1cs/constraint_system.h"
#include "r1cs/digest.h"

namespace cuzk {

class TestSystem {
 public:
  static constexpr bool kWantsConstraints = true;

  // What was there when a scope was entered.
  struct Checkpoint {
    std::string path;  // "challenge 0/drg_parent 3"
    std::size_t inputs, aux, constraints;
    Bytes32 digest;
  };

  TestSystem() { alloc_input(Fr::one()); }

  Variable alloc(const Fr& value) {
    aux_.push_back(value);
    return Variable::aux(static_cast<std::uint32_t>(aux_.size() - 1));
  }
  Variable alloc_bit(bool value) { return alloc(value ? Fr::one() : Fr::zero()); }
  Variable alloc_input(const Fr& value) {
    inputs_.push_back(value);
    return Variable::input(static_cast<std::uint32_t>(inputs_.size() - 1));
  }

  template <class A, class B, class C>
  void enforce(const A& a, const B& b, const C& c) {
    Constraint& constraint = constraints_.emplace_back();
    a(constraint.a);
    b(constraint.b);
    c(constraint.c);
    record(constraint);
  }

  template <class Block>
  void repeat(std::size_t n, const Block& block) {
    for (std::size_t i = 0; i < n; ++i) block(*this, i);
  }
  template <class Parameters, class Block>
  void repeat(std::size_t n, const Parameters&, const Block& block) {
    repeat(n, block);
  }

  void enter(const char* name, int index);
  void leave();

  std::size_t num_inputs() const noexcept { return inputs_.size(); }
  std::size_t num_aux() const noexcept { return aux_.size(); }
  std::size_t num_constraints() const noexcept { return constraints_.size(); }
  const std::vector<Fr>& inputs() const noexcept { return inputs_; }
  const std::vector<Fr>& aux() const noexcept { return aux_; }
  // Overwrites a value, to see that a constraint notices.
  void set_aux(std::size_t index, const Fr& value) { aux_[index] = value; }
  void set_input(std::size_t index, const Fr& value) { inputs_[index] = value; }

  // "constraint 17 in challenge 0/label: a * b != c", or nothing if all hold.
  std::optional<std::string> first_unsatisfied() const;
  Bytes32 digest() const { return hasher_.digest_so_far(); }
  const std::vector<Checkpoint>& checkpoints() const noexcept { return checkpoints_; }
  struct NonZeros {
    std::size_t a, b, c;
  };
  NonZeros non_zeros() const noexcept;

 private:
  struct Constraint {
    LinearCombination a, b, c;
    std::uint32_t path = 0;  // index into paths_
  };
  void record(Constraint& constraint);
  Fr value_of(const LinearCombination& combination) const;

  std::vector<Fr> inputs_, aux_;
  std::vector<Constraint> constraints_;
  std::vector<std::string> paths_{std::string()};
  std::vector<std::uint32_t> open_paths_{0};
  std::vector<Checkpoint> checkpoints_;
  R1csHasher hasher_;
};

}  // namespace cuzk
