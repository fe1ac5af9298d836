// Which GPU the calling thread works on. CUDA keeps one device current for each thread, at first device 0; what is made belongs to
// it and must be released while it is current again.
//
// Nothing here puts an earlier device back: making a device current that the thread never used would start a context
// on it, half a gigabyte of a card that may be another's. So every entry point of CudaBackend and every destructor of
// this folder makes its own device current, and none counts on what was.
#pragma once

#include "cuda/runtime/cuda_error.h"

namespace cuzk::cuda {

inline int current_device() {
  int device = 0;
  CUZK_CUDA_TRY(cudaGetDevice(&device));
  return device;
}

// Throws CudaError.
inline void make_current(int device) {
  CUZK_CUDA_TRY(cudaSetDevice(device));
}

// For destructors: there is nothing to be done about a failure.
inline void make_current_to_release(int device) noexcept {
  if (cudaSetDevice(device) != cudaSuccess) (void)cudaGetLastError();
}

}  // namespace cuzk::cuda
