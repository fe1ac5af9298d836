// The PoRep circuit (StackedCircuit): a partition's challenges, each with its data leaf, the columns of its 14 parents, the
// labels recomputed layer by layer, the encoding, and the Merkle paths that tie them to comm_d, comm_c and comm_r_last.
// Source: docs/formats/circuits.md; rust-fil-proofs 19.1, storage-proofs-porep/src/stacked/circuit.
//
// The order of allocations and constraints is that of the reference, so it must not be changed. Inputs: replica_id, comm_d,
// comm_r, then 18 per challenge (vanilla/porep_public.h).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "circuit/merkle_paths.h"
#include "gadget/sha256.h"
#include "vanilla/porep_proof.h"

namespace cuzk {

// What one partition's circuit is filled with. All challenges have the same layers and tree shapes, and the same comm_c and
// comm_r_last; that they do is the caller's to see to (vanilla/c1_validate.h), or the witness will not satisfy the circuit.
struct PorepPartition {
  Fr replica_id;
  Fr comm_d;
  Fr comm_r;
  std::span<const PorepChallengeProof> challenges;  // at least one
};

namespace porep_detail {

// The variables that all challenges share.
template <ConstraintSystem CS>
struct Header {
  Words256<CS> replica_id_words;
  AllocatedNum comm_d;
  AllocatedNum comm_c;
  AllocatedNum comm_r_last;
};

template <ConstraintSystem CS>
Header<CS> synthesize_header(CS& cs, const PorepPartition& partition) {
  Header<CS> header;
  const PorepChallengeProof& first = partition.challenges.front();
  const AllocatedNum replica_id = AllocatedNum::alloc(cs, partition.replica_id);
  inputize(cs, replica_id);
  header.replica_id_words = to_message_words(cs, replica_id);
  header.comm_d = AllocatedNum::alloc(cs, partition.comm_d);
  inputize(cs, header.comm_d);
  const AllocatedNum comm_r = AllocatedNum::alloc(cs, partition.comm_r);
  inputize(cs, comm_r);
  header.comm_r_last = AllocatedNum::alloc(cs, first.comm_r_last());
  header.comm_c = AllocatedNum::alloc(cs, first.comm_c());
  const std::array<AllocatedNum, 2> preimage = {header.comm_c, header.comm_r_last};
  enforce_equal(cs, comm_r, poseidon<CS>(cs, preimage));
  return header;
}

// The rows of a parent's column, allocated, and its inclusion in TreeC.
template <ConstraintSystem CS>
std::vector<AllocatedNum> synthesize_column(CS& cs, const char* name, int index, const ColumnProof& column,
                                            const AllocatedNum& comm_c) {
  std::vector<AllocatedNum> rows;
  rows.reserve(column.rows.size());
  for (const Fr& row : column.rows) rows.push_back(AllocatedNum::alloc(cs, row));
  const AllocatedNum hash = poseidon<CS>(cs, rows);
  const Scope scope(cs, name, index);
  synthesize_inclusion(cs, NodeHash::poseidon, hash, column.inclusion_proof, comm_c);
  return rows;
}

// The challenged node as 64 bits, lowest first, which are also one public input.
template <ConstraintSystem CS>
std::array<Boolean, 64> synthesize_challenge(CS& cs, std::uint64_t challenge) {
  std::array<Boolean, 64> bits;
  for (std::size_t i = 0; i < bits.size(); ++i)
    bits[i] = AllocatedBit::alloc(cs, ((challenge >> i) & 1) != 0);
  pack_into_inputs<CS>(cs, bits);
  return bits;
}

// label = SHA-256(replica_id | layer | challenge | padding | 37 parents), cut to 254 bits. `parents` are the distinct ones,
// 6 in the first layer and 14 in the others; they are repeated up to 37, not decomposed again.
template <ConstraintSystem CS>
AllocatedNum synthesize_label(CS& cs, const Words256<CS>& replica_id, std::uint32_t layer,
                              const std::array<Boolean, 64>& challenge,
                              std::span<const Words256<CS>> parents) {
  using Word = UInt32<CS>;
  constexpr std::size_t kHeadWords = 16;
  std::array<Word, kHeadWords + 8 * kLabelParents> message;
  std::copy(replica_id.begin(), replica_id.end(), message.begin());
  message[8] = Word::constant(layer);
  const std::span<const Boolean, 64> challenge_bits(challenge);
  message[9] = Word::from_bits(challenge_bits.template last<32>());
  message[10] = Word::from_bits(challenge_bits.template first<32>());
  for (std::size_t i = 0; i < kLabelParents; ++i) {
    const Words256<CS>& parent = parents[i % parents.size()];
    std::copy(parent.begin(), parent.end(),
              message.begin() + static_cast<std::ptrdiff_t>(kHeadWords + 8 * i));
  }
  return pack_digest<CS>(cs, sha256<CS>(cs, message));
}

template <ConstraintSystem CS>
struct ParentColumns {
  std::array<std::vector<AllocatedNum>, kDrgDegree> drg;
  std::array<std::vector<AllocatedNum>, kExpansionDegree> exp;
};

// The labels of the challenged node, layer 1 first.
template <ConstraintSystem CS>
std::vector<AllocatedNum> synthesize_labels(CS& cs, const Header<CS>& header,
                                            const ParentColumns<CS>& parents,
                                            const std::array<Boolean, 64>& challenge) {
  const std::size_t layers = parents.drg.front().size();
  std::vector<AllocatedNum> labels;
  labels.reserve(layers);
  for (std::size_t layer = 1; layer <= layers; ++layer) {
    const Scope scope(cs, "labeling", static_cast<int>(layer));
    std::array<Words256<CS>, kDrgDegree + kExpansionDegree> words;
    std::size_t count = 0;
    for (const auto& column : parents.drg) words[count++] = to_message_words(cs, column[layer - 1]);
    if (layer > 1) {
      for (const auto& column : parents.exp) words[count++] = to_message_words(cs, column[layer - 2]);
    }
    const Scope label_scope(cs, "create_label");
    labels.push_back(synthesize_label<CS>(cs, header.replica_id_words, static_cast<std::uint32_t>(layer),
                                          challenge, std::span<const Words256<CS>>(words).first(count)));
  }
  return labels;
}

template <ConstraintSystem CS>
void synthesize_challenge_proof(CS& cs, const Header<CS>& header, const PorepChallengeProof& proof) {
  const auto include = [&](const char* name, NodeHash hash, const AllocatedNum& leaf, const MerkleProof& path,
                           const AllocatedNum& root) {
    const Scope scope(cs, name);
    synthesize_inclusion(cs, hash, leaf, path, root);
  };
  const AllocatedNum data_leaf = AllocatedNum::alloc(cs, proof.comm_d_proof.leaf);
  include("comm_d_inclusion", NodeHash::sha256, data_leaf, proof.comm_d_proof, header.comm_d);

  ParentColumns<CS> parents;
  for (std::size_t i = 0; i < kDrgDegree; ++i) {
    parents.drg[i] = synthesize_column(cs, "drg_parent_inclusion", static_cast<int>(i), proof.drg_parents[i],
                                       header.comm_c);
  }
  for (std::size_t i = 0; i < kExpansionDegree; ++i) {
    parents.exp[i] = synthesize_column(cs, "exp_parent_inclusion", static_cast<int>(i), proof.exp_parents[i],
                                       header.comm_c);
  }

  const std::array<Boolean, 64> challenge = synthesize_challenge(cs, proof.challenge());
  const std::vector<AllocatedNum> labels = synthesize_labels(cs, header, parents, challenge);
  const AllocatedNum encoded = add(cs, labels.back(), data_leaf);
  include("comm_r_last_inclusion", NodeHash::poseidon, encoded, proof.comm_r_last_proof, header.comm_r_last);
  const AllocatedNum column_hash = poseidon<CS>(cs, labels);
  include("c_x_inclusion", NodeHash::poseidon, column_hash, proof.c_x.inclusion_proof, header.comm_c);
}

}  // namespace porep_detail

template <ConstraintSystem CS>
void synthesize_porep(CS& cs, const PorepPartition& partition) {
  const auto header = porep_detail::synthesize_header(cs, partition);
  cs.repeat(partition.challenges.size(), [&](CS& part, std::size_t i) {
    const Scope scope(part, "challenge", static_cast<int>(i));
    porep_detail::synthesize_challenge_proof(part, header, partition.challenges[i]);
  });
}

}  // namespace cuzk
