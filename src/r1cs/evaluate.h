// Evaluation of a recorded circuit on a witness: a = A w, b = B w, c = C w, and whether a * b = c.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "r1cs/r1cs.h"
#include "r1cs/witness.h"

namespace cuzk {

// Writes the values of all constraints, then of the closing input constraints (a = the input, b = c = 0),
// then zeros up to the length of the spans, which must be equal and at least num_domain_rows(). The witness
// must have the circuit's dimensions (check_dimensions). Parallel.
void evaluate(const R1cs& r1cs, const Witness& witness, std::span<Fr> a, std::span<Fr> b, std::span<Fr> c);

// The lowest constraint with a * b != c, if any. Needs no space for the values. Parallel.
std::optional<std::size_t> first_unsatisfied(const R1cs& r1cs, const Witness& witness);

}  // namespace cuzk
