// What a setup on the device decides on the host: digits and powers of the fixed-base table, chunks, memory.
#include <gtest/gtest.h>

#include <bit>

#include "cuda/setup/cuda_setup.h"
#include "cuda/setup/fixed_base_table.h"
#include "cuda/testing/random_data.h"

namespace cuzk::cuda {
namespace {

std::vector<Fr> interesting_scalars() {
  std::vector<Fr> scalars = {Fr::zero(),
                             Fr::one(),
                             -Fr::one(),
                             Fr::from_u64(0xffff),
                             Fr::from_u64(0x10000),
                             Fr::from_u64(2).inverse()};
  for (unsigned bit = 0; bit < 255; bit += 5) scalars.push_back(Fr::from_u64(2).pow(bit));
  for (const Fr& scalar : RandomData(1).scalars(20)) scalars.push_back(scalar);
  return scalars;
}

std::array<std::uint32_t, 8> words_of(const Fr& scalar) {
  return std::bit_cast<std::array<std::uint32_t, 8>>(scalar.to_repr());
}

TEST(FixedBaseTable, DigitsAreTheScalar) {
  for (const Fr& scalar : interesting_scalars()) {
    const auto words = words_of(scalar);
    Fr sum;
    for (unsigned w = FixedBaseTable::kNumWindows; w-- > 0;) {
      const std::uint32_t digit = FixedBaseTable::digit(words.data(), w);
      ASSERT_LT(digit, FixedBaseTable::kWindowEntries);
      sum = sum * Fr::from_u64(FixedBaseTable::kWindowEntries) + Fr::from_u64(digit);
    }
    EXPECT_EQ(sum, scalar);
  }
}

TEST(FixedBaseTable, EntriesFollowEachOther) {
  std::size_t next = 0;
  for (unsigned w = 0; w < FixedBaseTable::kNumWindows; ++w) {
    for (std::uint32_t digit = 0; digit < FixedBaseTable::kWindowEntries; ++digit)
      ASSERT_EQ(FixedBaseTable::entry(w, digit), next++);
  }
  EXPECT_EQ(next, FixedBaseTable::kEntries);
}

template <typename F>
void expect_products() {
  const AffinePoint<F> base = ProjectivePoint<F>::generator().mul(Fr::from_u64(12345)).to_affine();
  const auto powers = window_powers(base);
  for (const Fr& scalar : interesting_scalars()) {
    const auto words = words_of(scalar);
    ProjectivePoint<F> sum;
    for (unsigned w = 0; w < FixedBaseTable::kNumWindows; ++w)
      sum = sum + ProjectivePoint<F>(powers[w]).mul(Fr::from_u64(FixedBaseTable::digit(words.data(), w)));
    ASSERT_EQ(sum.to_affine(), ProjectivePoint<F>(base).mul(scalar).to_affine());
  }
}
TEST(FixedBaseTable, EntriesOfItsPowersAddUpToTheProduct) {
  expect_products<Fp>();
  expect_products<Fp2>();
}

TEST(SetupChunks, CoverEveryQueryInOrder) {
  SrsCounts counts;
  counts.ic = 9;
  const std::size_t points[] = {1, 7, 2, 0, 5};
  for (std::size_t i = 0; i < kQueries.size(); ++i) counts[kQueries[i]] = points[i];
  const std::vector<SetupChunk> wanted = {{Query::h, 0, 1},   {Query::l, 0, 4},    {Query::l, 4, 3},
                                          {Query::a, 0, 2},   {Query::b_g2, 0, 2}, {Query::b_g2, 2, 2},
                                          {Query::b_g2, 4, 1}};
  EXPECT_EQ(setup_chunks(counts, 4 * 96), wanted);
  EXPECT_TRUE(setup_chunks(SrsCounts(), kSetupChunkBytes).empty());
}

TEST(SetupChunks, OfRealCircuitsFitTheBuffers) {
  // 32 GiB: PoRep, and window, from docs/formats/params.md.
  const std::size_t real[][4] = {{134217727, 130169893, 129753620, 33112282},
                                 {134217727, 126902376, 96205645, 91925767}};
  for (const auto& [h, l, a, b] : real) {
    SrsCounts counts;
    counts.queries = {h, l, a, b, b};
    SrsCounts found;
    for (const SetupChunk& chunk : setup_chunks(counts, kSetupChunkBytes)) {
      ASSERT_GE(chunk.count, 1u);
      ASSERT_LE(chunk.count * query_point_bytes(chunk.query), kSetupChunkBytes);
      ASSERT_EQ(chunk.begin, found[chunk.query]);
      found[chunk.query] += chunk.count;
    }
    EXPECT_EQ(found, counts);
  }
}

TEST(CudaSetup, MemoryIsAsStated) {
  EXPECT_EQ(setup_device_bytes(), std::size_t{480} << 20);
  EXPECT_EQ(setup_pinned_bytes(), std::size_t{192} << 20);
}

}  // namespace
}  // namespace cuzk::cuda
