// The vanilla proof of one sector in a WindowPoSt or WinningPoSt, typed. Source:
// docs/formats/vanilla-proofs.md.
#pragma once

#include <cstdint>
#include <vector>

#include "vanilla/merkle_proof.h"

namespace cuzk {

struct PostSectorProof {
  std::uint64_t sector_id;
  Fr comm_r;
  std::vector<MerkleProof> inclusion_proofs;  // TreeRLast; 10 in a WindowPoSt, 66 in a WinningPoSt
  Fr comm_c;
  Fr comm_r_last;
};

}  // namespace cuzk
