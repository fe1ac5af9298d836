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

// What a cut of n scalars costs, in additions: one an entry, and bucket_cost for each bucket.
constexpr std::size_t cost_of_windows(std::size_t n, const Windows& windows,
                                      std::size_t bucket_cost) noexcept {
  return n * windows.count + bucket_cost * windows.bucket_offset(windows.count);
}

inline constexpr unsigned kMaxWindows = 64;

// The number of windows that makes n points cheapest: one addition an entry and about one more for each bucket. On an
// H200 the best were 14, 13, 12, 11, 11 windows at 2^20, 2^22, 2^24, 2^26, 2^27; this gives 15, 13, 12, 11, 11, the
// difference at 2^20 being within 2 %.
constexpr Windows choose_device_windows(std::size_t n) noexcept {
  Windows best = Windows::of(Windows::kMinCount);
  for (unsigned count = Windows::kMinCount; count <= kMaxWindows; ++count) {
    const Windows windows = Windows::of(count);
    if (cost_of_windows(n, windows, 1) < cost_of_windows(n, best, 1)) best = windows;
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
  // for long inversion chains; pieces shorter than 24 make too many.
  static MsmShape sparse(std::size_t ones, std::size_t n) {
    MsmShape shape = dense(n);
    shape.num_ones = ones;
    shape.max_length = static_cast<uint32_t>(std::clamp<std::size_t>(ones >> 22, 24, shape.max_length));
    return shape;
  }

  // The cheapest cut of n <= num_scalars scalars that work space for this shape can hold, one group if this has one. Lists
  // are of up to `length` entries if that is more than max_length.
  MsmShape fitted(std::size_t n, std::size_t bucket_cost, uint32_t length) const noexcept {
    MsmShape best = *this;
    best.num_scalars = n;
    best.max_length = std::max(max_length, length);
    for (unsigned count = windows.count + 1; count <= kMaxWindows && group == windows.count; ++count) {
      MsmShape other = best;
      other.windows = Windows::of(count);
      other.group = count;
      if (holds(other) &&
          cost_of_windows(n, other.windows, bucket_cost) < cost_of_windows(n, best.windows, bucket_cost)) {
        best = other;
      }
    }
    return best;
  }

  // Entries reserved a window, a multiple of 16 bytes.
  std::size_t stride() const noexcept { return (num_scalars + 3) / 4 * 4; }
  uint32_t reduction_side() const noexcept { return 1u << BucketMatrix::of(windows.width(0) - 1).log_rows; }
  std::size_t part_tasks() const noexcept {
    return BucketMatrix::of(windows.width(0) - 1).num_tasks() * group;
  }
  std::size_t max_entries() const noexcept { return num_scalars * group + num_ones; }
  // Buckets of the windows [first, first + count), which include the largest group for first = 0.
  std::size_t num_buckets(unsigned first, unsigned count) const noexcept {
    return windows.bucket_offset(first + count) - windows.bucket_offset(first);
  }
  std::size_t max_buckets() const noexcept { return num_buckets(0, group); }

 private:
  // Whether work space for this shape holds `other`, a cut of no more scalars into narrower windows.
  bool holds(const MsmShape& other) const noexcept {
    return other.stride() * other.group <= stride() * group && other.max_buckets() <= max_buckets() &&
           other.part_tasks() <= part_tasks() &&
           std::size_t{other.reduction_side()} * other.group <= std::size_t{reduction_side()} * group;
  }
  void set_group() noexcept {
    const std::size_t most = std::max<std::size_t>(1, kMaxEntries / std::max<std::size_t>(1, num_scalars));
    const unsigned groups = static_cast<unsigned>((windows.count + most - 1) / most);
    group = (windows.count + groups - 1) / groups;
  }
};

}  // namespace cuzk::cuda
