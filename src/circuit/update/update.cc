#include "circuit/update/update.h"

#include "r1cs/shape_system.h"
#include "r1cs/witness_system.h"

namespace cuzk {

UpdatePartitionProof blank_update_proof(const UpdateShape& shape) {
  const MerkleProof tree_r = blank_merkle_proof(tree_arities(shape.tree));
  const MerkleProof tree_d = shape.variant == UpdateVariant::sha256
                                 ? blank_merkle_proof(std::vector<unsigned>(shape.log2_nodes, 2))
                                 : tree_r;
  const std::size_t apex_leaves =
      shape.variant == UpdateVariant::sha256 ? std::size_t{1} << shape.log2_apex_leaves : 0;
  return {Fr(), std::vector<Fr>(apex_leaves),
          std::vector<UpdateChallengeProof>(shape.challenges, {tree_r, tree_d, tree_r})};
}

R1cs update_r1cs(const UpdateShape& shape) {
  const UpdatePartitionProof proof = blank_update_proof(shape);
  ShapeSystem cs;
  synthesize_update(cs, shape, {0, Fr(), Fr(), Fr(), &proof});
  return cs.finish();
}

Witness update_witness(const UpdateShape& shape, const UpdatePartition& partition, const R1cs& r1cs) {
  WitnessSystem cs(r1cs);
  synthesize_update(cs, shape, partition);
  return cs.finish();
}

}  // namespace cuzk
