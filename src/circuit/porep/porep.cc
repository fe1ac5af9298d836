#include "circuit/porep/porep.h"

#include "base/check.h"
#include "r1cs/shape_system.h"
#include "r1cs/witness_system.h"

namespace cuzk {
PorepCircuitShape PorepCircuitShape::of(const SectorShape& sector) {
  return {sector.log2_nodes, cuzk::tree_arities(sector.tree), sector.layers, sector.challenges_per_partition};
}

PorepChallengeProof blank_porep_challenge(const PorepCircuitShape& shape) {
  const MerkleProof tree_proof = blank_merkle_proof(shape.tree_arities);
  const ColumnProof column{0, std::vector<Fr>(shape.layers), tree_proof};
  PorepChallengeProof proof{};
  proof.comm_d_proof = blank_merkle_proof(std::vector<unsigned>(shape.log2_nodes, 2));
  proof.comm_r_last_proof = tree_proof;
  proof.c_x = column;
  proof.drg_parents.fill(column);
  proof.exp_parents.fill(column);
  proof.labeling_proofs.resize(shape.layers);
  return proof;
}

R1cs porep_r1cs(const PorepCircuitShape& shape) {
  CUZK_CHECK(shape.challenges > 0, "a PoRep circuit has challenges");
  const std::vector<PorepChallengeProof> challenges(shape.challenges, blank_porep_challenge(shape));
  ShapeSystem cs;
  synthesize_porep(cs, {Fr(), Fr(), Fr(), challenges});
  return cs.finish();
}

PorepPartition porep_partition(const C1& c1, std::size_t partition) {
  CUZK_CHECK(partition < c1.partitions.size(), "the partition exists");
  return {c1.replica_id, c1.comm_d, c1.comm_r, c1.partitions[partition]};
}

Witness porep_witness(const PorepPartition& partition, const R1cs& r1cs) {
  WitnessSystem cs(r1cs);
  synthesize_porep(cs, partition);
  return cs.finish();
}

}  // namespace cuzk
