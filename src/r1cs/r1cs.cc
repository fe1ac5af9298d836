#include "r1cs/r1cs.h"

#include <bit>
#include <mutex>

#include "base/thread_pool.h"

namespace cuzk {
namespace {

const R1csBlock& block_of_full(const std::vector<R1csBlock>& blocks, std::uint32_t full) noexcept {
  std::size_t i = blocks.size() - 1;
  while (blocks[i].first_full > full) --i;
  return blocks[i];
}

// Sets the bits of a block's own variables, those of repetition 0 in `own`, for all repetitions.
void mark_repetitions(const R1csBlock& block, const BitVector& own, BitVector& mask) {
  for (std::size_t k = 0; k < block.count; ++k) mask.set_all(block.first_aux + k * block.num_aux, own);
}

// Marks, for every repetition, the aux variables that `rows` names.
void mark_aux(const R1cs& r1cs, const R1csBlock& block, const SparseRows& rows, BitVector& mask) {
  BitVector own;
  own.resize(block.num_aux);
  const auto mark_absolute = [&](Column column) {
    if (column.kind() == ColumnKind::bit) mask.set(column.index());
    if (column.kind() == ColumnKind::full) mask.set(r1cs.aux_of_full(column.index()));
  };
  for (const Column column : rows.columns) {
    if (column.kind() == ColumnKind::parameter) {
      for (std::uint32_t k = 0; k < block.count; ++k) mark_absolute(block.resolve(column, k));
    } else if (!column.relative()) {
      mark_absolute(column);
    } else if (column.kind() == ColumnKind::bit) {
      own.set(column.index() - block.first_aux);
    } else if (column.kind() == ColumnKind::full) {
      own.set(block.full_aux[column.index() - block.first_full] - block.first_aux);
    }
  }
  mark_repetitions(block, own, mask);
}

void mark_inputs(const R1csBlock& block, const SparseRows& rows, BitVector& mask) {
  for (const Column column : rows.columns) {
    if (column.kind() != ColumnKind::input) continue;
    const std::uint32_t repetitions = column.relative() ? block.count : 1;
    for (std::uint32_t k = 0; k < repetitions; ++k)
      mask.set(column.index() + std::size_t{k} * block.num_inputs);
  }
}

Densities compute_densities(const R1cs& r1cs) {
  Densities densities;
  densities.aux_in_a.resize(r1cs.num_aux());
  densities.aux_in_b.resize(r1cs.num_aux());
  densities.inputs_in_b.resize(r1cs.num_inputs());
  // A and B have a task each.
  parallel_for(2, 1, [&](std::size_t begin, std::size_t end) {
    for (const R1csBlock& block : r1cs.blocks()) {
      if (begin == 0) mark_aux(r1cs, block, block.a, densities.aux_in_a);
      if (end == 2) mark_aux(r1cs, block, block.b, densities.aux_in_b);
    }
  });
  for (const R1csBlock& block : r1cs.blocks()) mark_inputs(block, block.b, densities.inputs_in_b);
  return densities;
}

}  // namespace

struct R1cs::KeptDensities {
  std::once_flag once;
  Densities densities;
};

R1cs::R1cs() : densities_(std::make_shared<KeptDensities>()) {}

unsigned R1cs::log_domain() const noexcept {
  return static_cast<unsigned>(std::bit_width(std::bit_ceil(num_domain_rows())) - 1);
}

std::uint32_t R1cs::aux_of_full(std::uint32_t full) const noexcept {
  const R1csBlock& block = block_of_full(blocks_, full);
  const std::uint32_t offset = full - block.first_full;
  return block.full_aux[offset % block.num_full] + offset / block.num_full * block.num_aux;
}

BitVector R1cs::full_mask() const {
  BitVector mask;
  mask.resize(num_aux_);
  for (const R1csBlock& block : blocks_) {
    BitVector own;
    own.resize(block.num_aux);
    for (const std::uint32_t aux : block.full_aux) own.set(aux - block.first_aux);
    mark_repetitions(block, own, mask);
  }
  return mask;
}

const Densities& R1cs::densities() const {
  std::call_once(densities_->once, [&] { densities_->densities = compute_densities(*this); });
  return densities_->densities;
}

R1cs::NonZeros R1cs::non_zeros() const noexcept {
  NonZeros total{};
  for (const R1csBlock& block : blocks_) {
    total.a += std::uint64_t{block.count} * block.a.columns.size();
    total.b += std::uint64_t{block.count} * block.b.columns.size();
    total.c += std::uint64_t{block.count} * block.c.columns.size();
  }
  return total;
}

std::size_t R1cs::memory_bytes() const noexcept {
  std::size_t bytes = coefficients_.size() * sizeof(Fr);
  for (const R1csBlock& block : blocks_) {
    bytes += block.full_aux.size() * sizeof(std::uint32_t) + block.parameters.size() * sizeof(Column);
    for (const SparseRows* rows : {&block.a, &block.b, &block.c}) {
      bytes += rows->row_end.size() * sizeof(std::uint32_t) + rows->columns.size() * sizeof(Column) +
               rows->coefficients.size() * sizeof(std::uint16_t);
    }
  }
  return bytes;
}

}  // namespace cuzk
