#include "proof_requests.h"

#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "circuit/proof_input.h"
#include "engine/proof_request.h"
#include "gen/bincode_writer.h"
#include "gen/c1_writer.h"
#include "gen/gen_porep.h"
#include "gen/gen_post.h"
#include "gen/gen_update.h"
#include "groth16/proof.h"
#include "groth16/verify.h"
#include "scratch_folder.h"
#include "server/proto_conversions.h"
#include "shared_parameters.h"
#include "vanilla/registered_post.h"
#include "vanilla/registered_update.h"

namespace cuzk {
namespace {

constexpr std::uint64_t kMinerId = 1000;

const SectorShape& small_sector() {
  return *find_sector_shape(std::string_view("2KiB")).value();
}

template <typename Bytes>
std::string text_of(const Bytes& bytes) {
  return {bytes.begin(), bytes.end()};
}

v1::SubmitProofRequest head(v1::ProofKind kind, std::uint64_t registered_proof) {
  v1::SubmitProofRequest request;
  request.set_proof_kind(kind);
  request.set_sector_size(small_sector().size_bytes);
  request.set_registered_proof(registered_proof);
  request.set_miner_id(kMinerId);
  return request;
}

v1::SubmitProofRequest post_request(v1::ProofKind kind, std::uint64_t registered_proof, std::uint64_t sectors,
                                    std::uint64_t seed) {
  PostGenOptions options{.proof = registered_post_from_number(registered_proof).value()};
  options.sectors = sectors;
  options.seed = seed;
  const GeneratedPost post = gen_post(options).value();
  v1::SubmitProofRequest request = head(kind, registered_proof);
  request.set_randomness(text_of(post.randomness));
  for (const PostSectorProof& sector : post.sectors)
    request.add_vanilla_proofs(text_of(post_proof_bincode(sector, small_sector().tree)));
  return request;
}

v1::SubmitProofRequest update_request(const SectorShape& sector, std::uint64_t registered_proof,
                                      std::uint64_t seed) {
  const GeneratedUpdate update = gen_update({&sector, UpdateVariant::sha256, seed});
  v1::SubmitProofRequest request = head(v1::SNAP_DEALS_UPDATE, registered_proof);
  request.set_sector_size(sector.size_bytes);
  request.set_comm_r_old(text_of(update.comm_r_old.to_bytes_le()));
  request.set_comm_r_new(text_of(update.comm_r_new.to_bytes_le()));
  request.set_comm_d_new(text_of(update.comm_d_new.to_bytes_le()));
  for (const UpdatePartitionProof& partition : update.partitions)
    request.add_vanilla_proofs(text_of(update_proof_bincode(partition, UpdateShape::of(sector))));
  return request;
}

v1::SubmitProofRequest porep_request(std::uint64_t registered_proof, std::uint64_t seed) {
  const std::uint64_t sector = 1 + seed;
  const C1 c1 = gen_porep({seal_proof_from_number(registered_proof).value(), kMinerId, sector, seed}).value();
  v1::SubmitProofRequest request = head(v1::POREP_SEAL_COMMIT, registered_proof);
  request.set_vanilla_proof(c1_json(c1));
  request.set_sector_number(sector);
  return request;
}

// Shared by all threads of a test; a key is read once.
const PreparedVerifyingKey& verifying_key(ProofKind kind) {
  static std::mutex mutex;
  static std::map<ProofKind, std::unique_ptr<const PreparedVerifyingKey>> keys;
  const std::lock_guard guard(mutex);
  auto& key = keys[kind];
  if (key == nullptr) {
    const auto bytes = read_file(shared_parameters(kind)[1]);
    key = std::make_unique<const PreparedVerifyingKey>(VerifyingKey::decode(bytes).value());
  }
  return *key;
}

}  // namespace

v1::SubmitProofRequest proof_request(ProofKind kind, std::uint64_t seed) {
  switch (kind) {
    case ProofKind::winning:
      return post_request(v1::WINNING_POST, 0, 1, seed);
    case ProofKind::window:
      return post_request(v1::WINDOW_POST_PARTITION, 10, 2, seed);
    case ProofKind::update:
      return update_request(small_sector(), 0, seed);
    case ProofKind::porep:
      return porep_request(5, seed);
    default:
      throw std::logic_error("no client asks for this kind");
  }
}

v1::SubmitProofRequest large_update_request(std::uint64_t seed) {
  return update_request(*find_sector_shape(std::string_view("32GiB")).value(), 3, seed);
}

v1::SubmitProofRequest faulty_request(ProofKind kind, std::uint64_t seed) {
  v1::SubmitProofRequest request = proof_request(kind, seed);
  if (kind == ProofKind::porep) {  // the replica id is another miner's
    request.set_miner_id(kMinerId + 1);
  } else if (kind == ProofKind::update) {
    request.set_comm_r_new(proof_request(kind, seed + 1).comm_r_new());
  } else {
    request.set_randomness(proof_request(kind, seed + 1).randomness());
  }
  return request;
}

Status check_proof(const v1::SubmitProofRequest& request, const std::string& proof) {
  CUZK_ASSIGN(const ProofRequest parsed, request_from_proto(v1::SubmitProofRequest(request)));
  CUZK_ASSIGN(const std::unique_ptr<ProofInput> input, parse_request(parsed));
  CUZK_ASSIGN(const std::vector<Proof> proofs,
              decode_proofs({reinterpret_cast<const std::uint8_t*>(proof.data()), proof.size()}));
  if (proofs.size() != input->num_proofs()) {
    return invalid_argument(std::to_string(proofs.size()) + " proofs found, " +
                            std::to_string(input->num_proofs()) + " wanted");
  }
  for (std::size_t i = 0; i < proofs.size(); ++i)
    CUZK_TRY(verify(verifying_key(parsed.kind), input->public_inputs(i), proofs[i]));
  return Status::ok();
}

}  // namespace cuzk
