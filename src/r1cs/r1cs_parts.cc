// R1cs::from_parts: a circuit from parts that nobody vouches for. What is checked here is what evaluation, densities and the
// backends take for granted, so that a circuit of any content is safe to use; whether it is the wanted one is the caller's
// question.
#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <utility>

#include "base/thread_pool.h"
#include "field/limbs.h"
#include "r1cs/r1cs.h"

namespace cuzk {
namespace {

constexpr std::size_t kEntriesPerTask = std::size_t{1} << 18;

// Whether ok(entry) holds for all entries.
template <class Vector, class Ok>
bool all_of(const Vector& entries, const Ok& ok) {
  std::atomic<bool> all{true};
  parallel_for(entries.size(), kEntriesPerTask, [&](std::size_t begin, std::size_t end) {
    bool good = true;
    for (std::size_t i = begin; i < end; ++i) good &= ok(entries[i]);
    if (!good) all = false;
  });
  return all;
}

// The indices that columns of one block may have, by kind and whether relative: [first, first + count).
class ColumnRanges {
 public:
  explicit ColumnRanges(const R1csBlock& block) {
    // Variables of a repeated block are named relatively; those of a single one may be named absolutely.
    const auto own = [&](std::uint32_t count) { return block.count == 1 ? count : 0; };
    set(ColumnKind::input, false, {0, block.first_input + own(block.num_inputs)});
    set(ColumnKind::bit, false, {0, block.first_aux + own(block.num_aux)});
    set(ColumnKind::full, false, {0, block.first_full + own(block.num_full)});
    set(ColumnKind::parameter, false, {0, block.num_parameters});
    set(ColumnKind::input, true, {block.first_input, block.num_inputs});
    set(ColumnKind::bit, true, {block.first_aux, block.num_aux});
    set(ColumnKind::full, true, {block.first_full, block.num_full});
  }
  bool contain(Column column) const noexcept {
    const Range& range = ranges_[slot(column.kind(), column.relative())];
    return column.index() - range.first < range.count;
  }

 private:
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  static std::size_t slot(ColumnKind kind, bool relative) noexcept {
    return 2 * static_cast<std::size_t>(kind) + (relative ? 1 : 0);
  }
  void set(ColumnKind kind, bool relative, Range range) noexcept { ranges_[slot(kind, relative)] = range; }

  std::array<Range, 8> ranges_;
};

Status check_rows(const R1csBlock& block, const SparseRows& rows, std::size_t num_coefficients) {
  if (rows.row_end.size() != block.num_constraints) return invalid_argument("another number of rows");
  const std::size_t entries = rows.row_end.empty() ? 0 : rows.row_end.back();
  if (rows.columns.size() != entries || rows.coefficients.size() != entries) {
    return invalid_argument("another number of entries than its rows have");
  }
  if (!std::is_sorted(rows.row_end.begin(), rows.row_end.end())) {
    return invalid_argument("a row that ends before it begins");
  }
  const ColumnRanges ranges(block);
  if (!all_of(rows.columns, [&](Column column) { return ranges.contain(column); })) {
    return invalid_argument("a variable that is not there");
  }
  if (!all_of(rows.coefficients, [&](std::uint16_t index) { return index < num_coefficients; })) {
    return invalid_argument("a coefficient that is not there");
  }
  return Status::ok();
}

Status check_full_aux(const R1csBlock& block) {
  const std::vector<std::uint32_t>& full = block.full_aux;
  if (full.size() != block.num_full) return invalid_argument("full_aux: another number of full variables");
  if (full.empty()) return Status::ok();
  const bool ascending = std::adjacent_find(full.begin(), full.end(), std::greater_equal<>()) == full.end();
  if (!ascending || full.front() < block.first_aux || full.back() - block.first_aux >= block.num_aux) {
    return invalid_argument("full_aux: not ascending aux variables of the block");
  }
  return Status::ok();
}

// A parameter is a bit or full variable of the blocks before.
Status check_parameters(const R1csBlock& block) {
  if (block.parameters.size() != std::uint64_t{block.count} * block.num_parameters) {
    return invalid_argument("parameters: another number than the repetitions have");
  }
  const auto is_earlier_aux = [&](Column column) {
    if (column.relative()) return false;
    if (column.kind() == ColumnKind::bit) return column.index() < block.first_aux;
    return column.kind() == ColumnKind::full && column.index() < block.first_full;
  };
  if (all_of(block.parameters, is_earlier_aux)) return Status::ok();
  return invalid_argument("parameters: not a variable of an earlier block");
}

// The numbers of variables and constraints of the blocks so far.
struct Totals {
  std::uint64_t inputs = 0;
  std::uint64_t aux = 0;
  std::uint64_t full = 0;
  std::uint64_t constraints = 0;

