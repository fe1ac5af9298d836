#include "r1cs/shape_system.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "base/check.h"

namespace cuzk {

ShapeSystem::ShapeSystem() {
  coefficient_index(Fr::one());
  coefficient_index(-Fr::one());
  begin_block();
  repeating_ = false;
  alloc_input(Fr::one());
}

void ShapeSystem::begin_block() {
  CUZK_CHECK(!repeating_, "repeat() cannot be nested");
  repeating_ = true;
  R1csBlock block;
  block.first_input = static_cast<std::uint32_t>(r1cs_.num_inputs_);
  block.first_aux = static_cast<std::uint32_t>(r1cs_.num_aux_);
  block.first_full = static_cast<std::uint32_t>(r1cs_.num_full_);
  block.first_constraint = static_cast<std::uint32_t>(r1cs_.num_constraints_);
  r1cs_.blocks_.push_back(std::move(block));
  full_of_aux_.emplace_back();
}

void ShapeSystem::add_parameters(std::size_t repetition, const std::vector<Variable>& variables) {
  R1csBlock& block = r1cs_.blocks_.back();
  if (repetition == 0) {
    block.num_parameters = static_cast<std::uint32_t>(variables.size());
    for (std::uint32_t k = 0; k < block.num_parameters; ++k) parameter_number_[variables[k]] = k;
  }
  CUZK_CHECK(variables.size() == block.num_parameters, "every repetition has as many parameters");
  CUZK_CHECK(
      std::adjacent_find(variables.begin(), variables.end(), std::greater_equal<>()) == variables.end(),
      "parameters are ascending");
  for (const Variable variable : variables) {
    CUZK_CHECK(variable.is_aux() && variable.index() < block.first_aux,
               "a parameter is an earlier aux variable");
    block.parameters.push_back(absolute_or_relative(variable));
  }
}

void ShapeSystem::end_block(std::size_t count) {
  R1csBlock& block = r1cs_.blocks_.back();
  parameter_number_.clear();
  block.count = static_cast<std::uint32_t>(count);
  const std::size_t more = count - 1;
  r1cs_.num_inputs_ += more * block.num_inputs;
  r1cs_.num_aux_ += more * block.num_aux;
  r1cs_.num_full_ += more * block.num_full;
  r1cs_.num_constraints_ += more * block.num_constraints;
  CUZK_CHECK(r1cs_.num_aux_ <= Column::kIndexMask && r1cs_.num_inputs_ <= Column::kIndexMask,
             "a circuit of more variables than a column can name");
  repeating_ = false;
  begin_block();  // what follows the repetitions
  repeating_ = false;
}

Variable ShapeSystem::alloc_input(const Fr&) {
  ++r1cs_.blocks_.back().num_inputs;
  return Variable::input(static_cast<std::uint32_t>(r1cs_.num_inputs_++));
}

Variable ShapeSystem::alloc_aux(bool is_bit) {
  R1csBlock& block = r1cs_.blocks_.back();
  const auto index = static_cast<std::uint32_t>(r1cs_.num_aux_++);
  ++block.num_aux;
  if (is_bit) {
    full_of_aux_.back().push_back(kBit);
  } else {
    full_of_aux_.back().push_back(static_cast<std::uint32_t>(r1cs_.num_full_++));
    block.full_aux.push_back(index);
    ++block.num_full;
  }
  return Variable::aux(index);
}

void ShapeSystem::record_constraint() {
  R1csBlock& block = r1cs_.blocks_.back();
  record_side(a_, block.a);
  record_side(b_, block.b);
  record_side(c_, block.c);
  ++block.num_constraints;
  ++r1cs_.num_constraints_;
}

void ShapeSystem::record_side(LinearCombination& side, SparseRows& rows) {
  side.canonicalize();
  for (const Term& term : side.terms()) {
    rows.columns.push_back(column_of(term.variable));
    rows.coefficients.push_back(coefficient_index(term.coefficient));
  }
  CUZK_CHECK(rows.columns.size() <= std::numeric_limits<std::uint32_t>::max(),
             "a block with too many non-zeros");
  rows.row_end.push_back(static_cast<std::uint32_t>(rows.columns.size()));
}

Column ShapeSystem::column_of(Variable variable) const {
  if (!parameter_number_.empty()) {
    const auto parameter = parameter_number_.find(variable);
    if (parameter != parameter_number_.end()) return {ColumnKind::parameter, false, parameter->second};
  }
  return absolute_or_relative(variable);
}

Column ShapeSystem::absolute_or_relative(Variable variable) const {
  const std::uint32_t index = variable.index();
  const R1csBlock& current = r1cs_.blocks_.back();
  if (!variable.is_aux()) {
    return {ColumnKind::input, repeating_ && index >= current.first_input, index};
  }
  std::size_t owner = r1cs_.blocks_.size() - 1;
  while (r1cs_.blocks_[owner].first_aux > index) --owner;
  const R1csBlock& block = r1cs_.blocks_[owner];
  CUZK_CHECK(&block == &current || block.count == 1, "a variable of a repeated block is used outside of it");
  const std::uint32_t full = full_of_aux_[owner][index - block.first_aux];
  const bool relative = repeating_ && &block == &current;
  return full == kBit ? Column(ColumnKind::bit, relative, index) : Column(ColumnKind::full, relative, full);
}

std::uint16_t ShapeSystem::coefficient_index(const Fr& coefficient) {
  const std::size_t known = r1cs_.coefficients_.size();
  const auto [entry, inserted] =
      coefficient_index_.try_emplace(coefficient, static_cast<std::uint16_t>(known));
  if (inserted) {
    CUZK_CHECK(known <= std::numeric_limits<std::uint16_t>::max(), "more than 65,536 distinct coefficients");
    r1cs_.coefficients_.push_back(coefficient);
  }
  return entry->second;
}

R1cs ShapeSystem::finish() {
  std::erase_if(r1cs_.blocks_, [](const R1csBlock& block) {
    return block.num_inputs == 0 && block.num_aux == 0 && block.num_constraints == 0;
  });
  return std::move(r1cs_);
}

}  // namespace cuzk
