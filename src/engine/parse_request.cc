// From the fields of a request to a typed input. Every check that needs no parameters and no hashing is here; whether the vanilla
// proofs hold is for ProofInput::validate.
#include "engine/proof_request.h"

#include "vanilla/post_proof_reader.h"
#include "vanilla/registered_update.h"
#include "vanilla/update_proof_reader.h"

namespace cuzk {
namespace {

std::span<const std::uint8_t> as_bytes(const std::string& text) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string numbered(const char* field, std::size_t index) {
  return std::string(field) + "[" + std::to_string(index) + "]";
}

Result<Bytes32> bytes32_field(const char* field, const std::string& value) {
  Bytes32 bytes{};
  if (value.size() != bytes.size()) {
    return invalid_argument(std::string(field) + ": " + std::to_string(value.size()) +
                            " bytes found, 32 wanted");
  }
  std::copy(value.begin(), value.end(), bytes.begin());
  return bytes;
}

Result<Fr> fr_field(const char* field, const std::string& value) {
  CUZK_ASSIGN(const Bytes32 bytes, bytes32_field(field, value));
  const auto element = Fr::from_bytes_le(bytes);
  if (!element.has_value())
    return invalid_argument(std::string(field) + " " + to_hex(bytes) + ": not below the field modulus");
  return *element;
}

// The registered proof of the request, whose size must be the one that the request names.
Result<const RegisteredProof*> registered_proof_of(const ProofRequest& request) {
  const Result<const RegisteredProof*> found = find_registered_proof(request.kind, request.registered_proof);
  if (!found.is_ok()) return found.status().with_context("registered_proof");
  const RegisteredProof* const proof = found.value();
  if (request.sector_size != proof->shape->size_bytes) {
    return invalid_argument("sector_size is " + std::to_string(request.sector_size) +
                            ", but registered_proof " + std::to_string(request.registered_proof) + " (" +
                            proof->name + ") is for " + std::to_string(proof->shape->size_bytes));
  }
  return proof;
}

Status check_vanilla_proofs(const ProofRequest& request, const char* what) {
  const std::string kind = proof_kind_name(request.kind);
  if (!request.vanilla_proof.empty()) {
    return invalid_argument("vanilla_proof: " + std::to_string(request.vanilla_proof.size()) +
                            " bytes found, but a proof of kind " + kind + " takes vanilla_proofs, one a " +
                            what);
  }
  if (request.vanilla_proofs.empty())
    return invalid_argument("vanilla_proofs: none found, a proof of kind " + kind + " takes one a " + what);
  for (std::size_t i = 0; i < request.vanilla_proofs.size(); ++i) {
    if (request.vanilla_proofs[i].empty())
      return invalid_argument(numbered("vanilla_proofs", i) + ": 0 bytes found");
  }
  return Status::ok();
}

Result<std::unique_ptr<ProofInput>> parse_porep(const ProofRequest& request, const RegisteredProof& proof) {
  if (!request.vanilla_proofs.empty()) {
    return invalid_argument("vanilla_proofs: " + std::to_string(request.vanilla_proofs.size()) +
                            " found, but a proof of kind porep takes vanilla_proof, the C1 output");
  }
  if (request.vanilla_proof.empty()) return invalid_argument("vanilla_proof: 0 bytes found");
  Result<C1> c1 = parse_c1(as_bytes(request.vanilla_proof));
  if (!c1.is_ok()) return c1.status().with_context("vanilla_proof");
  const C1& parsed = c1.value();
  if (parsed.registered_proof.name() != proof.name) {
    return invalid_argument("vanilla_proof: registered_proof is " + parsed.registered_proof.name() +
                            ", but the request's registered_proof " + std::to_string(proof.number) + " is " +
                            proof.name);
  }
  // 0 is what a client that does not set the fields sends.
  if (request.sector_number != 0 && parsed.sector_num != request.sector_number) {
    return invalid_argument("vanilla_proof: SectorNum is " + std::to_string(parsed.sector_num) +
                            ", but sector_number is " + std::to_string(request.sector_number));
  }
  const auto miner = request.miner_id == 0 ? std::nullopt : std::optional<std::uint64_t>(request.miner_id);
  return make_porep_input(std::move(c1).value(), miner);
}

Result<std::unique_ptr<ProofInput>> parse_post(const ProofRequest& request, const RegisteredProof& proof) {
  CUZK_TRY(check_vanilla_proofs(request, "sector"));
  CUZK_ASSIGN(const RegisteredPost post, registered_post_from_number(proof.number));
  CUZK_ASSIGN(const Bytes32 randomness, bytes32_field("randomness", request.randomness));
  std::vector<PostSectorProof> sectors;
  for (std::size_t i = 0; i < request.vanilla_proofs.size(); ++i) {
    Result<PostSectorProof> sector =
        parse_post_proof(as_bytes(request.vanilla_proofs[i]), *post.shape, post.kind);
    if (!sector.is_ok()) return sector.status().with_context(numbered("vanilla_proofs", i));
    sectors.push_back(std::move(sector).value());
  }
  return make_post_input(post, randomness, std::move(sectors), request.partition_index);
}

Result<std::unique_ptr<ProofInput>> parse_update(const ProofRequest& request, const RegisteredProof& proof) {
  CUZK_TRY(check_vanilla_proofs(request, "partition"));
  UpdatePublic statement{UpdateShape::of(*proof.shape), Fr(), Fr(), Fr()};
  CUZK_ASSIGN(statement.comm_r_old, fr_field("comm_r_old", request.comm_r_old));
  CUZK_ASSIGN(statement.comm_d_new, fr_field("comm_d_new", request.comm_d_new));
  CUZK_ASSIGN(statement.comm_r_new, fr_field("comm_r_new", request.comm_r_new));
  std::vector<UpdatePartitionProof> proofs;
  for (std::size_t i = 0; i < request.vanilla_proofs.size(); ++i) {
    Result<UpdatePartitionProof> partition =
        parse_update_proof(as_bytes(request.vanilla_proofs[i]), statement.shape);
    if (!partition.is_ok()) return partition.status().with_context(numbered("vanilla_proofs", i));
    proofs.push_back(std::move(partition).value());
  }
  Result<std::unique_ptr<ProofInput>> input = make_update_input(*proof.shape, statement, std::move(proofs));
  if (!input.is_ok()) return input.status().with_context("vanilla_proofs");
  return input;
}

}  // namespace

Result<std::unique_ptr<ProofInput>> parse_request(const ProofRequest& request) {
  CUZK_ASSIGN(const RegisteredProof* const proof, registered_proof_of(request));
  switch (request.kind) {
    case ProofKind::porep:
      return parse_porep(request, *proof);
    case ProofKind::winning:
    case ProofKind::window:
      return parse_post(request, *proof);
    case ProofKind::update:
      return parse_update(request, *proof);
    case ProofKind::update_poseidon:
      break;
  }
  return invalid_argument("proof_kind: no request is made for kind " +
                          std::string(proof_kind_name(request.kind)));
}

}  // namespace cuzk
