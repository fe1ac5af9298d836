// Which nodes a PoRep challenges, by the three rules: interactive, synthetic, non-interactive. Source:
// docs/formats/public-inputs.md, PoRep.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "vanilla/registered_proof.h"

namespace cuzk {

// What challenges are derived from, all as the 32 bytes that the C1 object holds.
struct ChallengeSource {
  Bytes32 replica_id;
  Bytes32 comm_r;  // not used by the interactive rule
  Bytes32 seed;    // not used by the non-interactive rule
};

inline constexpr std::uint64_t kMaxSyntheticChallenges = std::uint64_t{1} << 18;

// The `count` challenges of partition `partition`: nodes 1..2^log2_nodes - 1, in order, repeats possible.
std::vector<std::uint64_t> interactive_challenges(const ChallengeSource& source, unsigned log2_nodes,
                                                  unsigned count, unsigned partition);
std::vector<std::uint64_t> non_interactive_challenges(const ChallengeSource& source, unsigned log2_nodes,
                                                      unsigned count, unsigned partition);
// Chosen among `num_synthetic` candidates (min(N, 2^18) in production; 1..2^18).
std::vector<std::uint64_t> synthetic_challenges(const ChallengeSource& source, unsigned log2_nodes,
                                                unsigned count, unsigned partition,
                                                std::uint64_t num_synthetic);

// By the rule and the counts of a registered proof.
std::vector<std::uint64_t> porep_challenges(const SealProof& proof, const ChallengeSource& source,
                                            unsigned partition);

}  // namespace cuzk
