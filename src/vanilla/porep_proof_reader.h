// Reads one element of `vanilla_proofs` from JSON.
#pragma once

#include "vanilla/json_reader.h"
#include "vanilla/porep_proof.h"
#include "vanilla/sector_shape.h"

namespace cuzk {

// The proof of one challenge for a sector of this shape: path lengths, arities, layers, parents and node
// numbers are checked against it. The caller's path says which challenge.
Status read_porep_challenge_proof(JsonReader& reader, JsonValue value, const SectorShape& shape,
                                  PorepChallengeProof& out);

}  // namespace cuzk
