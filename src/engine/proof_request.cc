#include "engine/proof_request.h"

#include <string_view>

#include "hash/sha256.h"

namespace cuzk {
namespace {

void update_field(Sha256& hash, std::string_view field) {
  hash.update_u64_le(field.size()).update(field);
}

}  // namespace

const char* priority_name(Priority priority) noexcept {
  switch (priority) {
    case Priority::low:
      return "low";
    case Priority::normal:
      return "normal";
    case Priority::high:
      return "high";
    case Priority::critical:
      return "critical";
  }
  return "normal";
}

Priority default_priority(ProofKind kind) noexcept {
  switch (kind) {
    case ProofKind::winning:
      return Priority::critical;
    case ProofKind::window:
      return Priority::high;
    default:
      return Priority::normal;
  }
}

std::uint64_t ProofRequest::memory_bytes() const noexcept {
  std::uint64_t bytes = request_id.capacity() + vanilla_proof.capacity() + randomness.capacity() +
                        comm_r_old.capacity() + comm_r_new.capacity() + comm_d_new.capacity() +
                        vanilla_proofs.capacity() * sizeof(std::string);
  for (const std::string& proof : vanilla_proofs) bytes += proof.capacity();
  return bytes;
}

Bytes32 ProofRequest::content_digest() const {
  Sha256 hash;
  hash.update_u64_le(static_cast<std::uint64_t>(kind))
      .update_u64_le(sector_size)
      .update_u64_le(registered_proof)
      .update_u64_le(sector_number)
      .update_u64_le(miner_id)
      .update_u64_le(partition_index);
  for (const std::string* field : {&vanilla_proof, &randomness, &comm_r_old, &comm_r_new, &comm_d_new})
    update_field(hash, *field);
  hash.update_u64_le(vanilla_proofs.size());
  for (const std::string& proof : vanilla_proofs) update_field(hash, proof);
  return hash.digest();
}

}  // namespace cuzk
