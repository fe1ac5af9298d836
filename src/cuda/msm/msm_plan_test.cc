// The sizes and index arithmetic of the device's MSM, on the host.
#include "cuda/msm/msm_plan.h"

#include <gtest/gtest.h>

namespace cuzk::cuda {
namespace {

TEST(MsmPlanTest, WindowCountsThatWereMeasuredBest) {
  EXPECT_EQ(choose_device_windows(std::size_t{1} << 22).count, 13U);
  EXPECT_EQ(choose_device_windows(std::size_t{1} << 24).count, 12U);
  EXPECT_EQ(choose_device_windows(std::size_t{1} << 26).count, 11U);
  EXPECT_EQ(choose_device_windows(std::size_t{1} << 27).count, 11U);
  EXPECT_LE(choose_device_windows(0).count, 64U);
}

TEST(MsmPlanTest, GroupsBoundTheWorkSpace) {
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{1}, std::size_t{1} << 20, std::size_t{1} << 27, kMaxPoints - 1}) {
    const MsmShape shape = MsmShape::dense(n);
    EXPECT_GE(shape.group, 1U);
    EXPECT_LE(shape.group, shape.windows.count);
    EXPECT_LE(shape.max_entries(), MsmShape::kMaxEntries) << n;
    for (unsigned first = 0; first < shape.windows.count; first += shape.group) {
      EXPECT_LE(shape.num_buckets(first, std::min(shape.group, shape.windows.count - first)),
                shape.max_buckets());
    }
  }
  EXPECT_EQ(MsmShape::dense(std::size_t{1} << 27).group, 6U);
  EXPECT_EQ(MsmShape::dense(std::size_t{1} << 26).group, 11U);
}

TEST(MsmPlanTest, ListsOfASparseMsmAreShort) {
  const MsmShape shape = MsmShape::sparse(65'000'000, 1'300'000);
  EXPECT_EQ(shape.max_length, 16U);
  EXPECT_GE(MsmShape::sparse(10, 10).max_length, 16U);
}

TEST(MsmPlanTest, BucketMatrixHoldsAllBuckets) {
  for (unsigned log_buckets = 1; log_buckets <= 25; ++log_buckets) {
    const BucketMatrix matrix = BucketMatrix::of(log_buckets);
    EXPECT_EQ(matrix.log_rows + matrix.log_columns, log_buckets);
    EXPECT_LE(matrix.log_parts, matrix.log_columns);
    EXPECT_LE(matrix.log_parts, matrix.log_rows);
  }
}

}  // namespace
}  // namespace cuzk::cuda
