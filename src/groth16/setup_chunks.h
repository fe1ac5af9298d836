// How the points of a setup are cut into chunks: in file order, each of one query, none larger than a buffer.
//
// Pure functions.
#pragma once

#include <cstddef>
#include <vector>

#include "groth16/srs_view.h"

namespace cuzk {

struct SetupChunk {
  Query query;
  std::size_t begin;  // of the query's points
  std::size_t count;  // at least 1

  friend bool operator==(const SetupChunk&, const SetupChunk&) = default;
};

// All points of all queries. `chunk_bytes` is the most that a chunk's encoded points take, at least one point (checked).
std::vector<SetupChunk> setup_chunks(const SrsCounts& counts, std::size_t chunk_bytes);

}  // namespace cuzk
