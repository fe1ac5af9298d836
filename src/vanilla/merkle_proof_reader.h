// Merkle proofs in bincode. Source: docs/formats/vanilla-proofs.md.
#pragma once

#include "vanilla/bincode_reader.h"
#include "vanilla/merkle_proof.h"
#include "vanilla/sector_shape.h"

namespace cuzk {

// A proof over TreeC or TreeR: the variant (Single, Sub or Top), the levels, arities and indices must be those of
// the tree.
Status read_tree_r_proof(BincodeReader& reader, const TreeShape& tree, MerkleProof& out);
// A proof over TreeD: Single, log2_nodes levels of two children.
Status read_tree_d_proof(BincodeReader& reader, unsigned log2_nodes, MerkleProof& out);

// How many bytes such a proof takes.
std::size_t tree_r_proof_bytes(const TreeShape& tree) noexcept;
std::size_t tree_d_proof_bytes(unsigned log2_nodes) noexcept;

}  // namespace cuzk
