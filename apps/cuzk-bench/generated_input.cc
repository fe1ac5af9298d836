#include "generated_input.h"

#include <optional>

#include "gen/gen_porep.h"
#include "gen/gen_post.h"
#include "gen/gen_update.h"

namespace cuzk {
namespace {

Result<std::unique_ptr<ProofInput>> generate_porep(const SectorShape& shape, std::uint64_t seed,
                                                   std::optional<std::uint64_t> partition) {
  CUZK_ASSIGN(const SealProof proof, seal_proof_from_name("StackedDrg" + std::string(shape.name) + "V1_1"));
  const PorepGenOptions options{.proof = proof, .seed = seed};
  CUZK_ASSIGN(C1 c1, gen_porep(options));
  return make_porep_input(std::move(c1), options.miner_id, partition);
}

Result<std::unique_ptr<ProofInput>> generate_post(PostKind kind, const SectorShape& shape,
                                                  std::uint64_t seed) {
  const ApiVersion version = kind == PostKind::winning ? ApiVersion::v1_0_0 : ApiVersion::v1_2_0;
  CUZK_ASSIGN(const RegisteredPost proof, registered_post(kind, shape, version));
  CUZK_ASSIGN(GeneratedPost post, gen_post({.proof = proof, .sectors = proof.max_sectors(), .seed = seed}));
  return make_post_input(proof, post.randomness, std::move(post.sectors), 0);
}

Result<std::unique_ptr<ProofInput>> generate_update(const SectorShape& shape, std::uint64_t seed,
                                                    bool first_only) {
  GeneratedUpdate update = gen_update({&shape, UpdateVariant::sha256, seed});
  const UpdatePublic statement = {UpdateShape::of(shape), update.comm_r_old, update.comm_d_new,
                                  update.comm_r_new};
  std::optional<std::uint64_t> partition;
  if (first_only) {
    update.partitions.erase(update.partitions.begin() + 1, update.partitions.end());
    partition = 0;
  }
  return make_update_input(shape, statement, std::move(update.partitions), partition);
}

}  // namespace

Result<std::unique_ptr<ProofInput>> generate_input(const std::string& kind, const std::string& sector_size,
                                                   std::uint64_t seed, bool first_only) {
  CUZK_ASSIGN(const SectorShape* shape, find_sector_shape(std::string_view(sector_size)));
  CUZK_ASSIGN(const ProofKind proof_kind, proof_kind_from_name(kind));
  switch (proof_kind) {
    case ProofKind::porep:
      return generate_porep(*shape, seed, first_only ? std::optional<std::uint64_t>(0) : std::nullopt);
    case ProofKind::winning:
      return generate_post(PostKind::winning, *shape, seed);
    case ProofKind::window:
      return generate_post(PostKind::window, *shape, seed);
    case ProofKind::update:
      return generate_update(*shape, seed, first_only);
    case ProofKind::update_poseidon:
      break;
  }
  return invalid_argument("--kind " + kind +
                          ": no input can be generated; expected porep, winning, window or update");
}

}  // namespace cuzk
