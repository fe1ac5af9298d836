// The relations inside the vanilla proof of one PoRep challenge. Source: docs/formats/public-inputs.md,
// PoRep.
#pragma once

#include <vector>

#include "vanilla/finding.h"
#include "vanilla/porep_graph.h"
#include "vanilla/porep_proof.h"
#include "vanilla/porep_public.h"

namespace cuzk {

// What all challenges of a sector share. Immutable; safe from any thread.
struct PorepCheckContext {
  explicit PorepCheckContext(const PorepPublic& public_values)
      : statement(public_values),
        graph(public_values.proof),
        replica_id(public_values.replica_id.to_bytes_le()) {}

  PorepPublic statement;
  PorepGraph graph;
  Bytes32 replica_id;
};

// Everything that is wrong with `proof` as the answer to `challenge`. If the proof consistently answers
// another challenge, that alone is reported, and the rest is checked for the challenge it answers.
std::vector<Finding> check_porep_challenge(const PorepCheckContext& context, const PorepChallengeProof& proof,
                                           std::uint64_t challenge);

}  // namespace cuzk
