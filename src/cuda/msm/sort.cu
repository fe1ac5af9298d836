// CUB's onesweep radix sort, in a file of its own because it dominates compile time.
#include "cuda/msm/sort.h"

#include <cub/device/device_radix_sort.cuh>

#include <algorithm>

#include "cuda/runtime/cuda_error.h"

namespace cuzk::cuda {

std::size_t sort_scratch_bytes(std::size_t n) {
  std::size_t up = 0, down = 0;
  const uint32_t* in = nullptr;
  uint32_t* out = nullptr;
  CUZK_CUDA_TRY(cub::DeviceRadixSort::SortPairs(nullptr, up, in, out, in, out, static_cast<int64_t>(n)));
  CUZK_CUDA_TRY(
      cub::DeviceRadixSort::SortPairsDescending(nullptr, down, in, out, in, out, static_cast<int64_t>(n)));
  return std::max(up, down);
}

void sort_ascending(void* d_scratch, std::size_t scratch_bytes, const SortArrays& arrays, std::size_t n,
                    unsigned first_bit, unsigned end_bit, cudaStream_t stream) {
  CUZK_CUDA_TRY(cub::DeviceRadixSort::SortPairs(
      d_scratch, scratch_bytes, arrays.keys_in, arrays.keys_out, arrays.values_in, arrays.values_out,
      static_cast<int64_t>(n), static_cast<int>(first_bit), static_cast<int>(end_bit), stream));
}

void sort_descending(void* d_scratch, std::size_t scratch_bytes, const SortArrays& arrays, std::size_t n,
                     unsigned first_bit, unsigned end_bit, cudaStream_t stream) {
  CUZK_CUDA_TRY(cub::DeviceRadixSort::SortPairsDescending(
      d_scratch, scratch_bytes, arrays.keys_in, arrays.keys_out, arrays.values_in, arrays.values_out,
      static_cast<int64_t>(n), static_cast<int>(first_bit), static_cast<int>(end_bit), stream));
}

}  // namespace cuzk::cuda
