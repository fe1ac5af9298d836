// Chunks of a setup: every point once, in order, within the size.
#include "groth16/setup_chunks.h"

#include <gtest/gtest.h>

namespace cuzk {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{48} << 20;

TEST(SetupChunks, CoverEveryQueryInOrder) {
  SrsCounts counts;
  counts.ic = 9;
  const std::size_t points[] = {1, 7, 2, 0, 5};
  for (std::size_t i = 0; i < kQueries.size(); ++i) counts[kQueries[i]] = points[i];
  const std::vector<SetupChunk> wanted = {{Query::h, 0, 1},   {Query::l, 0, 4},    {Query::l, 4, 3},
                                          {Query::a, 0, 2},   {Query::b_g2, 0, 2}, {Query::b_g2, 2, 2},
                                          {Query::b_g2, 4, 1}};
  EXPECT_EQ(setup_chunks(counts, 4 * 96), wanted);
  EXPECT_TRUE(setup_chunks(SrsCounts(), kChunkBytes).empty());
}

TEST(SetupChunks, OfRealCircuitsFitTheBuffers) {
  // 32 GiB: PoRep, and window, from docs/formats/params.md.
  const std::size_t real[][4] = {{134217727, 130169893, 129753620, 33112282},
                                 {134217727, 126902376, 96205645, 91925767}};
  for (const auto& [h, l, a, b] : real) {
    SrsCounts counts;
    counts.queries = {h, l, a, b, b};
    SrsCounts found;
    for (const SetupChunk& chunk : setup_chunks(counts, kChunkBytes)) {
      ASSERT_GE(chunk.count, 1u);
      ASSERT_LE(chunk.count * query_point_bytes(chunk.query), kChunkBytes);
      ASSERT_EQ(chunk.begin, found[chunk.query]);
      found[chunk.query] += chunk.count;
    }
    EXPECT_EQ(found, counts);
  }
}

}  // namespace
}  // namespace cuzk
