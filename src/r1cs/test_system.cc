#include "r1cs/test_system.h"

namespace cuzk {

void TestSystem::enter(const char* name, int index) {
  std::string path = paths_[open_paths_.back()];
  if (!path.empty()) path += '/';
  path += name;
  if (index >= 0) path += ' ' + std::to_string(index);
  checkpoints_.push_back({path, inputs_.size(), aux_.size(), constraints_.size(), hasher_.digest_so_far()});
  open_paths_.push_back(static_cast<std::uint32_t>(paths_.size()));
  paths_.push_back(std::move(path));
}

void TestSystem::leave() {
  open_paths_.pop_back();
}

void TestSystem::record(Constraint& constraint) {
  constraint.path = open_paths_.back();
  for (LinearCombination* side : {&constraint.a, &constraint.b, &constraint.c}) {
    side->canonicalize();
    hasher_.update(*side);
  }
}

Fr TestSystem::value_of(const LinearCombination& combination) const {
  Fr sum;
  for (const Term& term : combination.terms()) {
    const auto& values = term.variable.is_aux() ? aux_ : inputs_;
    sum += term.coefficient * values[term.variable.index()];
  }
  return sum;
}

std::optional<std::string> TestSystem::first_unsatisfied() const {
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const Constraint& constraint = constraints_[i];
    if (value_of(constraint.a) * value_of(constraint.b) == value_of(constraint.c)) continue;
    return "constraint " + std::to_string(i) + " in " + paths_[constraint.path] + ": a * b != c";
  }
  return std::nullopt;
}

TestSystem::NonZeros TestSystem::non_zeros() const noexcept {
  NonZeros total{};
  for (const Constraint& constraint : constraints_) {
    total.a += constraint.a.terms().size();
    total.b += constraint.b.terms().size();
    total.c += constraint.c.terms().size();
  }
  return total;
}

}  // namespace cuzk
