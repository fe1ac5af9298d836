// The PoRep circuit in the forms that a prover needs: its R1CS per sector size, and a partition's witness.
#pragma once

#include <vector>

#include "circuit/porep/porep_circuit.h"
#include "r1cs/r1cs.h"
#include "r1cs/witness.h"
#include "vanilla/c1.h"
#include "vanilla/sector_shape.h"

namespace cuzk {

// All that the circuit depends on.
struct PorepCircuitShape {
  unsigned log2_nodes;                 // levels of TreeD
  std::vector<unsigned> tree_arities;  // TreeC and TreeRLast, from the leaves up: 2, 4 or 8 each
  unsigned layers;                     // 2 or 11
  unsigned challenges;

  static PorepCircuitShape of(const SectorShape& sector);
};

// Records the circuit. Takes seconds and about 250 MB for 32 GiB.
R1cs porep_r1cs(const PorepCircuitShape& shape);

// A challenge proof of this shape with all values zero, to synthesize shapes from.
PorepChallengeProof blank_porep_challenge(const PorepCircuitShape& shape);

// Partition `partition` (checked) of a C1 object, which must outlive the result.
PorepPartition porep_partition(const C1& c1, std::size_t partition);

// The values of all variables, without regard to whether they satisfy the circuit. `r1cs` is the circuit of the partition's
// shape (checked). Uses the global thread pool; several partitions may be synthesized at once.
Witness porep_witness(const PorepPartition& partition, const R1cs& r1cs);

}  // namespace cuzk
