// The PoSt circuits in the forms that a prover needs: R1CS per kind and sector size, and a partition's witness.
#pragma once

#include <vector>

#include "circuit/post/post_circuit.h"
#include "r1cs/r1cs.h"
#include "r1cs/witness.h"
#include "vanilla/sector_shape.h"

namespace cuzk {

// All that the circuit depends on.
struct PostCircuitShape {
  std::vector<unsigned> tree_arities;  // TreeRLast, from the leaves up
  unsigned slots;
  unsigned challenges_per_slot;

  // A slot for every sector of a partition, with 10 challenges.
  static PostCircuitShape window(const SectorShape& sector);
  // The 66 challenges of the one sector, each in a slot of its own.
  static PostCircuitShape winning(const SectorShape& sector);
};

// Records the circuit; the slot is stored once, whatever their number.
R1cs post_r1cs(const PostCircuitShape& shape);

// The slots of a WindowPoSt partition: the sectors in order, then the last one again until all slots are filled. 1 to
// shape.slots sectors (checked), which must outlive the result.
std::vector<PostSlot> window_post_slots(const PostCircuitShape& shape,
                                        std::span<const PostSectorProof> sectors);
// One slot for each inclusion proof of the sector, as many as the shape has slots (checked); the same lifetime.
std::vector<PostSlot> winning_post_slots(const PostCircuitShape& shape, const PostSectorProof& sector);

// The values of all variables, without regard to whether they satisfy the circuit. `r1cs` is that of the same shape (checked).
// Uses the global thread pool.
Witness post_witness(std::span<const PostSlot> slots, const R1cs& r1cs);

}  // namespace cuzk
