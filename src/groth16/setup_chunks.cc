#include "groth16/setup_chunks.h"

#include <algorithm>

#include "base/check.h"

namespace cuzk {

std::vector<SetupChunk> setup_chunks(const SrsCounts& counts, std::size_t chunk_bytes) {
  std::vector<SetupChunk> chunks;
  for (const Query query : kQueries) {
    const std::size_t points = chunk_bytes / query_point_bytes(query);
    CUZK_CHECK(points >= 1, "a chunk of a setup holds no point");
    for (std::size_t begin = 0; begin < counts[query]; begin += points)
      chunks.push_back({query, begin, std::min(points, counts[query] - begin)});
  }
  return chunks;
}

}  // namespace cuzk
