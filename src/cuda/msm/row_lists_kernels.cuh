// Kernels of ListBuilder.
#pragma once

#include <cstdint>

#include "cuda/msm/msm_plan.h"
#include "cuda/runtime/grid.cuh"

namespace cuzk::cuda {

__global__ void identity_kernel(uint32_t* out, std::size_t n) {
  CUZK_GRID_STRIDE(i, n) out[i] = static_cast<uint32_t>(i);
}

struct SplitArgs {
  const uint32_t *start, *length, *dest;
  uint32_t count, max_length, first_slot;
  uint32_t *slots, *extra_tasks, *long_segments;  // counters
  uint32_t *task_start, *task_length, *task_dest;
  uint32_t *rest_start, *rest_length, *rest_dest;
  uint32_t *long_source,
      *long_tasks;  // of a long segment: its number, and the first task of its further parts
};

// Segment i becomes task i. A long one keeps its first max_length entries there; room is taken for the tasks of its
// further parts, which parts_kernel writes. The order of the long ones is not fixed.
__global__ void split_kernel(const __grid_constant__ SplitArgs a) {
  CUZK_GRID_STRIDE(i, a.count) {
    const uint32_t start = a.start[i], length = a.length[i];
    const uint32_t dest = a.dest != nullptr ? a.dest[i] : static_cast<uint32_t>(i);
    a.task_start[i] = start;
    if (length <= a.max_length) {
      a.task_length[i] = length;
      a.task_dest[i] = dest;
      continue;
    }
    const uint32_t parts = (length - 1) / a.max_length + 1;
    const uint32_t slot = a.first_slot + atomicAdd(a.slots, parts);
    const uint32_t segment = atomicAdd(a.long_segments, 1);
    a.long_source[segment] = static_cast<uint32_t>(i);
    a.long_tasks[segment] = a.count + atomicAdd(a.extra_tasks, parts - 1);
    a.rest_start[segment] = slot;
    a.rest_length[segment] = parts;
    a.rest_dest[segment] = dest;
    a.task_length[i] = a.max_length;
    a.task_dest[i] = slot;
  }
}

// Blocks (s, ..) write the parts from the second on of long segment s and every gridDim.x-th after it.
__global__ void parts_kernel(const __grid_constant__ SplitArgs a, uint32_t num_long) {
  for (uint32_t s = blockIdx.x; s < num_long; s += gridDim.x) {
    const uint32_t start = a.start[a.long_source[s]], length = a.length[a.long_source[s]];
    const uint32_t first_task = a.long_tasks[s], first_slot = a.rest_start[s], parts = a.rest_length[s];
    for (uint32_t k = 1 + blockIdx.y * blockDim.x + threadIdx.x; k < parts; k += gridDim.y * blockDim.x) {
      a.task_start[first_task + k - 1] = start + k * a.max_length;
      a.task_length[first_task + k - 1] = min(a.max_length, length - k * a.max_length);
      a.task_dest[first_task + k - 1] = first_slot + k;
    }
  }
}

// `sorted` descending; longer_than[j] = number of lengths above j, which were zero before.
__global__ void count_lengths_kernel(const uint32_t* sorted, std::size_t n, uint32_t* longer_than) {
  CUZK_GRID_STRIDE(i, n) {
    const uint32_t above = sorted[i], below = i + 1 < n ? sorted[i + 1] : 0;
    for (uint32_t j = below; j < above; ++j) longer_than[j] = static_cast<uint32_t>(i) + 1;
  }
}

// rows_in_round and first_line, `rounds` words each, from longer_than; the first round has all rows. One block of 1024.
__global__ void round_offsets_kernel(const uint32_t* longer_than, uint32_t num_rows, uint32_t rounds,
                                     uint32_t* rows_in_round, uint32_t* first_line) {
  __shared__ uint32_t sums[1024];
  uint32_t base = 0;
  for (uint32_t j0 = 0; j0 < rounds; j0 += 1024) {
    const uint32_t j = j0 + threadIdx.x;
    const uint32_t rows = j >= rounds ? 0 : j == 0 ? num_rows : (longer_than[j] + 31) / 32;
    sums[threadIdx.x] = rows;
    __syncthreads();
    for (uint32_t step = 1; step < 1024; step *= 2) {
      const uint32_t left = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
      __syncthreads();
      sums[threadIdx.x] += left;
      __syncthreads();
    }
    if (j < rounds) {
      rows_in_round[j] = rows;
      first_line[j] = base + sums[threadIdx.x] - rows;
    }
    base += sums[1023];
    __syncthreads();
  }
}

struct TransposeArgs {
  const uint32_t* values;                          // null: the entries are the numbers start + k * stride
  const uint32_t *start, *length, *dest, *stride;  // stride null: 1
  const uint32_t* order;                           // tasks, longest first
  std::size_t num_tasks;
  uint32_t num_rows;
  const uint32_t* first_line;
  uint32_t* entries;
  uint32_t* row_dest;
};

// A warp a row. Lists are read 32 entries at a time, all lanes on one list, and turned in shared memory.
__global__ void __launch_bounds__(128) transpose_kernel(const __grid_constant__ TransposeArgs a) {
  __shared__ uint32_t tiles[4][32 * 33];
  const uint32_t lane = threadIdx.x & 31, num_warps = gridDim.x * (blockDim.x >> 5);
  uint32_t* tile = tiles[threadIdx.x >> 5];
  for (uint32_t row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; row < a.num_rows; row += num_warps) {
    const std::size_t task = static_cast<std::size_t>(row) * 32 + lane;
    uint32_t start = 0, length = 0, dest = kNoEntry, stride = 1;
    if (task < a.num_tasks) {
      const uint32_t source = a.order[task];
      start = a.start[source], length = a.length[source], dest = a.dest[source];
      if (a.stride != nullptr) stride = a.stride[source];
    }
    a.row_dest[task] = dest;
    const uint32_t rounds = max(1u, __shfl_sync(0xffffffffu, length, 0));
    for (uint32_t j0 = 0; j0 < rounds; j0 += 32) {
      __syncwarp();
#pragma unroll 8
      for (int list = 0; list < 32; ++list) {
        const uint32_t list_start = __shfl_sync(0xffffffffu, start, list);
        const uint32_t list_length = __shfl_sync(0xffffffffu, length, list);
        const uint32_t list_stride = __shfl_sync(0xffffffffu, stride, list);
        const uint32_t j = j0 + lane, number = list_start + j * list_stride;
        tile[list * 33 + lane] = j >= list_length      ? kNoEntry
                                 : a.values != nullptr ? a.values[number]
                                                       : number;
      }
      __syncwarp();
      const uint32_t count = min(32u, rounds - j0);
      for (uint32_t j = 0; j < count; ++j) {
        const std::size_t line = static_cast<std::size_t>(a.first_line[j0 + j]) + row;
        a.entries[line * 32 + lane] = tile[lane * 33 + j];
      }
    }
  }
}

}  // namespace cuzk::cuda
