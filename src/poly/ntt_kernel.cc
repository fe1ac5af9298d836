#include "poly/ntt_kernel.h"

#include <algorithm>

#include "base/check.h"

namespace cuzk {

PassPlan::PassPlan(unsigned log_n_in, unsigned max_row_levels, unsigned max_column_levels)
    : log_n(log_n_in), row_levels(std::min(log_n_in, max_row_levels)) {
  const unsigned left = log_n - row_levels;
  if (left == 0) return;
  CUZK_CHECK(row_levels >= 3 && max_column_levels >= 1, "a column pass works on eight columns at a time");
  const unsigned num_passes = (left + max_column_levels - 1) / max_column_levels;
  for (unsigned pass = 0, level = 0; pass < num_passes; ++pass) {
    const unsigned levels = (left - level + (num_passes - pass) - 1) / (num_passes - pass);
    columns.push_back({level, levels, std::size_t{1} << (log_n - level - levels)});
    level += levels;
  }
}

Fr root_of_unity(unsigned log_order, Root root) noexcept {
  CUZK_CHECK(log_order <= kFrTwoAdicity, "Fr has no root of unity of this order");
  Fr w = root == Root::forward ? kFrRootOfUnity : kFrRootOfUnity.inverse();
  for (unsigned i = log_order; i < kFrTwoAdicity; ++i) w = w.squared();
  return w;
}

std::size_t reverse_bits(std::size_t value, unsigned bits) noexcept {
  std::size_t out = 0;
  for (unsigned i = 0; i < bits; ++i) out |= ((value >> i) & 1) << (bits - 1 - i);
  return out;
}

std::vector<Fr> bit_reversed_roots(Root root, std::size_t length) {
  std::vector<Fr> roots(length);
  roots[0] = Fr::one();
  unsigned log_order = 2;
  for (std::size_t half = 1; half < length; half *= 2, ++log_order) {
    const Fr w = root_of_unity(log_order, root);
    for (std::size_t b = 0; b < half; ++b) roots[half + b] = roots[b] * w;
  }
  return roots;
}

std::vector<Fr> bit_reversed_powers(const PassPlan& plan, const Fr& base) {
  std::vector<Fr> powers(plan.row_length());
  const Fr step = base.pow(plan.num_rows());
  Fr power = Fr::one();
  for (std::size_t j = 0; j < powers.size(); ++j) {
    powers[reverse_bits(j, plan.row_levels)] = power;
    power *= step;
  }
  return powers;
}

Fr base_of(Scale::Base base, unsigned log_n) noexcept {
  switch (base) {
    case Scale::Base::one:
      return Fr::one();
    case Scale::Base::coset:
      return root_of_unity(log_n + 1, Root::forward);
    case Scale::Base::inverse_coset:
      return root_of_unity(log_n + 1, Root::inverse);
  }
  return Fr::one();
}

}  // namespace cuzk
