// What the chain knows of a PoRep: prover id, replica id, and the public inputs of a partition's circuit.
// Source: docs/formats/public-inputs.md, PoRep.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "field/fr.h"
#include "vanilla/registered_proof.h"

namespace cuzk {

// The LEB128 of the miner's actor id, then zeros.
Bytes32 prover_id(std::uint64_t miner_id) noexcept;

// Below 2^254, hence a field element.
Bytes32 replica_id(const Bytes32& prover_id, std::uint64_t sector_number, const Bytes32& ticket,
                   const Bytes32& comm_d, const Bytes32& porep_id) noexcept;

struct PorepPublic {
  SealProof proof;
  Fr replica_id;
  Fr comm_d;
  Fr comm_r;
  Bytes32 seed;
};

// The public inputs of partition `partition` without the leading ONE: replica_id, comm_d, comm_r, and 18 per
// challenge.
std::vector<Fr> porep_public_inputs(const PorepPublic& statement, unsigned partition);

}  // namespace cuzk
