// What a sector update depends on besides the sector's own shape. Source: docs/formats/circuits.md 4,
// docs/formats/public-inputs.md.
#pragma once

#include <array>
#include <cstdint>

#include "base/status.h"
#include "field/fr.h"
#include "vanilla/sector_shape.h"

namespace cuzk {

// TreeD of an update is a SHA-256 tree in the circuit of the network. The Poseidon variant has published parameters but no
// registered proof: one partition, no apex, TreeD of the shape of TreeR.
enum class UpdateVariant { sha256, poseidon };

struct UpdateShape {
  UpdateVariant variant;
  unsigned log2_nodes;
  TreeShape tree;            // TreeR
  unsigned log2_partitions;  // K = 2^this
  unsigned challenges;       // per partition
  unsigned log2_apex_leaves;
  std::array<unsigned, 6> allowed_h;  // how many high bits of a challenge select its encoding key
  unsigned h_index;                   // which of them is used

  static UpdateShape of(const SectorShape& sector, UpdateVariant variant = UpdateVariant::sha256) {
    return of(sector.log2_nodes, sector.tree, variant);
  }
  static UpdateShape of(unsigned log2_nodes, const TreeShape& tree, UpdateVariant variant);

  unsigned partitions() const noexcept { return 1u << log2_partitions; }
  unsigned h() const noexcept { return allowed_h[h_index]; }
  // Bits of a challenge that are drawn; the others are the partition's number.
  unsigned random_bits() const noexcept { return log2_nodes - log2_partitions; }
  // How many challenges one digest gives, and how many digests a partition needs.
  unsigned challenges_per_digest() const noexcept { return kFrCapacity / random_bits(); }
  unsigned digests() const noexcept {
    return (challenges + challenges_per_digest() - 1) / challenges_per_digest();
  }
  // The first public input of partition k: k, and above it one bit that selects h. The Poseidon variant has the latter alone.
  std::uint64_t partition_and_h_select(unsigned k) const noexcept;
};

}  // namespace cuzk
