#include "request.h"

#include <array>
#include <random>

#include "base/bytes.h"
#include "gen/bincode_writer.h"
#include "gen/c1_writer.h"
#include "gen/gen_porep.h"
#include "gen/gen_post.h"
#include "gen/gen_update.h"
#include "generated_input.h"
#include "vanilla/registered_update.h"
#include "whole_file.h"

namespace cuzk {
namespace {

template <class Bytes>
std::string as_string(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// What follows from the typed input.
Status fill_from(const ProofInput& input, ProofRequest& message) {
  const CircuitParameters& circuit = input.circuit();
  CUZK_ASSIGN(const RegisteredProof* const proof,
              find_registered_proof(circuit.kind, input.registered_proof()));
  message.kind = circuit.kind;
  message.sector_size = circuit.shape->size_bytes;
  message.registered_proof = proof->number;
  return Status::ok();
}

Status set_bytes(const char* flag, const std::string& hex, std::string* field) {
  CUZK_ASSIGN(const Bytes32 bytes, bytes32_option(flag, hex));
  *field = as_string(bytes);
  return Status::ok();
}

Result<std::optional<Priority>> priority_from(const std::string& name) {
  if (name.empty()) return std::optional<Priority>();
  for (const Priority priority : {Priority::low, Priority::normal, Priority::high, Priority::critical}) {
    if (name == priority_name(priority)) return std::optional<Priority>(priority);
  }
  return invalid_argument("--priority " + name + ": expected low, normal, high or critical");
}

Result<ProofRequest> generate_porep_message(const SectorShape& shape, std::uint64_t seed) {
  CUZK_ASSIGN(const SealProof proof, seal_proof_from_name("StackedDrg" + std::string(shape.name) + "V1_1"));
  const PorepGenOptions options{.proof = proof, .seed = seed};
  CUZK_ASSIGN(const C1 c1, gen_porep(options));
  ProofRequest message;
  message.vanilla_proof = c1_json(c1);
  message.miner_id = options.miner_id;
  message.sector_number = options.sector_number;
  return message;
}

Result<ProofRequest> generate_post_message(PostKind kind, const SectorShape& shape, std::uint64_t seed) {
  const ApiVersion version = kind == PostKind::winning ? ApiVersion::v1_0_0 : ApiVersion::v1_2_0;
  CUZK_ASSIGN(const RegisteredPost proof, registered_post(kind, shape, version));
  CUZK_ASSIGN(const GeneratedPost post,
              gen_post({.proof = proof, .sectors = proof.max_sectors(), .seed = seed}));
  ProofRequest message;
  for (const PostSectorProof& sector : post.sectors) {
    message.vanilla_proofs.push_back(as_string(post_proof_bincode(sector, shape.tree)));
  }
  message.randomness = as_string(post.randomness);
  message.miner_id = 1000;
  return message;
}

ProofRequest generate_update_message(const SectorShape& shape, std::uint64_t seed) {
  const GeneratedUpdate update = gen_update({&shape, UpdateVariant::sha256, seed});
  ProofRequest message;
  for (const UpdatePartitionProof& partition : update.partitions) {
    message.vanilla_proofs.push_back(as_string(update_proof_bincode(partition, UpdateShape::of(shape))));
  }
  message.comm_r_old = as_string(update.comm_r_old.to_bytes_le());
  message.comm_r_new = as_string(update.comm_r_new.to_bytes_le());
  message.comm_d_new = as_string(update.comm_d_new.to_bytes_le());
  message.miner_id = 1000;
  return message;
}

}  // namespace

std::string random_uuid() {
  std::random_device random;
  std::array<std::uint8_t, 16> bytes{};
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3f) | 0x80);
  const std::string hex = to_hex(bytes);
  return hex.substr(0, 8) + '-' + hex.substr(8, 4) + '-' + hex.substr(12, 4) + '-' + hex.substr(16, 4) + '-' +
         hex.substr(20, 12);
}

void RequestOptions::add_to(CLI::App& command) {
  input.add_to(command, false);
  command.add_option("--priority", priority, "instead of the kind's own (winning: critical, window: high)")
      ->check(CLI::IsMember({"low", "normal", "high", "critical"}));
  command.add_option("--request-id", request_id, "idempotency key (default: a random one)")->type_name("ID");
  command.add_option("--sector-number", sector_number, "of the sector")->type_name("N");
}

Result<ClientRequest> RequestOptions::read() const {
  CUZK_ASSIGN(std::unique_ptr<ProofInput> typed, input.read());
  ClientRequest request{{}, std::move(typed)};
  ProofRequest& message = request.message;
  CUZK_TRY(fill_from(*request.input, message));
  const ProofKind kind = request.input->circuit().kind;
  if (kind != ProofKind::porep && input.partition.has_value() && kind != ProofKind::window) {
    return invalid_argument("--partition: a request of this kind is for all partitions");
  }
  if (kind == ProofKind::porep) {
    if (input.partition.has_value())
      return invalid_argument("--partition: a request is for all partitions of a PoRep");
    CUZK_ASSIGN(message.vanilla_proof, read_file(input.c1));
  } else {
    for (const std::string& path : input.vanilla) {
      CUZK_ASSIGN(message.vanilla_proofs.emplace_back(), read_file(path));
    }
  }
  if (kind == ProofKind::window || kind == ProofKind::winning) {
    if (request.input->num_proofs() != 1) {
      return invalid_argument("--vanilla: the sectors are " + std::to_string(request.input->num_proofs()) +
                              " partitions; one request is for one of them");
    }
    CUZK_TRY(set_bytes("--randomness", input.randomness, &message.randomness));
    message.partition_index = static_cast<std::uint32_t>(request.input->partition_of(0));
  }
  if (kind == ProofKind::update) {
    CUZK_TRY(set_bytes("--comm-r-old", input.comm_r_old, &message.comm_r_old));
    CUZK_TRY(set_bytes("--comm-r-new", input.comm_r_new, &message.comm_r_new));
    CUZK_TRY(set_bytes("--comm-d-new", input.comm_d_new, &message.comm_d_new));
  }
  CUZK_ASSIGN(message.priority, priority_from(priority));
  message.request_id = request_id;
  message.miner_id = input.miner_id.value_or(0);
  message.sector_number = sector_number;
  return request;
}

Result<ClientRequest> generate_request(const std::string& kind, const std::string& sector_size,
                                       std::uint64_t seed) {
  CUZK_ASSIGN(const SectorShape* shape, find_sector_shape(std::string_view(sector_size)));
  CUZK_ASSIGN(std::unique_ptr<ProofInput> input, generate_input(kind, sector_size, seed, false));
  ClientRequest request{{}, std::move(input)};
  switch (request.input->circuit().kind) {
    case ProofKind::porep: {
      CUZK_ASSIGN(request.message, generate_porep_message(*shape, seed));
      break;
    }
    case ProofKind::winning: {
      CUZK_ASSIGN(request.message, generate_post_message(PostKind::winning, *shape, seed));
      break;
    }
    case ProofKind::window: {
      CUZK_ASSIGN(request.message, generate_post_message(PostKind::window, *shape, seed));
      break;
    }
    default:
      request.message = generate_update_message(*shape, seed);
  }
  CUZK_TRY(fill_from(*request.input, request.message));
  return request;
}

}  // namespace cuzk
