#include "vanilla/porep_challenge_check.h"

#include <algorithm>

#include "hash/poseidon.h"
#include "hash/sha256.h"

namespace cuzk {
namespace {

class ChallengeCheck {
 public:
  ChallengeCheck(const PorepCheckContext& context, const PorepChallengeProof& proof, std::uint64_t challenge)
      : context_(context),
        proof_(proof),
        challenge_(challenge),
        layers_(context.statement.proof.shape->layers) {}

  std::vector<Finding> run() && {
    settle_challenge();
    check_tree_d();
    check_columns();
    check_labels();
    check_tree_r_last();
    check_commitment();
    return std::move(findings_).take();
  }

 private:
  // A proof made for other randomness is right in itself: one finding says so, instead of one for each of its
  // parts.
  void settle_challenge() {
    const std::uint64_t answered = proof_.c_x.index;
    if (answered == challenge_ || proof_.challenge() != answered ||
        proof_.comm_d_proof.leaf_index() != answered)
      return;
    findings_.expect("challenge", challenge_, answered);
    challenge_ = answered;
  }

  void check_tree_d() {
    findings_.expect_merkle_proof("comm_d_proofs", proof_.comm_d_proof, TreeHash::sha256, challenge_,
                                  context_.statement.comm_d);
  }

  void check_column(const std::string& field, const ColumnProof& column, std::uint64_t node) {
    findings_.expect(field + ".column.index", node, column.index);
    findings_.expect(field + ".inclusion_proof.leaf", poseidon_hash(column.rows),
                     column.inclusion_proof.leaf);
    findings_.expect_merkle_proof(field + ".inclusion_proof", column.inclusion_proof, TreeHash::poseidon,
                                  node, proof_.comm_c());
  }

  void check_columns() {
    check_column("c_x", proof_.c_x, challenge_);
    const DrgParents drg = context_.graph.drg_parents(challenge_);
    for (std::size_t i = 0; i < drg.size(); ++i)
      check_column(indexed("drg_parents", i), proof_.drg_parents[i], drg[i]);
    const ExpanderParents exp = context_.graph.expander_parents(challenge_);
    for (std::size_t i = 0; i < exp.size(); ++i)
      check_column(indexed("exp_parents", i), proof_.exp_parents[i], exp[i]);
  }

  // The labels that the label of `layer` (from 1) is made of: the DRG parents in the same layer and, above
  // layer 1, the expander parents in the one below, repeated in turn up to 37.
  std::array<Bytes32, kLabelParents> label_parents(unsigned layer) const {
    std::array<Bytes32, kLabelParents> parents;
    std::size_t period = 0;
    for (const ColumnProof& column : proof_.drg_parents)
      parents[period++] = column.rows[layer - 1].to_bytes_le();
    if (layer > 1) {
      for (const ColumnProof& column : proof_.exp_parents)
        parents[period++] = column.rows[layer - 2].to_bytes_le();
    }
    for (std::size_t i = period; i < parents.size(); ++i) parents[i] = parents[i - period];
    return parents;
  }

  Bytes32 label(unsigned layer, const std::array<Bytes32, kLabelParents>& parents) const {
    constexpr std::array<std::uint8_t, 20> kZeros{};
    Sha256 hash;
    hash.update(context_.replica_id).update_u32_be(layer).update_u64_be(challenge_).update(kZeros);
    for (const Bytes32& parent : parents) hash.update(parent);
    return truncate_254(hash.digest());
  }

  void check_labeling(const std::string& field, const LabelingProof& labeling, unsigned layer,
                      const std::array<Bytes32, kLabelParents>& parents) {
    findings_.expect(field + ".layer_index", layer, labeling.layer_index);
    findings_.expect(field + ".node", challenge_, labeling.node);
    for (std::size_t i = 0; i < parents.size(); ++i) {
      if (parents[i] != labeling.parents[i])
        findings_.expect(field + indexed(".parents", i), parents[i], labeling.parents[i]);
    }
  }

  void check_labels() {
    for (unsigned layer = 1; layer <= layers_; ++layer) {
      const auto parents = label_parents(layer);
      const Bytes32 expected = label(layer, parents);
      findings_.expect(indexed("c_x.column.rows", layer - 1), expected,
                       proof_.c_x.rows[layer - 1].to_bytes_le());
      check_labeling(indexed("labeling_proofs", layer - 1), proof_.labeling_proofs[layer - 1], layer,
                     parents);
      if (layer < layers_) continue;
      check_labeling("encoding_proof", proof_.encoding_proof, layer, parents);
      last_label_ = *Fr::from_bytes_le(expected);
    }
  }

  // The sealed data is the data plus the label of the last layer.
  void check_tree_r_last() {
    const MerkleProof& proof = proof_.comm_r_last_proof;
    findings_.expect("comm_r_last_proof.leaf", last_label_ + proof_.comm_d_proof.leaf, proof.leaf);
    findings_.expect_merkle_proof("comm_r_last_proof", proof, TreeHash::poseidon, challenge_,
                                  proof_.comm_r_last());
  }

  void check_commitment() {
    findings_.expect("comm_r", poseidon_hash2(proof_.comm_c(), proof_.comm_r_last()),
                     context_.statement.comm_r);
  }

  const PorepCheckContext& context_;
  const PorepChallengeProof& proof_;
  std::uint64_t challenge_;
  unsigned layers_;
  Fr last_label_;
  Findings findings_;
};

}  // namespace

std::vector<Finding> check_porep_challenge(const PorepCheckContext& context, const PorepChallengeProof& proof,
                                           std::uint64_t challenge) {
  return ChallengeCheck(context, proof, challenge).run();
}

}  // namespace cuzk
