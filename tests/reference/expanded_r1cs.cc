#include "reference/expanded_r1cs.h"

namespace cuzk::reference {
namespace {

std::size_t variable_of(const R1cs& r1cs, const R1csBlock& block, Column column, std::size_t repetition) {
  const Column absolute = block.resolve(column, static_cast<std::uint32_t>(repetition));
  if (absolute.kind() == ColumnKind::input) return absolute.index();
  const bool full = absolute.kind() == ColumnKind::full;
  return r1cs.num_inputs() + (full ? r1cs.aux_of_full(absolute.index()) : absolute.index());
}

void append_rows(const R1cs& r1cs, const R1csBlock& block, const SparseRows& rows, std::size_t repetition,
                 std::vector<Row>& out) {
  std::size_t entry = 0;
  for (const std::uint32_t end : rows.row_end) {
    Row& row = out.emplace_back();
    for (; entry < end; ++entry) {
      row.emplace_back(variable_of(r1cs, block, rows.columns[entry], repetition),
                       r1cs.coefficients()[rows.coefficients[entry]]);
    }
  }
}

}  // namespace

std::size_t ExpandedR1cs::domain_size() const noexcept {
  std::size_t size = 1;
  while (size < a.size()) size *= 2;
  return size;
}

ExpandedR1cs expand(const R1cs& r1cs) {
  ExpandedR1cs out;
  out.num_inputs = r1cs.num_inputs();
  out.num_aux = r1cs.num_aux();
  for (const R1csBlock& block : r1cs.blocks()) {
    for (std::size_t k = 0; k < block.count; ++k) {
      append_rows(r1cs, block, block.a, k, out.a);
      append_rows(r1cs, block, block.b, k, out.b);
      append_rows(r1cs, block, block.c, k, out.c);
    }
  }
  for (std::size_t i = 0; i < out.num_inputs; ++i) {
    out.a.push_back({{i, Fr::one()}});
    out.b.emplace_back();
    out.c.emplace_back();
  }
  return out;
}

std::vector<Fr> all_values(const R1cs& r1cs, const Witness& witness) {
  std::vector<Fr> values = witness.inputs;
  const std::vector<Fr> aux = expand_aux(r1cs, witness);
  values.insert(values.end(), aux.begin(), aux.end());
  return values;
}

std::vector<bool> occurring(const std::vector<Row>& rows, std::size_t num_variables) {
  std::vector<bool> occurs(num_variables);
  for (const Row& row : rows) {
    for (const auto& [variable, coefficient] : row) occurs[variable] = true;
  }
  return occurs;
}

}  // namespace cuzk::reference
