#include "reference/random_circuit.h"

#include <algorithm>
#include <random>

#include "base/check.h"
#include "r1cs/shape_system.h"
#include "r1cs/witness_system.h"

namespace cuzk::reference {
namespace {

struct Known {
  Variable variable;
  Fr value;
};

Fr random_element(std::mt19937_64& random) {
  FrRepr repr;
  for (std::uint64_t& limb : repr) limb = random();
  return Fr::from_repr_unchecked(repr);
}

// Draws the values of free variables; the shape does not depend on it.
class ValueSource {
 public:
  ValueSource(Values values, std::uint64_t seed) : values_(values), random_(seed) {}
  bool bit() { return values_ == Values::ones || (values_ != Values::zeros && random_() % 2 == 1); }
  Fr element() {
    switch (values_) {
      case Values::zeros:
        return Fr::zero();
      case Values::ones:
        return Fr::one();
      case Values::random_bits:
        return random_element(random_);
      default:
        break;
    }
    const Fr choices[] = {Fr::zero(), Fr::one(), Fr::from_u64(2), -Fr::one(), random_element(random_)};
    return choices[random_() % 5];
  }

 private:
  Values values_;
  std::mt19937_64 random_;
};

template <ConstraintSystem CS>
class Builder {
 public:
  Builder(CS& cs, const CircuitSpec& spec, ValueSource& values) : cs_(cs), spec_(spec), values_(values) {
    known_.push_back({kOneVariable, Fr::one()});
  }

  void build() {
    const std::size_t n = spec_.num_constraints;
    const std::size_t per_block = n < 10 ? 0 : (n - 2) / 4;
    const std::size_t head = (n - 3 * per_block + 1) / 2;
    emit(head, 1);
    const std::vector<Known> before = known_;
    if (per_block > 0) build_repetitions(per_block);
    known_ = before;
    emit(n - head - 3 * per_block, 3);
  }

 private:
  // Each repetition has one of the last aux variables for its own (a parameter) and does not see the others' own.
  void build_repetitions(std::size_t constraints) {
    constexpr std::size_t kRepetitions = 3;
    std::vector<Known> shared, own;
    for (std::size_t i = known_.size(); i-- > 0;) {
      const bool take = known_[i].variable.is_aux() && own.size() < kRepetitions;
      (take ? own : shared).push_back(known_[i]);
    }
    std::reverse(shared.begin(), shared.end());  // ONE first
    if (own.size() < kRepetitions) own.clear();
    const auto parameters = [&](std::size_t k) {
      return own.empty() ? std::vector<Variable>() : std::vector<Variable>{own[k].variable};
    };
    cs_.repeat(kRepetitions, parameters, [&](CS&, std::size_t k) {
      known_ = shared;
      if (!own.empty()) known_.push_back(own[k]);
      emit(constraints, 2);  // the same shape in each repetition
    });
  }

  void emit(std::size_t constraints, std::uint64_t part) {
    shape_.seed(spec_.seed * 4 + part);
    for (std::size_t i = 0; i < constraints; ++i) {
      switch (shape_() % (spec_.public_outputs && !spec_.plain ? 4 : 3)) {
        case 0:
          bit();
          break;
        case 1:
          product(false);
          break;
        case 2:
          product(true);
          break;
        default:
          output();
          break;
      }
    }
  }

  // (1 - x) x = 0; in a plain circuit x x = x.
  void bit() {
    const bool value = values_.bit();
    const Variable x = cs_.alloc_bit(value);
    cs_.enforce(
        [&](LinearCombination& lc) {
          if (!spec_.plain) lc.add(kOneVariable);
          spec_.plain ? lc.add(x) : lc.sub(x);
        },
        [&](LinearCombination& lc) { lc.add(x); },
        [&](LinearCombination& lc) {
          if (spec_.plain) lc.add(x);
        });
    known_.push_back({x, value ? Fr::one() : Fr::zero()});
  }

  // x y = z, x a free element or a sum, y a sum, z a new element.
  void product(bool free_factor) {
    LinearCombination left, right;
    Fr left_value;
    if (free_factor || known_.size() == 1) {
      left_value = values_.element();
      const Variable x = cs_.alloc(left_value);
      left.add(x);
      known_.push_back({x, left_value});
    } else {
      left_value = random_sum(left);
    }
    const Fr right_value = random_sum(right);
    const Fr value = left_value * right_value;
    const Variable z = cs_.alloc(value);
    enforce(left, right, z);
    known_.push_back({z, value});
  }

  // A new input is the product of two sums.
  void output() {
    LinearCombination left, right;
    const Fr left_value = random_sum(left);
    const Fr value = left_value * random_sum(right);
    const Variable out = cs_.alloc_input(value);
    enforce(left, right, out);
    known_.push_back({out, value});
  }

  void enforce(const LinearCombination& left, const LinearCombination& right, Variable product) {
    cs_.enforce([&](LinearCombination& lc) { lc.add(left); }, [&](LinearCombination& lc) { lc.add(right); },
                [&](LinearCombination& lc) { lc.add(product); });
  }

  // In a plain circuit one variable other than ONE.
  Fr random_sum(LinearCombination& lc) {
    if (spec_.plain) {
      const Known& one = known_[known_.size() == 1 ? 0 : 1 + shape_() % (known_.size() - 1)];
      lc.add(one.variable);
      return one.value;
    }
    Fr sum;
    const std::size_t terms = 1 + shape_() % 4;
    for (std::size_t i = 0; i < terms; ++i) {
      const Known& known = known_[shape_() % known_.size()];
      const Fr small = Fr::from_u64(3 + shape_() % 5);
      const Fr coefficients[] = {Fr::one(), -Fr::one(), small, random_element(shape_)};
      const Fr coefficient = coefficients[shape_() % 4];
      lc.add(known.variable, coefficient);
      sum += coefficient * known.value;
    }
    return sum;
  }

  CS& cs_;
  const CircuitSpec& spec_;
  ValueSource& values_;
  std::mt19937_64 shape_;
  std::vector<Known> known_;
};

}  // namespace

std::shared_ptr<const R1cs> random_r1cs(const CircuitSpec& spec) {
  ShapeSystem cs;
  ValueSource values(Values::zeros, 0);
  Builder<ShapeSystem>(cs, spec, values).build();
  return std::make_shared<const R1cs>(cs.finish());
}

Witness random_witness(const CircuitSpec& spec, Values values, std::uint64_t value_seed) {
  CUZK_CHECK(spec.plain || values == Values::random_bits || values == Values::edge_elements,
             "only a plain circuit has constant witnesses");
  WitnessSystem cs;
  ValueSource source(values, value_seed);
  Builder<WitnessSystem>(cs, spec, source).build();
  return cs.finish();
}

}  // namespace cuzk::reference
