// What a setup on the device decides on the host: digits and powers of the fixed-base table, memory.
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

TEST(CudaSetup, MemoryIsAsStated) {
  EXPECT_EQ(setup_device_bytes(), std::size_t{480} << 20);
  EXPECT_EQ(setup_pinned_bytes(), std::size_t{192} << 20);
}

}  // namespace
}  // namespace cuzk::cuda
