#include "vanilla/challenges.h"

#include <algorithm>
#include <string_view>

#include "hash/blake2b.h"
#include "hash/chacha.h"
#include "hash/sha256.h"

namespace cuzk {
namespace {

// (256-bit little-endian integer mod (N - 1)) + 1, for N = 2^log2_nodes, log2_nodes in 2..32: four words,
// high to low, in base 2^32 digits, so that remainder and digit fit 64 bits.
std::uint64_t reduce_to_node(const std::uint8_t* digest, unsigned log2_nodes) noexcept {
  const std::uint64_t modulus = (std::uint64_t{1} << log2_nodes) - 1;
  std::uint64_t remainder = 0;
  for (int i = 7; i >= 0; --i) {
    remainder = ((remainder << 32) | load_le<std::uint32_t>(digest + 4 * i)) % modulus;
  }
  return remainder + 1;
}

std::span<const std::uint8_t> bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// A ChaCha20 key from two of the PoRep's values; what it generates is named by the label.
Bytes32 synthetic_key(std::string_view label, const Bytes32& first, const Bytes32& second) noexcept {
  std::array<std::uint8_t, 64> message;
  std::copy(first.begin(), first.end(), message.begin());
  std::copy(second.begin(), second.end(), message.begin() + 32);
  return blake2b_256(bytes_of(label), message);
}

// `kLength` bytes of the keystream at kLength * index. Blocks hold a whole number of such pieces.
template <std::size_t kLength>
std::array<std::uint8_t, kLength> keystream_piece(const Bytes32& key, std::uint64_t index) noexcept {
  constexpr ChaChaNonce kNonce = {'s', 'y', 'n', 't', 'h', '-', 'p', 'o', 'r', 'e', 'p', 0};
  constexpr std::uint64_t kPerBlock = 64 / kLength;
  const ChaChaBlock block = chacha20_block(key, static_cast<std::uint32_t>(index / kPerBlock), kNonce);
  std::array<std::uint8_t, kLength> piece;
  std::copy_n(block.begin() + static_cast<std::ptrdiff_t>(kLength * (index % kPerBlock)), kLength,
              piece.begin());
  return piece;
}

}  // namespace

std::vector<std::uint64_t> interactive_challenges(const ChallengeSource& source, unsigned log2_nodes,
                                                  unsigned count, unsigned partition) {
  std::vector<std::uint64_t> challenges;
  for (unsigned i = 0; i < count; ++i) {
    const Bytes32 digest =
        Sha256().update(source.replica_id).update(source.seed).update_u32_le(count * partition + i).digest();
    challenges.push_back(reduce_to_node(digest.data(), log2_nodes));
  }
  return challenges;
}

std::vector<std::uint64_t> non_interactive_challenges(const ChallengeSource& source, unsigned log2_nodes,
                                                      unsigned count, unsigned partition) {
  std::vector<std::uint64_t> challenges;
  for (unsigned i = 0; i < count; ++i) {
    const Bytes32 digest = Sha256()
                               .update("filecoin.io|PoRep|1|NonInteractive|1")
                               .update(source.replica_id)
                               .update(source.comm_r)
                               .update_u32_le(count * partition + i)
                               .digest();
    challenges.push_back(reduce_to_node(digest.data(), log2_nodes));
  }
  return challenges;
}

std::vector<std::uint64_t> synthetic_challenges(const ChallengeSource& source, unsigned log2_nodes,
                                                unsigned count, unsigned partition,
                                                std::uint64_t num_synthetic) {
  const Bytes32 generation =
      synthetic_key("filecoin.io|PoRep|1|Synthetic|1|Generation", source.replica_id, source.comm_r);
  const Bytes32 selection =
      synthetic_key("filecoin.io|PoRep|1|Synthetic|1|Selection", source.replica_id, source.seed);
  std::vector<std::uint64_t> challenges;
  for (unsigned i = 0; i < count; ++i) {
    const auto draw = keystream_piece<4>(selection, std::uint64_t{count} * partition + i);
    const auto candidate =
        keystream_piece<32>(generation, load_le<std::uint32_t>(draw.data()) % num_synthetic);
    challenges.push_back(reduce_to_node(candidate.data(), log2_nodes));
  }
  return challenges;
}

std::vector<std::uint64_t> porep_challenges(const SealProof& proof, const ChallengeSource& source,
                                            unsigned partition) {
  const unsigned log2_nodes = proof.shape->log2_nodes;
  const unsigned count = proof.challenges_per_partition();
  switch (proof.feature) {
    case PorepFeature::synthetic:
      return synthetic_challenges(source, log2_nodes, count, partition,
                                  std::min(proof.shape->nodes(), kMaxSyntheticChallenges));
    case PorepFeature::non_interactive:
      return non_interactive_challenges(source, log2_nodes, count, partition);
    case PorepFeature::interactive:
      break;
  }
  return interactive_challenges(source, log2_nodes, count, partition);
}

}  // namespace cuzk
