// The constraints of a circuit written out in full: every repetition, one row after the other, the closing input
// constraints at the end. For the reference implementation and small circuits.
#pragma once

#include <utility>
#include <vector>

#include "r1cs/r1cs.h"
#include "r1cs/witness.h"

namespace cuzk::reference {

// A variable is its index among inputs, or the number of inputs plus its index among aux.
using Row = std::vector<std::pair<std::size_t, Fr>>;

struct ExpandedR1cs {
  std::size_t num_inputs = 0;
  std::size_t num_aux = 0;
  std::vector<Row> a, b, c;

  std::size_t num_variables() const noexcept { return num_inputs + num_aux; }
  // The smallest power of two that holds all rows.
  std::size_t domain_size() const noexcept;
};

ExpandedR1cs expand(const R1cs& r1cs);

// Inputs, then aux.
std::vector<Fr> all_values(const R1cs& r1cs, const Witness& witness);

// Whether a variable occurs in a matrix.
std::vector<bool> occurring(const std::vector<Row>& rows, std::size_t num_variables);

}  // namespace cuzk::reference
