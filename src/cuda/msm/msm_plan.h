// Sizes and choices of a multi-scalar multiplication on the device. Pure functions, for host and device.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "msm/window.h"

namespace cuzk::cuda {

// An entry of a list: the index of a point in bits 0 .. 30, its sign in bit 31; kNoEntry pads.
inline constexpr uint32_t kNoEntry = 0xffffffffu;
inline constexpr uint32_t kEntrySign = 0x80000000u;
inline constexpr std::size_t kMaxPoints = std::size_t{1} << 30;

// The number of windows that makes n points cheapest: one addition an entry and about one more for each bucket. On an
// H200 the best were 14, 13, 12, 11, 11 windows at 2^20, 2^22, 2^24, 2^26, 2^27; this gives 15, 13, 12, 11, 11, the
// difference at 2^20 being within 2 %.
constexpr Windows choose_device_windows(std::size_t n) noexcept {
  Windows best = Windows::of(Windows::kMinCount);
  std::size_t best_cost = ~std::size_t{0};
  for (unsigned count = Windows::kMinCount; count <= 64; ++count) {
    const Windows windows = Windows::of(count);
    const std::size_t cost = n * count + windows.bucket_offset(count);
    if (cost < best_cost) {
      best = windows;
      best_cost = cost;
    }
  }
  return best;
}

// The buckets of a window, weights 1 .. 2^log_buckets, as a matrix: bucket i in row i >> log_columns. Each row and column
// is summed in `parts` parts first. Weighted sum = sum_c (c + 1) column_c + 2^log_columns sum_r r row_r.
struct BucketMatrix {
  unsigned log_rows;
  unsigned log_columns;
  unsigned log_parts;

  static constexpr unsigned kMaxLogParts = 6;
  static constexpr BucketMatrix of(unsigned log_buckets) noexcept {
    const unsigned log_columns = log_buckets / 2;
    return {log_buckets - log_columns, log_columns, log_columns < kMaxLogParts ? log_columns : kMaxLogParts};
  }
  constexpr std::size_t num_tasks() const noexcept {
    return ((std::size_t{1} << log_rows) + (std::size_t{1} << log_columns)) << log_parts;
  }
};

// What the work space of an MSM must hold. `entries`: list entries of one group of windows and the ones together.
struct MsmShape {
  std::size_t num_scalars = 0;  // that are cut into digits
  std::size_t num_ones = 0;     // at most this many points with scalar 1 besides
  Windows windows{};
  unsigned group = 0;       // windows done at a time
  uint32_t max_length = 0;  // longer lists are split

  // Entries of one group, above which windows are done in more than one group: bounds the work space to about 20 GB.
  static constexpr std::size_t kMaxEntries = std::size_t{1} << 30;

  // For n scalars of full width.
  static MsmShape dense(std::size_t n) {
    MsmShape shape;
    shape.num_scalars = n;
    shape.windows = choose_device_windows(n);
    shape.set_group();
    const double mean = static_cast<double>(n) / static_cast<double>(shape.windows.num_buckets(1));
    shape.max_length = static_cast<uint32_t>(std::max(64.0, mean + 8 * std::sqrt(mean) + 8));
    return shape;
  }
  // For a witness: up to `ones` ones, `n` others. Lists are cut short so that the ones make about 2^22 lists, enough
  // for long inversion chains.
  static MsmShape sparse(std::size_t ones, std::size_t n) {
    MsmShape shape = dense(n);
    shape.num_ones = ones;
    shape.max_length = static_cast<uint32_t>(std::clamp<std::size_t>(ones >> 22, 16, shape.max_length));
    return shape;
  }

  std::size_t max_entries() const noexcept { return num_scalars * group + num_ones; }
  // Buckets of the windows [first, first + count), which include the largest group for first = 0.
  std::size_t num_buckets(unsigned first, unsigned count) const noexcept {
    return windows.bucket_offset(first + count) - windows.bucket_offset(first);
  }
  std::size_t max_buckets() const noexcept { return num_buckets(0, group); }

 private:
  void set_group() noexcept {
    const std::size_t most = std::max<std::size_t>(1, kMaxEntries / std::max<std::size_t>(1, num_scalars));
    const unsigned groups = static_cast<unsigned>((windows.count + most - 1) / most);
    group = (windows.count + groups - 1) / groups;
  }
};

}  // namespace cuzk::cuda
