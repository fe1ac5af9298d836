// Tables of points on the device.
//
// On the device infinity is marked by bit 31 of the top word of x (points.cuh); otherwise the layout is the host's.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "curve/affine.h"

namespace cuzk::cuda {

// Turns the host's form of infinity (x = y = 0) into the device's, in place. Enqueues and returns.
void mark_infinities(G1Affine* d_points, std::size_t n, cudaStream_t stream);
void mark_infinities(G2Affine* d_points, std::size_t n, cudaStream_t stream);

}  // namespace cuzk::cuda
