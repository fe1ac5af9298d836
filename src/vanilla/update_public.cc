#include "vanilla/update_public.h"

#include <array>

#include "base/check.h"
#include "hash/poseidon.h"

namespace cuzk {
namespace {

Fr gen_randomness(const Fr& left, const Fr& right) noexcept {
  const std::array<Fr, 2> preimage = {left, right};
  return poseidon_hash(preimage, Fr::from_u64(kPoseidonGenRandomnessTag));
}

// Bits [first, first + count), count <= 32, lowest first.
std::uint64_t take_bits(const FrRepr& repr, unsigned first, unsigned count) noexcept {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned at = first + i;
    bits |= ((repr[at / 64] >> (at % 64)) & 1) << i;
  }
  return bits;
}

}  // namespace

Fr update_phi(const Fr& comm_d_new, const Fr& comm_r_old) noexcept {
  return gen_randomness(comm_d_new, comm_r_old);
}

Fr update_rho(const UpdateShape& shape, const Fr& phi, std::uint64_t node) noexcept {
  return gen_randomness(phi, Fr::from_u64(node >> (shape.log2_nodes - shape.h())));
}

std::vector<std::uint64_t> update_challenges(const UpdatePublic& statement, unsigned partition) {
  const UpdateShape& shape = statement.shape;
  CUZK_CHECK(partition < shape.partitions(), "a partition of the update");
  const unsigned bits = shape.random_bits();
  std::vector<std::uint64_t> challenges;
  challenges.reserve(shape.challenges);
  for (unsigned j = 0; j < shape.digests(); ++j) {
    const Fr index = Fr::from_u64(std::uint64_t{partition} * shape.digests() + j);
    const FrRepr digest = gen_randomness(statement.comm_r_new, index).to_repr();
    for (unsigned i = 0; i < shape.challenges_per_digest() && challenges.size() < shape.challenges; ++i)
      challenges.push_back(take_bits(digest, i * bits, bits) | std::uint64_t{partition} << bits);
  }
  return challenges;
}

std::vector<Fr> update_public_inputs(const UpdatePublic& statement, unsigned partition) {
  return {Fr::from_u64(statement.shape.partition_and_h_select(partition)), statement.comm_r_old,
          statement.comm_d_new, statement.comm_r_new};
}

}  // namespace cuzk
