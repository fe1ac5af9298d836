#include "vanilla/post_public.h"

#include "base/check.h"
#include "hash/sha256.h"

namespace cuzk {

std::uint64_t post_leaf_challenge(const Bytes32& randomness, std::uint64_t sector_id,
                                  std::uint64_t challenge_index, unsigned log2_nodes) noexcept {
  const Bytes32 digest =
      Sha256().update(randomness).update_u64_le(sector_id).update_u64_le(challenge_index).digest();
  return load_le<std::uint64_t>(digest.data()) & ((std::uint64_t{1} << log2_nodes) - 1);
}

std::vector<std::uint64_t> post_sector_challenges(const PostPublic& statement, std::uint64_t sector_id,
                                                  std::size_t position) {
  const RegisteredPost& proof = statement.proof;
  const std::uint64_t count = proof.challenges_per_sector();
  const std::uint64_t sector_index = std::uint64_t{statement.partition} * proof.max_sectors() + position;
  const std::uint64_t first = proof.api_version == ApiVersion::v1_2_0 ? 0 : sector_index * count;
  std::vector<std::uint64_t> challenges;
  challenges.reserve(count);
  for (std::uint64_t n = 0; n < count; ++n) {
    challenges.push_back(
        post_leaf_challenge(statement.randomness, sector_id, first + n, proof.shape->log2_nodes));
  }
  return challenges;
}

std::vector<Fr> window_post_public_inputs(const PostPublic& statement,
                                          std::span<const PostSectorPublic> sectors) {
  const std::size_t slots = statement.proof.max_sectors();
  CUZK_CHECK(statement.proof.kind == PostKind::window, "a WindowPoSt");
  CUZK_CHECK(!sectors.empty() && sectors.size() <= slots, "1 to as many sectors as slots");
  std::vector<Fr> inputs;
  const std::size_t slot_size = 1 + statement.proof.challenges_per_sector();
  inputs.reserve(slots * slot_size);
  for (std::size_t i = 0; i < sectors.size(); ++i) {
    inputs.push_back(sectors[i].comm_r);
    for (const std::uint64_t node : post_sector_challenges(statement, sectors[i].sector_id, i))
      inputs.push_back(Fr::from_u64(node));
  }
  while (inputs.size() < slots * slot_size) {
    const Fr value = inputs[inputs.size() - slot_size];
    inputs.push_back(value);
  }
  return inputs;
}

std::vector<Fr> winning_post_public_inputs(const PostPublic& statement, const PostSectorPublic& sector) {
  CUZK_CHECK(statement.proof.kind == PostKind::winning, "a WinningPoSt");
  std::vector<Fr> inputs;
  inputs.reserve(2 * kWinningChallenges);
  for (const std::uint64_t node : post_sector_challenges(statement, sector.sector_id, 0)) {
    inputs.push_back(sector.comm_r);
    inputs.push_back(Fr::from_u64(node));
  }
  return inputs;
}

}  // namespace cuzk
