// The graph of a stacked PoRep: which nodes a label depends on. DRG parents lie in the same layer (depth
// robust sampling, ChaCha8), expander parents in the layer before (a Feistel permutation over BLAKE2b).
// Source: docs/formats/public-inputs.md, PoRep.
#pragma once

#include <array>
#include <cstdint>

#include "base/bytes.h"
#include "vanilla/registered_proof.h"

namespace cuzk {

using DrgParents = std::array<std::uint64_t, kDrgDegree>;
using ExpanderParents = std::array<std::uint64_t, kExpansionDegree>;

// Immutable; safe from any thread.
class PorepGraph {
 public:
  // log2_nodes at most 32.
  PorepGraph(const Bytes32& porep_id, ApiVersion api_version, unsigned log2_nodes) noexcept;
  explicit PorepGraph(const SealProof& proof) noexcept
      : PorepGraph(proof.porep_id(), proof.api_version, proof.shape->log2_nodes) {}

  // node < 2^log2_nodes, in both.
  DrgParents drg_parents(std::uint64_t node) const noexcept;
  ExpanderParents expander_parents(std::uint64_t node) const noexcept;

 private:
  std::uint64_t permute(std::uint64_t index) const noexcept;

  ApiVersion api_version_;
  unsigned log2_nodes_;
  std::array<std::uint8_t, 28> drg_seed_;
  std::array<std::uint64_t, 3> feistel_keys_;
};

}  // namespace cuzk
