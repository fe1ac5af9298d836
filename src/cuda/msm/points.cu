#include "cuda/msm/points.h"

#include "cuda/curve/points.cuh"
#include "cuda/runtime/cuda_error.h"
#include "cuda/runtime/grid.cuh"

namespace cuzk::cuda {
namespace {

template <class F>
__global__ void mark_infinities_kernel(DeviceAffine<F>* points, std::size_t n) {
  CUZK_GRID_STRIDE(i, n) {
    if (is_zero(points[i].x) && is_zero(points[i].y)) set_infinity(points[i]);
  }
}

template <class F, class HostAffine>
void launch(HostAffine* d_points, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  mark_infinities_kernel<F><<<kGridBlocks, 256, 0, stream>>>(reinterpret_cast<DeviceAffine<F>*>(d_points), n);
  CUZK_CUDA_LAUNCHED();
}

}  // namespace

void mark_infinities(G1Affine* d_points, std::size_t n, cudaStream_t stream) {
  launch<DeviceFp>(d_points, n, stream);
}
void mark_infinities(G2Affine* d_points, std::size_t n, cudaStream_t stream) {
  launch<DeviceFp2>(d_points, n, stream);
}

}  // namespace cuzk::cuda
