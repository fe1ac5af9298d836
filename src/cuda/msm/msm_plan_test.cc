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
  EXPECT_EQ(shape.max_length, 24U);
  EXPECT_GE(MsmShape::sparse(10, 10).max_length, 24U);
  EXPECT_EQ(MsmShape::sparse(130'000'000, 1'300'000).max_length, 30U);
}

// Whatever the number of scalars, the cut chosen for them fits the work space, and is no dearer than the planned one.
TEST(MsmPlanTest, FittedCutsFitTheWorkSpace) {
  for (const std::size_t planned : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{1'699'102},
                                    std::size_t{1} << 22, std::size_t{1} << 27}) {
    const MsmShape shape = MsmShape::sparse(5000, planned);
    for (std::size_t n = planned;; n = n * 5 / 7) {
      for (const std::size_t cost : {1U, 2U, 3U, 1000U}) {
        const MsmShape cut = shape.fitted(n, cost, 64);
        EXPECT_EQ(cut.num_scalars, n);
        EXPECT_LE(cut.windows.count, kMaxWindows);
        EXPECT_EQ(cut.group == cut.windows.count, shape.group == shape.windows.count);
        EXPECT_LE(cut.stride() * cut.group, shape.stride() * shape.group);
        EXPECT_LE(cut.max_entries(), shape.max_entries());
        EXPECT_LE(cut.max_buckets(), shape.max_buckets());
        EXPECT_LE(cut.part_tasks(), shape.part_tasks());
        EXPECT_LE(cut.reduction_side() * cut.group, shape.reduction_side() * shape.group);
        EXPECT_EQ(cut.max_length, std::max(64U, shape.max_length));
        EXPECT_LE(cost_of_windows(n, cut.windows, cost), cost_of_windows(n, shape.windows, cost));
      }
      if (n == 0) break;
    }
  }
  EXPECT_EQ(MsmShape::sparse(0, 1'699'102).fitted(1'229'275, 3, 64).windows.count, 16U);
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
