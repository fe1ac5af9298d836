#include "gen/bincode_writer.h"

#include "base/bytes.h"
#include "base/check.h"

namespace cuzk {
namespace {

enum class Variant : std::uint32_t { single = 0, sub = 1, top = 2 };

class BincodeWriter {
 public:
  template <class Integer>
  void integer(Integer value) {
    bytes_.resize(bytes_.size() + sizeof value);
    store_le(bytes_.data() + bytes_.size() - sizeof value, value);
  }
  void length(std::size_t value) { integer(std::uint64_t{value}); }
  void fr(const Fr& value) {
    const Bytes32 bytes = value.to_bytes_le();
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  void poseidon_proof(const MerkleProof& proof, const TreeShape& tree) {
    CUZK_CHECK(proof.levels.size() == tree.num_levels(), "the levels of the tree");
    if (tree.sub_arity == 0) return single_proof(proof);
    variant(tree.top_arity == 0 ? Variant::sub : Variant::top);
    path(proof, 0, tree.base_levels);
    path(proof, tree.base_levels, 1);
    if (tree.top_arity != 0) path(proof, tree.base_levels + 1, 1);
    fr(proof.root);
    fr(proof.leaf);
  }

  void single_proof(const MerkleProof& proof) {
    variant(Variant::single);
    fr(proof.root);
    fr(proof.leaf);
    path(proof, 0, proof.levels.size());
  }

  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  void variant(Variant variant) { integer(static_cast<std::uint32_t>(variant)); }

  void path(const MerkleProof& proof, std::size_t first, std::size_t count) {
    length(count);
    for (std::size_t level = first; level < first + count; ++level) {
      const auto siblings = proof.siblings_of(level);
      length(siblings.size());
      for (const Fr& sibling : siblings) fr(sibling);
      length(proof.levels[level].index);
    }
  }

  std::vector<std::uint8_t> bytes_;
};

}  // namespace

std::vector<std::uint8_t> post_proof_bincode(const PostSectorProof& proof, const TreeShape& tree) {
  BincodeWriter out;
  out.integer(proof.sector_id);
  out.fr(proof.comm_r);
  out.length(1);  // sectors
  out.length(proof.inclusion_proofs.size());
  for (const MerkleProof& inclusion : proof.inclusion_proofs) out.poseidon_proof(inclusion, tree);
  out.fr(proof.comm_c);
  out.fr(proof.comm_r_last);
  return out.take();
}

std::vector<std::uint8_t> update_proof_bincode(const UpdatePartitionProof& proof, const UpdateShape& shape) {
  BincodeWriter out;
  out.fr(proof.comm_c);
  if (shape.variant == UpdateVariant::sha256) {
    out.length(proof.apex_leaves.size());
    for (const Fr& leaf : proof.apex_leaves) out.fr(leaf);
  }
  out.length(proof.challenges.size());
  for (const UpdateChallengeProof& challenge : proof.challenges) {
    out.poseidon_proof(challenge.proof_r_old, shape.tree);
    if (shape.variant == UpdateVariant::poseidon) {
      out.poseidon_proof(challenge.proof_d_new, shape.tree);
    } else {
      CUZK_CHECK(challenge.proof_d_new.levels.size() == shape.log2_nodes, "the levels of TreeD");
      out.single_proof(challenge.proof_d_new);
    }
    out.poseidon_proof(challenge.proof_r_new, shape.tree);
  }
  return out.take();
}

}  // namespace cuzk
