// ShapeSystem: records the R1CS of a circuit. Values are ignored; a repeated block is run and stored once.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "r1cs/constraint_system.h"
#include "r1cs/r1cs.h"

namespace cuzk {

class ShapeSystem {
 public:
  static constexpr bool kWantsConstraints = true;

  ShapeSystem();  // ONE is allocated

  Variable alloc(const Fr&) { return alloc_aux(false); }
  Variable alloc_bit(bool) { return alloc_aux(true); }
  Variable alloc_input(const Fr&);

  template <class A, class B, class C>
  void enforce(const A& a, const B& b, const C& c) {
    a_.clear();
    b_.clear();
    c_.clear();
    a(a_);
    b(b_);
    c(c_);
    record_constraint();
  }

  template <class Block>
  void repeat(std::size_t n, const Block& block) {
    repeat(
        n, [](std::size_t) { return std::vector<Variable>(); }, block);
  }
  template <class Parameters, class Block>
  void repeat(std::size_t n, const Parameters& parameters, const Block& block) {
    if (n == 0) return;
    begin_block();
    for (std::size_t i = 0; i < n; ++i) add_parameters(i, parameters(i));
    block(*this, std::size_t{0});
    end_block(n);
  }

  void enter(const char*, int) {}
  void leave() {}

  // Hands out what was recorded; the system is empty afterwards and must not be used again.
  R1cs finish();

 private:
  struct CoefficientHash {
    std::size_t operator()(const Fr& value) const noexcept {
      const auto& limbs = value.montgomery();
      return limbs[0] ^ (limbs[1] * 0x9e3779b97f4a7c15) ^ limbs[3];
    }
  };

  Variable alloc_aux(bool is_bit);
  void begin_block();
  void add_parameters(std::size_t repetition, const std::vector<Variable>& variables);
  void end_block(std::size_t count);
  void record_constraint();
  void record_side(LinearCombination& side, SparseRows& rows);
  Column column_of(Variable variable) const;
  Column absolute_or_relative(Variable variable) const;
  std::uint16_t coefficient_index(const Fr& coefficient);

  R1cs r1cs_;
  // For each aux of the block in progress and of the blocks before it: its ordinal among the full ones, or
  // kBit.
  static constexpr std::uint32_t kBit = ~0u;
  std::vector<std::vector<std::uint32_t>> full_of_aux_;
  std::unordered_map<Fr, std::uint16_t, CoefficientHash> coefficient_index_;
  bool repeating_ = false;
  std::map<Variable, std::uint32_t> parameter_number_;  // of repetition 0 of the block in progress
  LinearCombination a_, b_, c_;
};

}  // namespace cuzk
