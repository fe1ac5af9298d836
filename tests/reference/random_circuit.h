// Random circuits for tests: any number of constraints, repeated blocks, bits and full elements, inputs that occur in A,
// B and C, coefficients 1, -1 and others; satisfied by construction.
#pragma once

#include <cstdint>
#include <memory>

#include "r1cs/r1cs.h"
#include "r1cs/witness.h"

namespace cuzk::reference {

// What the free variables of a witness are.
enum class Values {
  zeros,          // every aux variable is 0
  ones,           // every aux variable is 1
  random_bits,    // bits at random, full elements at random
  edge_elements,  // bits at random, full elements 0, 1, 2, r - 1 or random
};

struct CircuitSpec {
  std::size_t num_constraints = 1;
  std::uint64_t seed = 0;      // of the shape
  bool public_outputs = true;  // otherwise ONE is the only input
  // Products of single variables with coefficient 1 only, so that Values::zeros and ones satisfy it.
  bool plain = false;
};

// Exactly spec.num_constraints constraints; from 10 on, most of them in a block of three repetitions.
std::shared_ptr<const R1cs> random_r1cs(const CircuitSpec& spec);
// A satisfying witness of random_r1cs(spec). Other value seeds give other witnesses. Values::zeros and ones need
// spec.plain (checked).
Witness random_witness(const CircuitSpec& spec, Values values, std::uint64_t value_seed);

}  // namespace cuzk::reference
