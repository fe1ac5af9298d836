// The sector-update circuit in the forms that a prover needs: its R1CS, and a partition's witness.
#pragma once

#include "circuit/update/update_circuit.h"
#include "r1cs/r1cs.h"
#include "r1cs/witness.h"

namespace cuzk {

// Records the circuit; a challenge is stored once.
R1cs update_r1cs(const UpdateShape& shape);

// A partition proof of this shape with all values zero, to synthesize shapes from.
UpdatePartitionProof blank_update_proof(const UpdateShape& shape);

// The values of all variables, without regard to whether they satisfy the circuit. `r1cs` is that of the same shape (checked).
// Uses the global thread pool.
Witness update_witness(const UpdateShape& shape, const UpdatePartition& partition, const R1cs& r1cs);

}  // namespace cuzk
