// The index arithmetic of the device's transforms, run on the host with plain sums for the passes.
#include "cuda/ntt/ntt_plan.h"

#include <gtest/gtest.h>

#include <vector>

#include "cuda/testing/random_data.h"
#include "poly/domain.h"

namespace cuzk::cuda {
namespace {

// A pass as the file comment of ntt_plan.h defines it.
std::vector<Fr> run_pass(const std::vector<Fr>& in, const NttPass& pass, const Fr& root) {
  const std::size_t radix = std::size_t{1} << pass.log_radix, rest = std::size_t{1} << pass.log_rest;
  const std::size_t done = std::size_t{1} << pass.log_done;
  const Fr radix_root = root.pow(rest * done);
  std::vector<Fr> out(in.size());
  for (std::size_t m = 0; m < rest; ++m) {
    for (std::size_t p = 0; p < done; ++p) {
      for (std::size_t k = 0; k < radix; ++k) {
        Fr sum;
        for (std::size_t j = 0; j < radix; ++j)
          sum += in[(j * rest + m) * done + p] * radix_root.pow(j * k % radix);
        out[(m * radix + k) * done + p] = sum * root.pow(k * m * done);
      }
    }
  }
  return out;
}

TEST(NttPlanTest, PassesGiveTheTransformInNaturalOrder) {
  RandomData random(11);
  for (const unsigned log_n : {1U, 2U, 9U, 10U, 11U}) {
    const Domain domain(log_n);
    std::vector<Fr> values = random.scalars(domain.size()), want = values;
    domain.ntt(want);
    const NttPlan plan(log_n);
    for (unsigned i = 0; i < plan.num_passes(); ++i) values = run_pass(values, plan.pass(i), domain.omega());
    EXPECT_EQ(values, want) << log_n;
  }
}

TEST(NttPlanTest, PassesCoverAllBits) {
  for (unsigned log_n = 1; log_n <= NttPlan::kMaxLogN; ++log_n) {
    const NttPlan plan(log_n);
    ASSERT_LE(plan.num_passes(), NttPlan::kMaxPasses);
    unsigned done = 0;
    for (unsigned i = 0; i < plan.num_passes(); ++i) {
      const NttPass pass = plan.pass(i);
      EXPECT_EQ(pass.log_done, done);
      EXPECT_GE(pass.log_radix, 1U);
      EXPECT_LE(pass.log_radix, NttPlan::kMaxLogRadix);
      EXPECT_EQ(pass.log_radix + pass.log_rest + pass.log_done, log_n);
      EXPECT_LE(ntt_log_columns(pass) + pass.log_radix, kNttLogTile);
      done += pass.log_radix;
    }
    EXPECT_EQ(done, log_n);
  }
}

TEST(NttPlanTest, OutputsOfRowsArePermutationsByRounds) {
  for (unsigned log_radix = 1; log_radix <= NttPlan::kMaxLogRadix; ++log_radix) {
    std::vector<bool> seen(std::size_t{1} << log_radix);
    for (unsigned row = 0; row < seen.size(); ++row) {
      const unsigned k = ntt_output_of_row(row, log_radix);
      ASSERT_LT(k, seen.size());
      EXPECT_FALSE(seen[k]);
      seen[k] = true;
    }
  }
  EXPECT_EQ(ntt_output_of_row(0b101'010'001, 9), 0b001'010'101U);
  EXPECT_EQ(ntt_output_of_row(0b10'011'110, 8), 0b110'011'10U);
}

}  // namespace
}  // namespace cuzk::cuda
