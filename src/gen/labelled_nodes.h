// The labels of chosen nodes of a stacked PoRep, consistent wherever a proof looks. A derived node has the
// label that the graph demands, the hash of its parents' labels; the parents that are not derived themselves
// have arbitrary labels, since nothing but a challenge would look at theirs. Source:
// docs/formats/public-inputs.md, PoRep.
//
// Layers are labelled from the first to the last and within a layer by ascending node, as DRG parents have
// lower numbers. With all nodes derived this is the honest labelling of the whole sector.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gen/seed_stream.h"
#include "vanilla/porep_graph.h"
#include "vanilla/porep_proof.h"

namespace cuzk {

// Immutable once built; safe from any thread.
class LabelledNodes {
 public:
  // `derived`: the nodes to derive, in any order, repeats allowed, each below the number of nodes (checked).
  // Finds the parents on the global thread pool; labels on the calling thread.
  LabelledNodes(const SealProof& proof, const Bytes32& replica_id, std::vector<std::uint64_t> derived,
                const SeedStream& arbitrary);

  // The derived nodes and all their parents, ascending.
  std::span<const std::uint64_t> nodes() const noexcept { return nodes_; }
  bool is_derived(std::size_t position) const noexcept { return rows_of_parents_[position] != kArbitrary; }
  // Of nodes()[position], layer 1 first.
  std::vector<Fr> column(std::size_t position) const;
  const Bytes32& last_label(std::size_t position) const noexcept { return labels_.back()[position]; }

  // The place of one of nodes() in it (checked).
  std::size_t position_of(std::uint64_t node) const noexcept;
  // The preimage of a derived node's label; not of node 0, which has no parents and is never challenged
  // (checked).
  LabelingProof labeling(std::size_t position, unsigned layer) const;

 private:
  // Positions of the parents: DRG, then expander.
  using Parents = std::array<std::uint32_t, kDrgDegree + kExpansionDegree>;
  static constexpr std::uint32_t kArbitrary = ~std::uint32_t{0};

  void find_nodes(const PorepGraph& graph, std::span<const std::uint64_t> derived);
  void label_layer(unsigned layer, const Bytes32& replica_id, const SeedStream& arbitrary);
  Bytes32 derive(std::size_t position, unsigned layer, const Bytes32& replica_id) const;
  std::array<Bytes32, kLabelParents> parent_labels(std::size_t position, unsigned layer) const;

  std::vector<std::uint64_t> nodes_;
  std::vector<std::uint32_t> rows_of_parents_;  // index into parents_ per node, or kArbitrary
  std::vector<Parents> parents_;
  std::vector<std::vector<Bytes32>> labels_;  // [layer - 1][position]
};

}  // namespace cuzk
