// The PoSt circuit (FallbackPoSt), for WindowPoSt and WinningPoSt: a row of sector slots, each with its commitments and its
// challenged leaves of TreeRLast. Source: docs/formats/circuits.md; rust-fil-proofs 19.1, storage-proofs-post/src/fallback.
//
// The order of allocations and constraints is that of the reference, so it must not be changed. Inputs: for each slot comm_r,
// then the positions of its challenged leaves.
#pragma once

#include <span>

#include "circuit/merkle_paths.h"
#include "vanilla/post_proof.h"

namespace cuzk {

// What one slot is filled with. All slots of a circuit have the same number of challenges and the same tree shape.
struct PostSlot {
  Fr comm_r;
  Fr comm_c;
  Fr comm_r_last;
  std::span<const MerkleProof> challenges;
};

template <ConstraintSystem CS>
void synthesize_post_slot(CS& cs, const PostSlot& slot) {
  const AllocatedNum comm_r_last = AllocatedNum::alloc(cs, slot.comm_r_last);
  const AllocatedNum comm_c = AllocatedNum::alloc(cs, slot.comm_c);
  const AllocatedNum comm_r = AllocatedNum::alloc(cs, slot.comm_r);
  inputize(cs, comm_r);
  const std::array<AllocatedNum, 2> preimage = {comm_c, comm_r_last};
  enforce_equal(cs, comm_r, poseidon<CS>(cs, preimage));
  for (std::size_t i = 0; i < slot.challenges.size(); ++i) {
    const Scope scope(cs, "challenge_inclusion", static_cast<int>(i));
    const AllocatedNum leaf = AllocatedNum::alloc(cs, slot.challenges[i].leaf);
    synthesize_inclusion(cs, NodeHash::poseidon, leaf, slot.challenges[i], comm_r_last);
  }
}

template <ConstraintSystem CS>
void synthesize_post(CS& cs, std::span<const PostSlot> slots) {
  cs.repeat(slots.size(), [&](CS& part, std::size_t i) {
    const Scope scope(part, "sector", static_cast<int>(i));
    synthesize_post_slot(part, slots[i]);
  });
}

}  // namespace cuzk
