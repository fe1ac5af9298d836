#include "groth16/qap.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "base/check.h"
#include "base/thread_pool.h"

namespace cuzk {
namespace {

constexpr std::size_t kLagrangePerTask = 1 << 12;
constexpr std::size_t kColumnsPerTask = 1 << 9;
constexpr std::size_t kEntriesPerTask = 1 << 14;
constexpr std::size_t kLongColumn = 1 << 16;  // entries; summed by all threads
constexpr std::size_t kZerosPerTask = 1 << 16;

const SparseRows& rows_of(const R1csBlock& block, Matrix matrix) noexcept {
  return matrix == Matrix::a ? block.a : matrix == Matrix::b ? block.b : block.c;
}

// One matrix of one block by columns (compressed sparse columns), of repetition 0. A column is named by its variable:
// inputs, then aux up to the last of repetition 0, then the block's parameters. Variables of a repeated block itself move
// with the repetition, a parameter is another variable in each, others stay.
class BlockColumns {
 public:
  BlockColumns(const R1cs& r1cs, const R1csBlock& block, const SparseRows& rows)
      : r1cs_(r1cs), block_(block), starts_(num_variables() + block.num_parameters + 1) {
    for (const Column column : rows.columns) ++starts_[variable(column) + 1];
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    rows_.resize(rows.columns.size());
    coefficients_.resize(rows.columns.size());
    // Filling moves each start to its end, which is the next one's start.
    std::uint32_t entry = 0;
    for (std::uint32_t row = 0; row < rows.row_end.size(); ++row) {
      for (; entry < rows.row_end[row]; ++entry) {
        const std::uint32_t at = starts_[variable(rows.columns[entry])]++;
        rows_[at] = row;
        coefficients_[at] = rows.coefficients[entry];
      }
    }
    std::copy_backward(starts_.begin(), starts_.end() - 1, starts_.end());
    starts_[0] = 0;
  }

  // sums[v] += the column of v times `lagrange`, for every variable and repetition.
  void add_to(std::span<const Fr> lagrange, std::span<Fr> sums) const {
    parallel_for(num_variables(), kColumnsPerTask, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        if (length(v) != 0 && length(v) < kLongColumn) add_column(v, lagrange, sums);
      }
    });
    for (std::size_t v = 0; v < num_variables(); ++v) {
      if (length(v) >= kLongColumn) add_long_column(v, lagrange, sums);
    }
    // Two parameters may be the same variable in different repetitions: one thread.
    for (std::size_t v = num_variables(); v + 1 < starts_.size(); ++v) add_column(v, lagrange, sums);
  }

 private:
  std::size_t num_variables() const noexcept {
    return r1cs_.num_inputs() + block_.first_aux + block_.num_aux;
  }
  std::size_t variable(Column column) const noexcept {
    if (column.kind() == ColumnKind::input) return column.index();
    if (column.kind() == ColumnKind::parameter) return num_variables() + column.index();
    const std::uint32_t aux =
        column.kind() == ColumnKind::bit ? column.index() : r1cs_.aux_of_full(column.index());
    return r1cs_.num_inputs() + aux;
  }
  std::size_t length(std::size_t v) const noexcept { return starts_[v + 1] - starts_[v]; }

  // The variable that column v is in repetition k.
  std::size_t target(std::size_t v, std::size_t k) const noexcept {
    if (v >= num_variables()) {
      const Column parameter(ColumnKind::parameter, false, static_cast<std::uint32_t>(v - num_variables()));
      return variable(block_.resolve(parameter, static_cast<std::uint32_t>(k)));
    }
    if (v < r1cs_.num_inputs()) return v >= block_.first_input ? v + k * block_.num_inputs : v;
    return v - r1cs_.num_inputs() >= block_.first_aux ? v + k * block_.num_aux : v;
  }

