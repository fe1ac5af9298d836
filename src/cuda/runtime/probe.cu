#include "cuda/runtime/probe.h"

namespace cuzk::cuda {
namespace {

__global__ void probe_kernel() {}

}  // namespace

cudaError_t probe_kernels() noexcept {
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes(&attributes, probe_kernel);
}

}  // namespace cuzk::cuda
