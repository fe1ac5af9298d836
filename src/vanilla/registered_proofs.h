// The one table of what can be proved: every circuit with its parameter files, and every registered proof with the
// circuit that it uses. Source: docs/formats/params.md (names, digests), docs/formats/vanilla-proofs.md and
// docs/formats/c1.md; built once from registered_proof.h, registered_post.h, registered_update.h and
// parameter_names.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "vanilla/sector_shape.h"

namespace cuzk {

enum class ProofKind { porep, winning, window, update, update_poseidon };

// "porep", "winning", "window", "update", "update-poseidon"
const char* proof_kind_name(ProofKind kind) noexcept;
// The other way round; invalid_argument for anything else.
Result<ProofKind> proof_kind_from_name(std::string_view name);

// One circuit: a kind at a size. All PoRep versions and features of a size share one, and so do both versions of
// WindowPoSt.
struct CircuitParameters {
  ProofKind kind;
  const SectorShape* shape;
  std::string cache_id;
  // The first 32 hexadecimal digits of BLAKE2b-512 of the file as published; empty where none is.
  std::string_view params_digest;
  std::string_view vk_digest;

  bool is_published() const noexcept { return !params_digest.empty(); }
  // "v28-<cache id>.params" and "v28-<cache id>.vk"
  std::string params_file() const;
  std::string vk_file() const;
};

struct RegisteredProof {
  ProofKind kind;
  unsigned number;   // within seal, PoSt and update proofs
  std::string name;  // as filecoin-proofs-api names it
  std::string
      go_name;  // as Go's abi package names it; differs for WindowPoSt 1.2.0 and non-interactive PoRep
  const SectorShape* shape;
  unsigned partitions;  // of a PoSt: 1, the partition asked for
  const CircuitParameters* parameters;
};

// Every kind at every size, ascending by size; 22 of them are published. The Poseidon variant of the update exists at
// 32 and 64 GiB only. Static, like everything it points to.
std::span<const CircuitParameters> all_circuit_parameters();
// The row of a circuit; invalid_argument if there is none (update-poseidon below 32 GiB).
Result<const CircuitParameters*> find_circuit_parameters(ProofKind kind, const SectorShape& shape);

// Seal proofs 0..19, PoSt proofs 0..14, update proofs 0..4. Static.
std::span<const RegisteredProof> all_registered_proofs();
// By number (winning and window share the numbers 0..14), or by either name. invalid_argument names what was found
// instead, if the number or name is that of another kind.
Result<const RegisteredProof*> find_registered_proof(ProofKind kind, std::uint64_t number);
Result<const RegisteredProof*> find_registered_proof(ProofKind kind, std::string_view name);

}  // namespace cuzk