  Fr sum(std::size_t begin, std::size_t end, const Fr* lagrange) const noexcept {
    Fr total;
    for (std::size_t i = begin; i < end; ++i) {
      const Fr& value = lagrange[rows_[i]];
      if (coefficients_[i] == kCoefficientOne) {
        total += value;
      } else if (coefficients_[i] == kCoefficientMinusOne) {
        total -= value;
      } else {
        total += r1cs_.coefficients()[coefficients_[i]] * value;
      }
    }
    return total;
  }

  const Fr* repetition(std::span<const Fr> lagrange, std::size_t k) const noexcept {
    return lagrange.data() + block_.first_constraint + k * block_.num_constraints;
  }

  void add_column(std::size_t v, std::span<const Fr> lagrange, std::span<Fr> sums) const noexcept {
    for (std::size_t k = 0; k < block_.count; ++k)
      sums[target(v, k)] += sum(starts_[v], starts_[v + 1], repetition(lagrange, k));
  }

  void add_long_column(std::size_t v, std::span<const Fr> lagrange, std::span<Fr> sums) const {
    std::mutex mutex;
    for (std::size_t k = 0; k < block_.count; ++k) {
      Fr& total = sums[target(v, k)];
      parallel_for(length(v), kEntriesPerTask, [&](std::size_t begin, std::size_t end) {
        const Fr part = sum(starts_[v] + begin, starts_[v] + end, repetition(lagrange, k));
        const std::lock_guard lock(mutex);
        total += part;
      });
    }
  }

  const R1cs& r1cs_;
  const R1csBlock& block_;
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint16_t> coefficients_;
};

}  // namespace

// L_j(tau) = (tau^m - 1) / m * w^j / (tau - w^j)
Buffer<Fr> lagrange_at(const Fr& tau, unsigned log_domain, std::size_t count) {
  CUZK_CHECK(log_domain <= kFrTwoAdicity && count <= (std::size_t{1} << log_domain), "a domain too small");
  Fr omega = kFrRootOfUnity;
  for (unsigned i = log_domain; i < kFrTwoAdicity; ++i) omega = omega.squared();
  const std::uint64_t m = std::uint64_t{1} << log_domain;
  const Fr factor = (tau.pow(m) - Fr::one()) * Fr::from_u64(m).inverse();

  Buffer<Fr> values(count);
  parallel_for(count, kLagrangePerTask, [&](std::size_t begin, std::size_t end) {
    std::vector<Fr> numerators(end - begin), scratch(end - begin);
    const std::span<Fr> part(values.data() + begin, end - begin);
    Fr power = omega.pow(begin);
    for (std::size_t i = 0; i < part.size(); ++i) {
      part[i] = tau - power;
      numerators[i] = factor * power;
      power *= omega;
    }
    batch_inverse<Fr>(part, scratch);
    for (std::size_t i = 0; i < part.size(); ++i) part[i] *= numerators[i];
  });
  return values;
}

Buffer<Fr> column_sums(const R1cs& r1cs, Matrix matrix, std::span<const Fr> lagrange) {
  CUZK_CHECK(lagrange.size() == r1cs.num_domain_rows(), "a Lagrange value per row is needed");
  Buffer<Fr> sums(r1cs.num_inputs() + r1cs.num_aux());
  parallel_for(sums.size(), kZerosPerTask, [&](std::size_t begin, std::size_t end) {
    std::fill(sums.data() + begin, sums.data() + end, Fr::zero());
  });
  for (const R1csBlock& block : r1cs.blocks()) {
    const SparseRows& rows = rows_of(block, matrix);
    if (!rows.columns.empty()) BlockColumns(r1cs, block, rows).add_to(lagrange, sums.span());
  }
  if (matrix == Matrix::a) {
    for (std::size_t i = 0; i < r1cs.num_inputs(); ++i) sums[i] += lagrange[r1cs.num_constraints() + i];
  }
  return sums;
}

}  // namespace cuzk
