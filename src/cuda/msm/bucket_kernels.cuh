// Scalars to bucket lists, and buckets to window sums.
#pragma once

#include "cuda/curve/points.cuh"
#include "cuda/field/fr.cuh"
#include "cuda/msm/msm_plan.h"
#include "cuda/runtime/grid.cuh"

namespace cuzk::cuda {

struct DigitArgs {
  const DeviceFr* values;
  const uint32_t* value_index;  // scalar i is values[value_index[i]], or values[i] if null
  std::size_t n;
  Windows windows;
  unsigned first, count;  // windows wanted
  DeviceFr halves;        // half_windows(windows), msm/digits.h
  uint32_t* keys;         // [count][stride]
  std::size_t stride;
};

// The digits of msm/digits.h as sort keys: (|digit| - 1) << 1 | sign, and num_buckets << 1 for a digit 0.
__global__ void digits_kernel(const __grid_constant__ DigitArgs a) {
  CUZK_GRID_STRIDE(i, a.n) {
    DeviceFr k = fr_from_montgomery(a.values[a.value_index != nullptr ? a.value_index[i] : i]);
    DeviceFr opposite, unused;
    fr_p_sub(opposite, k);
    const bool negative = fr_sub_raw(unused, opposite, k) != 0;
    k = select(negative, opposite, k);
    fr_add_raw(k, k, a.halves);
    for (unsigned w = 0; w < a.count; ++w) {
      const unsigned window = a.first + w, width = a.windows.width(window),
                     offset = a.windows.bit_offset(window);
      uint32_t low = 0, high = 0;
#pragma unroll
      for (unsigned z = 0; z < 8; ++z) {
        if (z == offset / 32) {
          low = k.v[z];
          high = z < 7 ? k.v[z + 1] : 0;
        }
      }
      const uint32_t bits = __funnelshift_r(low, high, offset % 32) & ((1u << width) - 1);
      const uint32_t half = window + 1 < a.windows.count ? 1u << (width - 1) : 0;
      const bool below = bits < half;
      const uint32_t magnitude = below ? half - bits : bits - half;
      const uint32_t bucket = magnitude != 0 ? magnitude - 1 : 1u << (width - 1);
      a.keys[w * a.stride + i] = bucket << 1 | static_cast<uint32_t>(negative != below);
    }
  }
}

struct BoundsArgs {
  const uint32_t* keys;  // sorted by bucket; 16-byte aligned, like values
  uint32_t* values;      // list entries of this window; receive the sign in bit 31
  std::size_t n;
  uint32_t first_entry;  // of values[0] in the array of all lists
  uint32_t num_buckets;
  uint32_t *start, *end;  // of the buckets in that array; zero before
};

__device__ __forceinline__ void bound_at(const BoundsArgs& a, std::size_t i, uint32_t key,
                                         uint32_t previous) {
  const uint32_t bucket = key >> 1, before = previous >> 1;
  const uint32_t entry = a.first_entry + static_cast<uint32_t>(i);
  if (i == 0 || bucket != before) {
    if (bucket < a.num_buckets) a.start[bucket] = entry;
    if (i != 0 && before < a.num_buckets) a.end[before] = entry;
  }
  if (i + 1 == a.n && bucket < a.num_buckets) a.end[bucket] = entry + 1;
}

__global__ void bounds_kernel(const __grid_constant__ BoundsArgs a) {
  CUZK_GRID_STRIDE(quad, (a.n + 3) / 4) {
    const std::size_t i = quad * 4;
    uint32_t previous = i != 0 ? a.keys[i - 1] : 0;
    if (i + 4 <= a.n) {
      const uint4 keys = *reinterpret_cast<const uint4*>(a.keys + i);
      uint4 values = *reinterpret_cast<uint4*>(a.values + i);
      values.x |= keys.x << 31, values.y |= keys.y << 31, values.z |= keys.z << 31, values.w |= keys.w << 31;
      *reinterpret_cast<uint4*>(a.values + i) = values;
      bound_at(a, i, keys.x, previous);
      bound_at(a, i + 1, keys.y, keys.x);
      bound_at(a, i + 2, keys.z, keys.y);
      bound_at(a, i + 3, keys.w, keys.z);
    } else {
      for (std::size_t k = i; k < a.n; ++k) {
        const uint32_t key = a.keys[k];
        a.values[k] |= key << 31;
        bound_at(a, k, key, previous);
        previous = key;
      }
    }
  }
}

// end -> length, in place.
__global__ void lengths_kernel(const uint32_t* start, uint32_t* end, std::size_t n) {
  CUZK_GRID_STRIDE(i, n) end[i] -= start[i];
}

// ---- reduction ----

// Sum number `position` of direction d (0 rows, 1 columns) of window w of the group has its parts at
// ((2 w + d) side + position) << kMaxLogParts.
struct ReductionLayout {
  uint32_t side;  // at least the rows and columns of every window
  __host__ __device__ constexpr std::size_t first_position(unsigned w, unsigned direction) const {
    return (std::size_t{2} * w + direction) * side;
  }
};

struct PartTaskArgs {
  BucketMatrix matrix;
  uint32_t first_bucket;
  uint32_t row_dest, column_dest;  // first_position of the rows and of the columns
  uint32_t *start, *length, *dest, *stride;
};

// The partial sums of one window's bucket matrix as tasks: a row is cut into interleaved parts, a column into pieces.
__global__ void part_tasks_kernel(const __grid_constant__ PartTaskArgs a) {
  const unsigned parts_mask = (1u << a.matrix.log_parts) - 1;
  const std::size_t row_tasks = std::size_t{1} << (a.matrix.log_rows + a.matrix.log_parts);
  CUZK_GRID_STRIDE(i, a.matrix.num_tasks()) {
    if (i < row_tasks) {
      const uint32_t row = static_cast<uint32_t>(i) >> a.matrix.log_parts,
                     part = static_cast<uint32_t>(i) & parts_mask;
      a.start[i] = a.first_bucket + (row << a.matrix.log_columns) + part;
      a.stride[i] = 1u << a.matrix.log_parts;
      a.length[i] = 1u << (a.matrix.log_columns - a.matrix.log_parts);
      a.dest[i] = ((a.row_dest + row) << BucketMatrix::kMaxLogParts) + part;
    } else {
      const uint32_t k = static_cast<uint32_t>(i - row_tasks);
      const uint32_t column = k & ((1u << a.matrix.log_columns) - 1), part = k >> a.matrix.log_columns;
      const uint32_t length = 1u << (a.matrix.log_rows - a.matrix.log_parts);
      a.start[i] = a.first_bucket + ((part * length) << a.matrix.log_columns) + column;
      a.stride[i] = 1u << a.matrix.log_columns;
      a.length[i] = length;
      a.dest[i] = ((a.column_dest + column) << BucketMatrix::kMaxLogParts) + part;
    }
  }
}

struct WindowMatrices {
  BucketMatrix matrix[kMaxWindows];
};

// sums[position] = sum of the position's parts. Block row y is one (window, direction).
inline constexpr unsigned kFoldThreads = 64;
template <class F>
__global__ void __launch_bounds__(kFoldThreads* kLanes<F>)
    fold_parts_kernel(const AffineInMemory<F>* parts, const __grid_constant__ WindowMatrices windows,
                      ReductionLayout layout, XyzzInMemory<F>* sums) {
  const BucketMatrix matrix = windows.matrix[blockIdx.y / 2];
  const uint32_t count = 1u << (blockIdx.y % 2 == 0 ? matrix.log_rows : matrix.log_columns);
  const uint32_t position = blockIdx.x * kFoldThreads + threadIdx.x / kLanes<F>;
  if (position >= count) return;
  const std::size_t at = layout.first_position(blockIdx.y / 2, blockIdx.y % 2) + position;
  DeviceXyzz<F> sum;
  set_infinity(sum);
#pragma unroll 1
  for (uint32_t part = 0; part < 1u << matrix.log_parts; ++part) {
    add_point(sum, load_point<F>(parts + (at << BucketMatrix::kMaxLogParts) + part));
  }
  store_point(sums + at, sum);
}

inline constexpr unsigned kWeightedSumThreads = 128;
template <class F>
inline constexpr unsigned kWeightedSumRuns = kWeightedSumThreads / kLanes<F>;

// out[2 w + d] = sum over positions i of (i + d) sums[i]. One block each. A thread, or a pair, takes a run of positions: the
// sum of its running sums, then its start times its whole sum.
template <class F>
__global__ void __launch_bounds__(kWeightedSumThreads)
    weighted_sum_kernel(const XyzzInMemory<F>* sums, const __grid_constant__ WindowMatrices windows,
                        ReductionLayout layout, XyzzInMemory<F>* out) {
  extern __shared__ uint4 shared[];
  auto* totals = reinterpret_cast<XyzzInMemory<F>*>(shared);
  const unsigned direction = blockIdx.x % 2, run = threadIdx.x / kLanes<F>;
  const BucketMatrix matrix = windows.matrix[blockIdx.x / 2];
  const uint32_t count = 1u << (direction == 0 ? matrix.log_rows : matrix.log_columns);
  const XyzzInMemory<F>* mine = sums + layout.first_position(blockIdx.x / 2, direction);
  const uint32_t per_run = (count + kWeightedSumRuns<F> - 1) / kWeightedSumRuns<F>, begin = run * per_run;
  DeviceXyzz<F> total, running;
  set_infinity(total);
  set_infinity(running);
#pragma unroll 1
  for (uint32_t i = per_run; i-- > 0;) {
    if (begin + i >= count) continue;
    add_point(total, running);
    add_point(running, load_point<F>(mine + begin + i));
  }
  const uint32_t weight = begin + direction;
  DeviceXyzz<F> scaled;
  set_infinity(scaled);
#pragma unroll 1
  for (int bit = 31 - __clz(static_cast<int>(weight | 1)); bit >= 0; --bit) {
    if (!is_infinity(scaled)) double_point(scaled);
    if ((weight >> bit & 1) != 0) add_point(scaled, running);
  }
  add_point(total, scaled);
  store_point(totals + run, total);
#pragma unroll 1
  for (uint32_t step = kWeightedSumRuns<F> / 2; step > 0; step /= 2) {
    __syncthreads();
    if (run < step) {
      add_point(total, load_point<F>(totals + run + step));
      store_point(totals + run, total);
    }
  }
  if (run == 0) store_point(out + blockIdx.x, total);
}

}  // namespace cuzk::cuda
