#include "hash/poseidon.h"

namespace cuzk {
namespace {

Fr evaluate(const PoseidonConstants& constants, const Fr& tag, std::span<const Fr> preimage) noexcept {
  return poseidon_trace(constants, tag, preimage, [](const Fr&) {});
}

}  // namespace

Fr poseidon_hash(std::span<const Fr> preimage) noexcept {
  const PoseidonConstants& constants = poseidon_constants(static_cast<unsigned>(preimage.size()));
  return evaluate(constants, constants.merkle_tag, preimage);
}

Fr poseidon_hash(std::span<const Fr> preimage, const Fr& tag) noexcept {
  return evaluate(poseidon_constants(static_cast<unsigned>(preimage.size())), tag, preimage);
}

Fr poseidon_hash2(const Fr& left, const Fr& right) noexcept {
  const std::array<Fr, 2> preimage = {left, right};
  return poseidon_hash(preimage);
}

}  // namespace cuzk
