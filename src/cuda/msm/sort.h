// Radix sort of (key, value) pairs of 32-bit words on the device. In and out must not overlap.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace cuzk::cuda {

// Scratch bytes for n pairs.
std::size_t sort_scratch_bytes(std::size_t n);

struct SortArrays {
  const uint32_t* keys_in;
  uint32_t* keys_out;
  const uint32_t* values_in;
  uint32_t* values_out;
};
// By bits [first_bit, end_bit) of the keys; stable. Enqueues and returns.
void sort_ascending(void* d_scratch, std::size_t scratch_bytes, const SortArrays& arrays, std::size_t n,
                    unsigned first_bit, unsigned end_bit, cudaStream_t stream);
void sort_descending(void* d_scratch, std::size_t scratch_bytes, const SortArrays& arrays, std::size_t n,
                     unsigned first_bit, unsigned end_bit, cudaStream_t stream);

}  // namespace cuzk::cuda
