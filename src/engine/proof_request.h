// ProofRequest: one request for proofs as a client sends it, before anything of it is believed. The fields are those of
// cuzk.v1.SubmitProofRequest (docs/formats/grpc.md); no network library is seen here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"
#include "circuit/proof_input.h"

namespace cuzk {

// Ascending: a higher one goes first.
enum class Priority { low = 1, normal = 2, high = 3, critical = 4 };

// "low", "normal", "high", "critical"
const char* priority_name(Priority priority) noexcept;
// winning: critical; window: high; the others: normal.
Priority default_priority(ProofKind kind) noexcept;

struct ProofRequest {
  std::string request_id;  // idempotency key of the client; empty: none
  ProofKind kind = ProofKind::porep;
  std::uint64_t sector_size = 0;
  std::uint64_t registered_proof = 0;
  std::optional<Priority> priority;         // default_priority(kind) if not given
  std::string vanilla_proof;                // PoRep: the C1 wrapper, JSON
  std::vector<std::string> vanilla_proofs;  // PoSt: one a sector; update: one a partition
  std::uint64_t sector_number = 0;
  std::uint64_t miner_id = 0;
  std::string randomness;  // 32 bytes of a PoSt
  std::uint32_t partition_index = 0;
  std::string comm_r_old, comm_r_new, comm_d_new;  // 32 bytes each, of an update

  Priority effective_priority() const noexcept { return priority.value_or(default_priority(kind)); }
  // What this object holds on the heap, for the budget.
  std::uint64_t memory_bytes() const noexcept;
  // SHA-256 over everything but request_id and priority, each field with its length: equal only for equal content.
  Bytes32 content_digest() const;
};

// The typed input, every length and field element checked. All failures are invalid_argument and name the field, what was found
// and what was wanted: a registered proof of another kind or size, a vanilla proof for another circuit, 31 bytes of randomness,
// no vanilla proof at all. Uses the calling thread only.
Result<std::unique_ptr<ProofInput>> parse_request(const ProofRequest& request);

}  // namespace cuzk
