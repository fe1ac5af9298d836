// Whether the current device can run this binary's kernels at all.
#pragma once

#include <cuda_runtime_api.h>

namespace cuzk::cuda {

// cudaErrorNoKernelImageForDevice when the binary holds no code for the current device, else that of a failed query.
cudaError_t probe_kernels() noexcept;

}  // namespace cuzk::cuda
