// Loops over n items by all threads of a grid.
#pragma once

#include <cstddef>

#define CUZK_GRID_STRIDE(i, n)                                                                   \
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < (n); \
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x)

namespace cuzk::cuda {

// Blocks for such loops: 8 on each of an H200's 132 multiprocessors.
inline constexpr unsigned kGridBlocks = 1056;

}  // namespace cuzk::cuda
