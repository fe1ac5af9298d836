// Poseidon in a circuit: neptune's first ("legacy") one, with which the network's parameters were made. Source:
// docs/formats/poseidon.md, neptune 11.0.0 (circuit.rs).
//
// Each S-box allocates its input (a linear combination), the square, the fourth and the fifth power; mixing
// only combines. The fifth power carries the next round's key, so keys cost nothing.
#pragma once

#include <span>
#include <vector>

#include "gadget/allocated_num.h"
#include "hash/poseidon.h"

namespace cuzk {

namespace detail {

// The elements of the state as linear combinations of one common list of variables. Mixing after a full round
// starts a new list, of the round's results; a partial round adds its one result.
class PoseidonCombinations {
 public:
  explicit PoseidonCombinations(unsigned width) : width_(width) {}

  // After a full round with these results: element j = sum_i result_i * matrix[i][j].
  void set_mixed(std::span<const AllocatedNum> results, const std::vector<Fr>& matrix);
  // After a partial round: element 0 becomes the result, then all are mixed.
  void add_mixed(const AllocatedNum& result, const PoseidonSparseMatrix& matrix);

  const Fr& value(unsigned element) const noexcept { return values_[element]; }
  auto combination(unsigned element) const noexcept {
    return [this, element](LinearCombination& lc) {
      for (std::size_t k = 0; k < variables_.size(); ++k)
        lc.add(variables_[k], columns_[k * width_ + element]);
    };
  }

 private:
  unsigned width_;
  std::vector<Variable> variables_;  // ascending
  std::vector<Fr> columns_;          // for each variable its width_ coefficients
  std::vector<Fr> values_;           // of the elements
};

template <ConstraintSystem CS>
class PoseidonCircuit {
 public:
  PoseidonCircuit(CS& cs, const PoseidonConstants& constants)
      : cs_(cs), constants_(constants), state_(constants.width), results_(constants.width) {}

  AllocatedNum hash(const Fr& tag, std::span<const AllocatedNum> preimage) {
    const unsigned half = constants_.full_rounds / 2;
    first_round(tag, preimage);
    for (unsigned round = 1; round < half; ++round) {
      state_.set_mixed(results_, constants_.mds);
      full_round();
    }
    state_.set_mixed(results_, constants_.pre_sparse);
    for (const PoseidonSparseMatrix& matrix : constants_.sparse) {
      state_.add_mixed(fifth_power(allocated(0), next_key()), matrix);
    }
    for (unsigned round = 1; round < half; ++round) {
      full_round();
      state_.set_mixed(results_, constants_.mds);
    }
    for (unsigned i = 0; i < constants_.width; ++i) results_[i] = fifth_power(allocated(i), Fr::zero());
    state_.set_mixed(results_, constants_.mds);
    return allocated(1);
  }

 private:
  const Fr& next_key() noexcept { return constants_.crc[next_key_++]; }

  // A new variable equal to an element.
  AllocatedNum allocated(unsigned element) {
    const AllocatedNum num = AllocatedNum::alloc(cs_, state_.value(element));
    cs_.enforce(state_.combination(element), one_term(), term(num.variable()));
    return num;
  }

  // base^5 + key in three new variables, with `base` a callable that adds the base of this value.
  template <class Base>
  AllocatedNum fifth_power(const Base& base, const Fr& base_value, const Fr& key) {
    const AllocatedNum square = AllocatedNum::alloc(cs_, base_value.squared());
    cs_.enforce(base, base, term(square.variable()));
    const AllocatedNum fourth = mul(cs_, square, square);
    const AllocatedNum fifth = AllocatedNum::alloc(cs_, base_value * fourth.value() + key);
    cs_.enforce(base, term(fourth.variable()), [&](LinearCombination& lc) {
      lc.add(fifth.variable());
      lc.add(kOneVariable, -key);
    });
    return fifth;
  }
  AllocatedNum fifth_power(const AllocatedNum& base, const Fr& key) {
    return fifth_power(term(base.variable()), base.value(), key);
  }

  // The keys before the first S-boxes are part of their base; the tag's S-box is a constant.
  void first_round(const Fr& tag, std::span<const AllocatedNum> preimage) {
    next_key_ = constants_.width;
    results_[0] = AllocatedNum(kOneVariable, (tag + constants_.crc[0]).pow(5) + next_key());
    for (unsigned i = 1; i < constants_.width; ++i) {
      const AllocatedNum& input = preimage[i - 1];
      const Fr& pre_key = constants_.crc[i];
      const auto base = [&](LinearCombination& lc) {
        lc.add(kOneVariable, pre_key);
        lc.add(input.variable());
      };
      results_[i] = fifth_power(base, input.value() + pre_key, next_key());
    }
  }

  void full_round() {
    for (unsigned i = 0; i < constants_.width; ++i) results_[i] = fifth_power(allocated(i), next_key());
  }

  CS& cs_;
  const PoseidonConstants& constants_;
  PoseidonCombinations state_;         // before the S-boxes
  std::vector<AllocatedNum> results_;  // of a full round's S-boxes
  std::size_t next_key_ = 0;
};

}  // namespace detail

// The hash of preimage.size() numbers, an arity that poseidon_constants() has (checked), under a domain tag.
template <ConstraintSystem CS>
AllocatedNum poseidon(CS& cs, std::span<const AllocatedNum> preimage, const Fr& tag) {
  const PoseidonConstants& constants = poseidon_constants(static_cast<unsigned>(preimage.size()));
  if constexpr (CS::kWantsConstraints) {
    return detail::PoseidonCircuit<CS>(cs, constants).hash(tag, preimage);
  } else {
    std::array<Fr, kPoseidonMaxArity> values;
    for (std::size_t i = 0; i < preimage.size(); ++i) values[i] = preimage[i].value();
    Variable last;  // of the digest
    const Fr digest = poseidon_trace(constants, tag, std::span<const Fr>(values).first(preimage.size()),
                                     [&](const Fr& value) { last = cs.alloc(value); });
    return AllocatedNum(last, digest);
  }
}

// The same under the tag of Merkle nodes and columns, 2^arity - 1.
template <ConstraintSystem CS>
AllocatedNum poseidon(CS& cs, std::span<const AllocatedNum> preimage) {
  return poseidon(cs, preimage, poseidon_constants(static_cast<unsigned>(preimage.size())).merkle_tag);
}

}  // namespace cuzk
