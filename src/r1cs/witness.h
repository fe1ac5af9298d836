// Witness: the values of all variables of one circuit instance, compact.
//
// About 99 % of a PoRep witness are bits; they are kept as bits, so a 32 GiB partition takes 60 MB instead
// of 4.2 GB.
#pragma once

#include <vector>

#include "base/status.h"
#include "field/fr.h"
#include "r1cs/bit_vector.h"
#include "r1cs/large_vector.h"
#include "r1cs/r1cs.h"

namespace cuzk {

struct Witness {
  std::vector<Fr> inputs;  // ONE first
  BitVector bits;          // one per aux variable, by aux index; zero where the variable is a full element
  LargeVector<Fr> fulls;   // the full elements, by ordinal

  std::size_t memory_bytes() const noexcept {
    return (inputs.size() + fulls.size()) * sizeof(Fr) + bits.words().size() * sizeof(std::uint64_t);
  }
};

// Whether the witness has the numbers of inputs, aux variables and full elements that the circuit has; if
// not, invalid_argument with both numbers.
Status check_dimensions(const R1cs& r1cs, const Witness& witness);

// All aux values, by aux index: num_aux() field elements. For tests and small circuits.
std::vector<Fr> expand_aux(const R1cs& r1cs, const Witness& witness);

}  // namespace cuzk