  // No sum overflows: a product of two 32-bit numbers and a 32-bit number fit in 64 bits.
  Status add(const R1csBlock& block) {
    if (block.first_input != inputs || block.first_aux != aux || block.first_full != full ||
        block.first_constraint != constraints) {
      return invalid_argument("does not begin where the blocks before end");
    }
    if (block.count == 0 || (block.num_inputs == 0 && block.num_aux == 0 && block.num_constraints == 0)) {
      return invalid_argument("is empty");
    }
    inputs += std::uint64_t{block.count} * block.num_inputs;
    aux += std::uint64_t{block.count} * block.num_aux;
    full += std::uint64_t{block.count} * block.num_full;
    constraints += std::uint64_t{block.count} * block.num_constraints;
    if (inputs > Column::kIndexMask || aux > Column::kIndexMask || full > aux ||
        constraints > std::numeric_limits<std::uint32_t>::max()) {
      return invalid_argument("has more variables or constraints than a circuit can have");
    }
    return Status::ok();
  }
};

Status check_block(const R1csBlock& block, std::size_t num_coefficients) {
  CUZK_TRY(check_full_aux(block));
  CUZK_TRY(check_parameters(block));
  CUZK_TRY(check_rows(block, block.a, num_coefficients).with_context("A"));
  CUZK_TRY(check_rows(block, block.b, num_coefficients).with_context("B"));
  return check_rows(block, block.c, num_coefficients).with_context("C");
}

Status check_coefficients(const std::vector<Fr>& coefficients) {
  if (coefficients.size() > std::size_t{1} << 16) return invalid_argument("more than 65,536 coefficients");
  for (const Fr& coefficient : coefficients) {
    if (!less_limbs(coefficient.montgomery(), Fr::modulus())) {
      return invalid_argument("a coefficient that is not below the field modulus");
    }
  }
  if (coefficients.size() < 2 || coefficients[kCoefficientOne] != Fr::one() ||
      coefficients[kCoefficientMinusOne] != -Fr::one()) {
    return invalid_argument("the first coefficients are not 1 and -1");
  }
  return Status::ok();
}

}  // namespace

Result<R1cs> R1cs::from_parts(std::vector<R1csBlock> blocks, std::vector<Fr> coefficients) {
  CUZK_TRY(check_coefficients(coefficients));
  Totals totals;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::string name = "block " + std::to_string(i);
    CUZK_TRY(totals.add(blocks[i]).with_context(name));
    CUZK_TRY(check_block(blocks[i], coefficients.size()).with_context(name));
  }
  if (totals.inputs == 0) return invalid_argument("a circuit without the input ONE");
  R1cs r1cs;
  r1cs.num_inputs_ = totals.inputs;
  r1cs.num_aux_ = totals.aux;
  r1cs.num_full_ = totals.full;
  r1cs.num_constraints_ = totals.constraints;
  r1cs.blocks_ = std::move(blocks);
  r1cs.coefficients_ = std::move(coefficients);
  return r1cs;
}

}  // namespace cuzk
