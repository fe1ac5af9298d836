// Everything that depends on the sector size alone, one row per size. Source: docs/formats/c1.md, circuits.md.
//
// Five sizes are registered (2 KiB, 8 MiB, 512 MiB, 32 GiB, 64 GiB); the others exist for tests of the tree
// shapes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"

namespace cuzk {

inline constexpr unsigned kDrgDegree = 6;
inline constexpr unsigned kExpansionDegree = 8;
inline constexpr unsigned kMaxLayers = 11;
inline constexpr unsigned kWindowChallenges = 10;   // per sector
inline constexpr unsigned kWinningChallenges = 66;  // of the one sector

// TreeC and TreeRLast: `base_levels` levels of arity 8, then one level of the sub arity and one of the top
// arity, each absent if 0.
struct TreeShape {
  unsigned base_levels;
  unsigned sub_arity;
  unsigned top_arity;

  static constexpr unsigned kBaseArity = 8;
  constexpr unsigned num_levels() const noexcept { return base_levels + (sub_arity > 0) + (top_arity > 0); }
  // Level 0 is the one next to the leaves; level < num_levels().
  constexpr unsigned arity(unsigned level) const noexcept {
    return level < base_levels ? kBaseArity : level == base_levels ? sub_arity : top_arity;
  }
  // "8-8-2"
  std::string name() const;
};

struct SectorShape {
  const char* name;  // "32GiB", as in the names of registered proofs
  std::uint64_t size_bytes;
  unsigned log2_nodes;
  TreeShape tree;
  unsigned layers;
  unsigned porep_partitions;          // interactive and synthetic
  unsigned challenges_per_partition;  // of every PoRep
  unsigned ni_partitions;             // non-interactive
  unsigned window_sectors;            // per WindowPoSt partition
  bool registered;

  constexpr std::uint64_t nodes() const noexcept { return std::uint64_t{1} << log2_nodes; }
};

// All sizes, ascending.
std::span<const SectorShape> all_sector_shapes() noexcept;

// The sizes whose proofs have numbers: 2 KiB, 8 MiB, 512 MiB, 32 GiB, 64 GiB. Numbers of proofs come in groups of
// five, one per size in this order.
inline constexpr unsigned kRegisteredSizes = 5;
// The position of a size among them, or nothing.
std::optional<unsigned> registered_size_index(const SectorShape& shape) noexcept;
// The other way round; index < kRegisteredSizes (checked).
const SectorShape& registered_size(unsigned index) noexcept;

// The row of a size; invalid_argument for a size that is not in the table. The pointee is static.
Result<const SectorShape*> find_sector_shape(std::uint64_t size_bytes);
// By name, for example "2KiB".
Result<const SectorShape*> find_sector_shape(std::string_view name);

}  // namespace cuzk
