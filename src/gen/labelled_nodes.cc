#include "gen/labelled_nodes.h"

#include <algorithm>

#include "base/check.h"
#include "base/thread_pool.h"
#include "hash/sha256.h"

namespace cuzk {
namespace {

void sort_unique(std::vector<std::uint64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

LabelledNodes::LabelledNodes(const SealProof& proof, const Bytes32& replica_id,
                             std::vector<std::uint64_t> derived, const SeedStream& arbitrary) {
  sort_unique(derived);
  CUZK_CHECK(derived.empty() || derived.back() < proof.shape->nodes(), "nodes of the sector");
  find_nodes(PorepGraph(proof), derived);
  labels_.resize(proof.shape->layers);
  for (unsigned layer = 1; layer <= proof.shape->layers; ++layer) label_layer(layer, replica_id, arbitrary);
}

void LabelledNodes::find_nodes(const PorepGraph& graph, std::span<const std::uint64_t> derived) {
  constexpr std::size_t kDegree = kDrgDegree + kExpansionDegree;
  constexpr std::size_t kGrain = 64;
  std::vector<std::array<std::uint64_t, kDegree>> parents(derived.size());
  parallel_for(derived.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const DrgParents drg = graph.drg_parents(derived[i]);
      const ExpanderParents exp = graph.expander_parents(derived[i]);
      std::copy(exp.begin(), exp.end(), std::copy(drg.begin(), drg.end(), parents[i].begin()));
    }
  });
  nodes_.assign(derived.begin(), derived.end());
  for (const auto& of_node : parents) nodes_.insert(nodes_.end(), of_node.begin(), of_node.end());
  sort_unique(nodes_);

  rows_of_parents_.assign(nodes_.size(), kArbitrary);
  parents_.resize(derived.size());
  for (std::size_t i = 0; i < derived.size(); ++i) {
    rows_of_parents_[position_of(derived[i])] = static_cast<std::uint32_t>(i);
    for (std::size_t j = 0; j < kDegree; ++j)
      parents_[i][j] = static_cast<std::uint32_t>(position_of(parents[i][j]));
  }
}

std::size_t LabelledNodes::position_of(std::uint64_t node) const noexcept {
  const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), node);
  CUZK_CHECK(found != nodes_.end() && *found == node, "a labelled node");
  return static_cast<std::size_t>(found - nodes_.begin());
}

void LabelledNodes::label_layer(unsigned layer, const Bytes32& replica_id, const SeedStream& arbitrary) {
  std::vector<Bytes32>& labels = labels_[layer - 1];
  labels.resize(nodes_.size());
  for (std::size_t position = 0; position < nodes_.size(); ++position) {
    labels[position] = is_derived(position) ? derive(position, layer, replica_id)
                                            : arbitrary.node("label", layer, nodes_[position]);
  }
}

// trunc254(SHA-256(replica_id | be32(layer) | be64(node) | 20 zero bytes | 37 parents)); node 0 has no
// parents.
Bytes32 LabelledNodes::derive(std::size_t position, unsigned layer, const Bytes32& replica_id) const {
  constexpr std::array<std::uint8_t, 20> kZeros{};
  Sha256 hash;
  hash.update(replica_id).update_u32_be(layer).update_u64_be(nodes_[position]).update(kZeros);
  if (nodes_[position] != 0) {
    for (const Bytes32& parent : parent_labels(position, layer)) hash.update(parent);
  }
  return truncate_254(hash.digest());
}

// The DRG parents in this layer and, above layer 1, the expander parents in the one below; repeated in turn.
std::array<Bytes32, kLabelParents> LabelledNodes::parent_labels(std::size_t position, unsigned layer) const {
  const Parents& parents = parents_[rows_of_parents_[position]];
  const std::size_t period = layer == 1 ? kDrgDegree : parents.size();
  std::array<Bytes32, kLabelParents> labels;
  for (std::size_t i = 0; i < period; ++i)
    labels[i] = labels_[i < kDrgDegree ? layer - 1 : layer - 2][parents[i]];
  for (std::size_t i = period; i < labels.size(); ++i) labels[i] = labels[i - period];
  return labels;
}

std::vector<Fr> LabelledNodes::column(std::size_t position) const {
  std::vector<Fr> rows;
  rows.reserve(labels_.size());
  for (const std::vector<Bytes32>& layer : labels_) rows.push_back(*Fr::from_bytes_le(layer[position]));
  return rows;
}

LabelingProof LabelledNodes::labeling(std::size_t position, unsigned layer) const {
  CUZK_CHECK(is_derived(position) && nodes_[position] != 0, "a label made of parents");
  return {parent_labels(position, layer), layer, nodes_[position]};
}

}  // namespace cuzk
