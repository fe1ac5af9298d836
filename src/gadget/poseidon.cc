#include "gadget/poseidon.h"

#include "hash/fr_dot.h"

namespace cuzk::detail {

void PoseidonCombinations::set_mixed(std::span<const AllocatedNum> results, const std::vector<Fr>& matrix) {
  variables_.clear();
  columns_.clear();
  values_.assign(width_, Fr::zero());
  for (unsigned i = 0; i < width_; ++i) {
    const AllocatedNum& result = results[i];
    // The tag's result in the first round is a constant: its value stands in the coefficients of ONE.
    const bool is_constant = result.variable() == kOneVariable;
    variables_.push_back(result.variable());
    for (unsigned j = 0; j < width_; ++j) {
      const Fr& factor = matrix[std::size_t{i} * width_ + j];
      const Fr share = factor * result.value();
      columns_.push_back(is_constant ? share : factor);
      values_[j] += share;
    }
  }
}

void PoseidonCombinations::add_mixed(const AllocatedNum& result, const PoseidonSparseMatrix& matrix) {
  // Element 0 is the new variable alone: no older one occurs in it, and no other element has the new one.
  for (std::size_t k = 0; k < variables_.size(); ++k) {
    Fr* column = columns_.data() + k * width_;
    column[0] = fr_dot(column + 1, matrix.w_hat.data() + 1, width_ - 1);
  }
  variables_.push_back(result.variable());
  columns_.push_back(matrix.w_hat[0]);
  columns_.insert(columns_.end(), matrix.v_rest.begin(), matrix.v_rest.end());

  values_[0] = result.value();
  const Fr mixed = fr_dot(values_.data(), matrix.w_hat.data(), width_);
  for (unsigned j = 1; j < width_; ++j) values_[j] += result.value() * matrix.v_rest[j - 1];
  values_[0] = mixed;
}

}  // namespace cuzk::detail
