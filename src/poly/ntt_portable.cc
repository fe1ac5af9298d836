// The transform kernels in plain scalar arithmetic (mulx/adx where the processor has it).
#include <array>
#include <span>

#include "poly/ntt_kernel.h"

namespace cuzk {
namespace {

constexpr std::size_t kColumns = 8;

// A column of the local matrix is at distance 1, a row at distance `width`: columns are 8 wide, a row is 1
// wide. `factor(level, block)` gives c of the levels counted from the first of this pass.
template <typename Factor>
void levels_to_bit_reversed(Fr* values, unsigned levels, std::size_t width, const Factor& factor) {
  for (unsigned s = 0; s < levels; ++s) {
    const std::size_t half = (width << levels) >> (s + 1);
    Fr* x = values;
    for (std::size_t b = 0; b < std::size_t{1} << s; ++b, x += 2 * half) {
      const Fr c = factor(s, b);
      for (std::size_t j = 0; j < half; ++j) {
        const Fr y = x[half + j] * c;
        x[half + j] = x[j] - y;
        x[j] += y;
      }
    }
  }
}

template <typename Factor>
void levels_to_natural(Fr* values, unsigned levels, std::size_t width, const Factor& factor) {
  for (unsigned s = levels; s-- > 0;) {
    const std::size_t half = (width << levels) >> (s + 1);
    Fr* x = values;
    for (std::size_t b = 0; b < std::size_t{1} << s; ++b, x += 2 * half) {
      const Fr c = factor(s, b);
      for (std::size_t j = 0; j < half; ++j) {
        const Fr difference = x[j] - x[half + j];
        x[j] += x[half + j];
        x[half + j] = difference * c;
      }
    }
  }
}

// The columns of a pass, copied together.
class LocalColumns {
 public:
  LocalColumns(const Fr* first, const ColumnPass& pass) : values_(kColumns << pass.levels) {
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = first[i / kColumns * pass.stride + i % kColumns];
  }
  void store(Fr* first, const ColumnPass& pass) const {
    for (std::size_t i = 0; i < values_.size(); ++i)
      first[i / kColumns * pass.stride + i % kColumns] = values_[i];
  }
  Fr* data() noexcept { return values_.data(); }
  std::vector<Fr>& values() noexcept { return values_; }

 private:
  std::vector<Fr> values_;
};

class PortableKernel final : public NttKernel {
 public:
  explicit PortableKernel(const PassPlan& plan) : plan_(plan) {
    const std::size_t length = std::size_t{1} << std::max(plan.row_levels, plan.log_n - plan.row_levels);
    roots_ = {bit_reversed_roots(Root::forward, length), bit_reversed_roots(Root::inverse, length)};
    powers_ = {bit_reversed_powers(plan, base_of(Scale::Base::coset, plan.log_n)),
               bit_reversed_powers(plan, base_of(Scale::Base::inverse_coset, plan.log_n))};
  }

  void columns_to_bit_reversed(Fr* first, const ColumnPass& pass, std::size_t block,
                               Root root) const override {
    LocalColumns local(first, pass);
    levels_to_bit_reversed(local.data(), pass.levels, kColumns, ColumnFactor(*this, block, root));
    local.store(first, pass);
  }

  void columns_to_natural(Fr* first, const ColumnPass& pass, std::size_t block, Root root) const override {
    LocalColumns local(first, pass);
    levels_to_natural(local.data(), pass.levels, kColumns, ColumnFactor(*this, block, root));
    local.store(first, pass);
  }

  void row_to_bit_reversed(Fr* row, std::size_t index, Root root, const Scale& after) const override {
    levels_to_bit_reversed(row, plan_.row_levels, 1, RowFactor(*this, index, root));
    scale_row(row, index, after);
  }

  void row_to_natural(Fr* row, std::size_t index, Root root) const override {
    levels_to_natural(row, plan_.row_levels, 1, RowFactor(*this, index, root));
  }

  void rows_through_coefficients(Fr* const rows[2], std::size_t index, const Scale& scale) const override {
    for (int k = 0; k < 2; ++k) {
      row_to_bit_reversed(rows[k], index, Root::inverse, scale);
      row_to_natural(rows[k], index, Root::forward);
    }
  }

  void product_columns(Fr* a, Fr* b, const ColumnPass& pass) const override {
    LocalColumns local_a(a, pass), local_b(b, pass);
    for (LocalColumns* local : {&local_a, &local_b}) {
      levels_to_natural(local->data(), pass.levels, kColumns, ColumnFactor(*this, 0, Root::forward));
    }
    for (std::size_t i = 0; i < local_a.values().size(); ++i) local_a.values()[i] *= local_b.values()[i];
    levels_to_bit_reversed(local_a.data(), pass.levels, kColumns, ColumnFactor(*this, 0, Root::inverse));
    local_a.store(a, pass);
  }

 private:
  // T[(block << s) + b].
  class ColumnFactor {
   public:
    ColumnFactor(const PortableKernel& kernel, std::size_t block, Root root)
        : roots_(kernel.roots(root)), block_(block) {}
    Fr operator()(unsigned s, std::size_t b) const noexcept { return roots_[(block_ << s) + b]; }

   private:
    std::span<const Fr> roots_;
    std::size_t block_;
  };
  // T[(row << s) + b] = T[b] t^(2^(row_levels - 1 - s)).
  class RowFactor {
   public:
    RowFactor(const PortableKernel& kernel, std::size_t row, Root root) : roots_(kernel.roots(root)) {
      const PassPlan& plan = kernel.plan_;
      Fr t = root_of_unity(plan.log_n, root).pow(reverse_bits(row, plan.log_n - plan.row_levels));
      for (unsigned s = plan.row_levels; s-- > 0; t = t.squared()) twists_[s] = t;
    }
    Fr operator()(unsigned s, std::size_t b) const noexcept { return roots_[b] * twists_[s]; }

   private:
    std::span<const Fr> roots_;
    std::array<Fr, 32> twists_;
  };

  std::span<const Fr> roots(Root root) const noexcept { return roots_[root == Root::forward ? 0 : 1]; }

  void scale_row(Fr* row, std::size_t index, const Scale& scale) const noexcept {
    if (scale.is_trivial()) return;
    const std::size_t exponent = reverse_bits(index, plan_.log_n - plan_.row_levels);
    const Fr factor = scale.factor * base_of(scale.base, plan_.log_n).pow(exponent);
    const std::vector<Fr>& powers = powers_[scale.base == Scale::Base::coset ? 0 : 1];
    for (std::size_t j = 0; j < plan_.row_length(); ++j) {
      row[j] *= scale.base == Scale::Base::one ? factor : factor * powers[j];
    }
  }

  PassPlan plan_;
  std::array<std::vector<Fr>, 2> roots_;
  std::array<std::vector<Fr>, 2> powers_;
};

}  // namespace

std::unique_ptr<const NttKernel> make_portable_kernel(const PassPlan& plan) {
  return std::make_unique<PortableKernel>(plan);
}

}  // namespace cuzk
