// How the points of a setup are cut into chunks: in file order, each of one query, none larger than a buffer.
//
// Pure functions.
#pragma once

#include <cstddef>
#include <vector>

#include "groth16/srs_view.h"

namespace cuzk::cuda {

struct SetupChunk {
  Query query;
  std::size_t begin;  // of the query's points
  std::size_t count;  // at least 1

  friend bool operator==(const SetupChunk&, const SetupChunk&) = default;
};

// Bytes of encoded points in a chunk: 2^19 points of G1 or 2^18 of G2, with which a launch fills an H200 31 times over.
inline constexpr std::size_t kSetupChunkBytes = std::size_t{48} << 20;

// All points of all queries. `chunk_bytes` has room for one point (checked).
std::vector<SetupChunk> setup_chunks(const SrsCounts& counts, std::size_t chunk_bytes);

}  // namespace cuzk::cuda
