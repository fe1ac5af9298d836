#include "r1cs/r1cs.h"

#include <bit>

#include "base/check.h"

namespace cuzk {
namespace {

const R1csBlock& block_of_full(const std::vector<R1csBlock>& blocks, std::uint32_t full) noexcept {
  std::size_t i = blocks.size() - 1;
  while (blocks[i].first_full > full) --i;
  return blocks[i];
}

// Marks, for every repetition, the aux variables that `rows` names. `local` is the block's own part at
// repetition 0.
void mark_aux(const R1cs& r1cs, const R1csBlock& block, const SparseRows& rows, BitVector& mask) {
  BitVector local;
  local.resize(block.num_aux);
  const auto mark = [&](Column column) {
    if (column.kind() == ColumnKind::input) return;
    const std::uint32_t aux =
        column.kind() == ColumnKind::bit ? column.index() : r1cs.aux_of_full(column.index());
    if (column.relative()) {
      local.set(aux - block.first_aux);
    } else {
      mask.set(aux);
    }
  };
  for (const Column column : rows.columns) {
    if (column.kind() != ColumnKind::parameter) {
      mark(column);
      continue;
    }
    for (std::uint32_t k = 0; k < block.count; ++k) mark(block.resolve(column, k));
  }
  for (std::uint32_t k = 0; k < block.count; ++k) {
    const std::size_t shift = block.first_aux + std::size_t{k} * block.num_aux;
    for (std::uint32_t i = 0; i < block.num_aux; ++i) {
      if (local[i]) mask.set(shift + i);
    }
  }
}

void mark_inputs(const R1csBlock& block, const SparseRows& rows, BitVector& mask) {
  for (const Column column : rows.columns) {
    if (column.kind() != ColumnKind::input) continue;
    const std::uint32_t repetitions = column.relative() ? block.count : 1;
    for (std::uint32_t k = 0; k < repetitions; ++k)
      mask.set(column.index() + std::size_t{k} * block.num_inputs);
  }
}

}  // namespace

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
    for (std::uint32_t k = 0; k < block.count; ++k) {
      for (const std::uint32_t aux : block.full_aux) mask.set(aux + std::size_t{k} * block.num_aux);
    }
  }
  return mask;
}

Densities R1cs::densities() const {
  Densities densities;
  densities.aux_in_a.resize(num_aux_);
  densities.aux_in_b.resize(num_aux_);
  densities.inputs_in_b.resize(num_inputs_);
  for (const R1csBlock& block : blocks_) {
    mark_aux(*this, block, block.a, densities.aux_in_a);
    mark_aux(*this, block, block.b, densities.aux_in_b);
    mark_inputs(block, block.b, densities.inputs_in_b);
  }
  return densities;
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
