// The vanilla proof of one PoRep challenge, typed: every value that enters the circuit is a field element.
// Source: docs/formats/c1.md.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "vanilla/merkle_proof.h"
#include "vanilla/sector_shape.h"

namespace cuzk {

inline constexpr unsigned kLabelParents = 37;  // parents hashed into a label, repeats included

// The labels of one node, layer 1 first, and the proof that their hash is a leaf of TreeC.
struct ColumnProof {
  std::uint32_t index;  // the node
  std::vector<Fr> rows;
  MerkleProof inclusion_proof;
};

// The preimage of one label, as bytes: it is compared, never proved.
struct LabelingProof {
  std::array<Bytes32, kLabelParents> parents;
  std::uint32_t layer_index;  // from 1
  std::uint64_t node;
};

struct PorepChallengeProof {
  MerkleProof comm_d_proof;       // TreeD; its leaf is the data
  MerkleProof comm_r_last_proof;  // TreeRLast; its leaf is the sealed data
  ColumnProof c_x;
  std::array<ColumnProof, kDrgDegree> drg_parents;
  std::array<ColumnProof, kExpansionDegree> exp_parents;
  std::vector<LabelingProof> labeling_proofs;  // one per layer
  LabelingProof encoding_proof;

  // The challenged node, as the proof itself says.
  std::uint64_t challenge() const noexcept { return labeling_proofs.front().node; }
  const Fr& comm_c() const noexcept { return c_x.inclusion_proof.root; }
  const Fr& comm_r_last() const noexcept { return comm_r_last_proof.root; }
};

}  // namespace cuzk
