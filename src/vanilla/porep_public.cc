#include "vanilla/porep_public.h"

#include "hash/sha256.h"
#include "vanilla/challenges.h"
#include "vanilla/porep_graph.h"

namespace cuzk {

Bytes32 prover_id(std::uint64_t miner_id) noexcept {
  Bytes32 out{};
  std::size_t length = 0;
  while (miner_id >= 0x80) {
    out[length++] = static_cast<std::uint8_t>(miner_id | 0x80);
    miner_id >>= 7;
  }
  out[length] = static_cast<std::uint8_t>(miner_id);
  return out;
}

Bytes32 replica_id(const Bytes32& prover_id, std::uint64_t sector_number, const Bytes32& ticket,
                   const Bytes32& comm_d, const Bytes32& porep_id) noexcept {
  return truncate_254(Sha256()
                          .update(prover_id)
                          .update_u64_be(sector_number)
                          .update(ticket)
                          .update(comm_d)
                          .update(porep_id)
                          .digest());
}

std::vector<Fr> porep_public_inputs(const PorepPublic& statement, unsigned partition) {
  const ChallengeSource source = {statement.replica_id.to_bytes_le(), statement.comm_r.to_bytes_le(),
                                  statement.seed};
  const PorepGraph graph(statement.proof);
  std::vector<Fr> inputs = {statement.replica_id, statement.comm_d, statement.comm_r};
  for (const std::uint64_t challenge : porep_challenges(statement.proof, source, partition)) {
    const Fr node = Fr::from_u64(challenge);
    inputs.push_back(node);  // path in TreeD
    for (const std::uint64_t parent : graph.drg_parents(challenge)) inputs.push_back(Fr::from_u64(parent));
    for (const std::uint64_t parent : graph.expander_parents(challenge))
      inputs.push_back(Fr::from_u64(parent));
    inputs.insert(inputs.end(), 3, node);  // the challenge; path in TreeRLast; path of the column in TreeC
  }
  return inputs;
}

}  // namespace cuzk
