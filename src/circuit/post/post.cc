#include "circuit/post/post.h"

#include "base/check.h"
#include "r1cs/shape_system.h"
#include "r1cs/witness_system.h"

namespace cuzk {
namespace {

PostSlot whole_sector(const PostSectorProof& sector) {
  return {sector.comm_r, sector.comm_c, sector.comm_r_last, sector.inclusion_proofs};
}

}  // namespace

PostCircuitShape PostCircuitShape::window(const SectorShape& sector) {
  return {cuzk::tree_arities(sector.tree), sector.window_sectors, kWindowChallenges};
}

PostCircuitShape PostCircuitShape::winning(const SectorShape& sector) {
  return {cuzk::tree_arities(sector.tree), kWinningChallenges, 1};
}

R1cs post_r1cs(const PostCircuitShape& shape) {
  CUZK_CHECK(shape.slots > 0, "a PoSt circuit has slots");
  const std::vector<MerkleProof> challenges(shape.challenges_per_slot,
                                            blank_merkle_proof(shape.tree_arities));
  const std::vector<PostSlot> slots(shape.slots, PostSlot{Fr(), Fr(), Fr(), challenges});
  ShapeSystem cs;
  synthesize_post<ShapeSystem>(cs, slots);
  return cs.finish();
}

std::vector<PostSlot> window_post_slots(const PostCircuitShape& shape,
                                        std::span<const PostSectorProof> sectors) {
  CUZK_CHECK(!sectors.empty() && sectors.size() <= shape.slots, "1 to as many sectors as slots");
  std::vector<PostSlot> slots;
  slots.reserve(shape.slots);
  for (const PostSectorProof& sector : sectors) slots.push_back(whole_sector(sector));
  slots.resize(shape.slots, slots.back());
  return slots;
}

std::vector<PostSlot> winning_post_slots(const PostCircuitShape& shape, const PostSectorProof& sector) {
  CUZK_CHECK(sector.inclusion_proofs.size() == shape.slots, "an inclusion proof for every slot");
  std::vector<PostSlot> slots(shape.slots, whole_sector(sector));
  for (std::size_t i = 0; i < slots.size(); ++i) slots[i].challenges = slots[i].challenges.subspan(i, 1);
  return slots;
}

Witness post_witness(std::span<const PostSlot> slots, const R1cs& r1cs) {
  WitnessSystem cs(r1cs);
  synthesize_post<WitnessSystem>(cs, slots);
  return cs.finish();
}

}  // namespace cuzk
