// Matches storage-proofs-core 19 (drgraph.rs, BucketGraph) and storage-proofs-porep 19
// (stacked/vanilla/graph.rs, crypto/feistel.rs) bit for bit.
#include "vanilla/porep_graph.h"

#include <algorithm>
#include <bit>

#include "hash/blake2b.h"
#include "hash/chacha.h"
#include "hash/sha256.h"

namespace cuzk {
namespace {

constexpr unsigned kMetaDegree = kDrgDegree - 1;  // the sixth parent is the predecessor

// First eight bytes, big-endian, of BLAKE2b-512(be64(right) | be64(key)).
std::uint64_t feistel_round(std::uint64_t right, std::uint64_t key) noexcept {
  std::array<std::uint8_t, 16> message;
  store_be(message.data(), right);
  store_be(message.data() + 8, key);
  return load_be<std::uint64_t>(blake2b_512(message).data());
}

}  // namespace

PorepGraph::PorepGraph(const Bytes32& porep_id, ApiVersion api_version, unsigned log2_nodes) noexcept
    : api_version_(api_version), log2_nodes_(log2_nodes) {
  const Bytes32 drg = Sha256().update("Filecoin_DRSample").update(porep_id).digest();
  std::copy_n(drg.begin(), drg_seed_.size(), drg_seed_.begin());
  const Bytes32 feistel = Sha256().update("Filecoin_Feistel").update(porep_id).digest();
  for (std::size_t i = 0; i < feistel_keys_.size(); ++i) {
    feistel_keys_[i] = load_le<std::uint64_t>(feistel.data() + 8 * i);
  }
}

// Each node counts as five of a finer graph; a parent is sampled at a distance whose bucket, a power of two,
// is uniform.
DrgParents PorepGraph::drg_parents(std::uint64_t node) const noexcept {
  DrgParents parents{};
  if (node <= 1) return parents;
  Bytes32 seed;
  std::copy(drg_seed_.begin(), drg_seed_.end(), seed.begin());
  store_le(seed.data() + 28, static_cast<std::uint32_t>(node));
  ChaCha8Rng rng(seed);

  const bool predecessor_first = api_version_ != ApiVersion::v1_0_0;
  const std::uint64_t fine_node = node * kMetaDegree;
  const auto num_buckets =
      static_cast<std::uint64_t>(std::bit_width(fine_node - 1));  // ceil(log2(fine_node))
  for (unsigned i = 0; i < kMetaDegree; ++i) {
    const std::uint64_t bucket = rng.next_u64() % num_buckets + 1;
    const std::uint64_t largest = std::min(fine_node, std::uint64_t{1} << bucket);
    const std::uint64_t smallest = std::max<std::uint64_t>(2, largest >> 1);
    const std::uint64_t distance = smallest + rng.next_u64() % (largest - smallest + 1);
    const std::uint64_t parent = (fine_node - distance) / kMetaDegree;
    parents[predecessor_first ? i + 1 : i] = parent == node ? node - 1 : parent;
  }
  parents[predecessor_first ? 0 : kMetaDegree] = node - 1;
  return parents;
}

ExpanderParents PorepGraph::expander_parents(std::uint64_t node) const noexcept {
  ExpanderParents parents;
  for (unsigned i = 0; i < kExpansionDegree; ++i) {
    std::uint64_t image = permute(node * kExpansionDegree + i);
    // API 1.0.0 cuts the image to 32 bits before the division.
    if (api_version_ == ApiVersion::v1_0_0) image = static_cast<std::uint32_t>(image);
    parents[i] = image / kExpansionDegree;
  }
  return parents;
}

// Three Feistel rounds over 2 * half bits, repeated until the result falls below 8 N.
std::uint64_t PorepGraph::permute(std::uint64_t index) const noexcept {
  const unsigned index_bits = log2_nodes_ + 3;
  const unsigned half = (index_bits + 1) / 2;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = (index >> half) & mask;
    std::uint64_t right = index & mask;
    for (const std::uint64_t key : feistel_keys_) {
      const std::uint64_t mixed = left ^ (feistel_round(right, key) & mask);
      left = right;
      right = mixed;
    }
    index = (left << half) | right;
  } while ((index >> index_bits) != 0);
  return index;
}

}  // namespace cuzk
