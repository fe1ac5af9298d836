#include "r1cs/evaluate.h"

#include <algorithm>
#include <atomic>

#include "base/check.h"
#include "base/thread_pool.h"

namespace cuzk {
namespace {

constexpr std::size_t kRowsPerTask = 1 << 14;

// Evaluates single rows. A bit costs an addition at most; only a full element with a coefficient other than
// +-1 a product.
class RowEvaluator {
 public:
  RowEvaluator(const R1cs& r1cs, const Witness& witness)
      : coefficients_(r1cs.coefficients().data()),
        inputs_(witness.inputs.data()),
        bits_(witness.bits),
        fulls_(witness.fulls.data()) {}

  Fr value(const R1csBlock& block, const SparseRows& rows, std::uint32_t row,
           std::uint32_t repetition) const noexcept {
    const std::uint32_t begin = row == 0 ? 0 : rows.row_end[row - 1];
    const std::uint32_t end = rows.row_end[row];
    Fr sum;
    for (std::uint32_t i = begin; i < end; ++i) {
      const Column column = rows.columns[i];
      const std::uint32_t shift = column.relative() ? repetition : 0;
      const std::uint16_t coefficient = rows.coefficients[i];
      switch (column.kind()) {
        case ColumnKind::bit:
          if (bits_[column.index() + std::size_t{shift} * block.num_aux]) sum += coefficients_[coefficient];
          break;
        case ColumnKind::full:
          add_product(sum, coefficient, fulls_[column.index() + std::size_t{shift} * block.num_full]);
          break;
        case ColumnKind::input:
          add_product(sum, coefficient, inputs_[column.index() + std::size_t{shift} * block.num_inputs]);
          break;
        case ColumnKind::parameter:
          add_variable(sum, coefficient, block.resolve(column, repetition));
          break;
      }
    }
    return sum;
  }

 private:
  // An absolute bit or full element.
  void add_variable(Fr& sum, std::uint16_t coefficient, Column column) const noexcept {
    if (column.kind() == ColumnKind::full) {
      add_product(sum, coefficient, fulls_[column.index()]);
    } else if (bits_[column.index()]) {
      sum += coefficients_[coefficient];
    }
  }
  void add_product(Fr& sum, std::uint16_t coefficient, const Fr& value) const noexcept {
    if (coefficient == kCoefficientOne) {
      sum += value;
    } else if (coefficient == kCoefficientMinusOne) {
      sum -= value;
    } else {
      sum += value.is_one() ? coefficients_[coefficient] : coefficients_[coefficient] * value;
    }
  }

  const Fr* coefficients_;
  const Fr* inputs_;
  const BitVector& bits_;
  const Fr* fulls_;
};

// Calls visit(block, row, repetition, constraint index) for every constraint, in parallel, in order within a
// task.
template <class Visit>
void for_each_constraint(const R1cs& r1cs, const Visit& visit) {
  for (const R1csBlock& block : r1cs.blocks()) {
    const std::size_t total = std::size_t{block.count} * block.num_constraints;
    parallel_for(total, kRowsPerTask, [&](std::size_t begin, std::size_t end) {
      auto repetition = static_cast<std::uint32_t>(begin / block.num_constraints);
      auto row = static_cast<std::uint32_t>(begin % block.num_constraints);
      for (std::size_t i = begin; i < end; ++i) {
        visit(block, row, repetition, block.first_constraint + i);
        if (++row == block.num_constraints) {
          row = 0;
          ++repetition;
        }
      }
    });
  }
}

}  // namespace

void evaluate(const R1cs& r1cs, const Witness& witness, std::span<Fr> a, std::span<Fr> b, std::span<Fr> c) {
  CUZK_CHECK(a.size() == b.size() && a.size() == c.size() && a.size() >= r1cs.num_domain_rows(),
             "evaluate() needs three spans of the domain's size");
  const RowEvaluator rows(r1cs, witness);
  for_each_constraint(r1cs, [&](const R1csBlock& block, std::uint32_t row, std::uint32_t k, std::size_t i) {
    a[i] = rows.value(block, block.a, row, k);
    b[i] = rows.value(block, block.b, row, k);
    c[i] = rows.value(block, block.c, row, k);
  });
  const std::size_t closing = r1cs.num_constraints();
  std::copy(witness.inputs.begin(), witness.inputs.end(), a.begin() + static_cast<std::ptrdiff_t>(closing));
  std::fill(a.begin() + static_cast<std::ptrdiff_t>(r1cs.num_domain_rows()), a.end(), Fr::zero());
  std::fill(b.begin() + static_cast<std::ptrdiff_t>(closing), b.end(), Fr::zero());
  std::fill(c.begin() + static_cast<std::ptrdiff_t>(closing), c.end(), Fr::zero());
}

std::optional<std::size_t> first_unsatisfied(const R1cs& r1cs, const Witness& witness) {
  const RowEvaluator rows(r1cs, witness);
  constexpr std::size_t kNone = ~std::size_t{0};
  std::atomic<std::size_t> first{kNone};
  for_each_constraint(r1cs, [&](const R1csBlock& block, std::uint32_t row, std::uint32_t k, std::size_t i) {
    if (i > first.load(std::memory_order_relaxed)) return;
    const Fr a = rows.value(block, block.a, row, k);
    const Fr b = rows.value(block, block.b, row, k);
    if (a * b == rows.value(block, block.c, row, k)) return;
    std::size_t known = first.load();
    while (i < known && !first.compare_exchange_weak(known, i)) {
    }
  });
  if (first == kNone) return std::nullopt;
  return first.load();
}

}  // namespace cuzk
