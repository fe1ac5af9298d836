#include "cuda/msm/list_sums.h"

#include <algorithm>

#include "cuda/msm/xyzz_pairs_kernels.cuh"

namespace cuzk::cuda {
namespace {

// G1: a warp a row at a time, the longest rows first; a lane a list.
__global__ void __launch_bounds__(128) xyzz_kernel(const AffineG1* points, RowLists lists, AffineG1* out) {
  const uint32_t lane = threadIdx.x & 31, num_warps = gridDim.x * (blockDim.x >> 5);
  for (uint32_t row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; row < lists.num_rows; row += num_warps) {
    DeviceXyzz<DeviceFp> sum;
    set_infinity(sum);
#pragma unroll 1
    for (uint32_t j = 0; lists.rows_in_round[j] > row; ++j) {
      const uint32_t entry = lists.entries[(static_cast<std::size_t>(lists.first_line[j]) + row) * 32 + lane];
      if (entry == kNoEntry) continue;
      AffineG1 point = points[entry & ~kEntrySign];
      if ((entry & kEntrySign) != 0) point.y = negated(point.y);
      add_point(sum, point);
    }
    __syncwarp();
    const AffineG1 result = to_affine(sum);
    const uint32_t dest = lists.dest[static_cast<std::size_t>(row) * 32 + lane];
    if (dest != kNoEntry) out[dest] = result;
  }
}

struct Multiprocessors {
  int count = 0;
  int shared_bytes = 0;  // that a block may have
};
Multiprocessors multiprocessors() {
  int device = 0;
  Multiprocessors out;
  CUZK_CUDA_TRY(cudaGetDevice(&device));
  CUZK_CUDA_TRY(cudaDeviceGetAttribute(&out.count, cudaDevAttrMultiProcessorCount, device));
  CUZK_CUDA_TRY(cudaDeviceGetAttribute(&out.shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return out;
}

unsigned num_blocks(const Multiprocessors& sms, std::size_t num_warps) {
  return static_cast<unsigned>(std::min(static_cast<std::size_t>(sms.count) * 4, (num_warps + 3) / 4));
}

}  // namespace

ListMethod choose_list_method(std::size_t num_rows, int num_sms) noexcept {
  constexpr std::size_t kShortestChain = 12;
  return num_rows >= kShortestChain * kBatchWarps * static_cast<std::size_t>(num_sms)
             ? ListMethod::batch_affine
             : ListMethod::xyzz;
}

void sum_lists(ListMethod method, const G1Affine* d_points, const RowLists& lists, void* d_records,
               G1Affine* d_out, cudaStream_t stream) {
  const Multiprocessors sms = multiprocessors();
  const auto* points = reinterpret_cast<const AffineG1*>(d_points);
  auto* out = reinterpret_cast<AffineG1*>(d_out);
  if (method == ListMethod::xyzz) {
    xyzz_kernel<<<num_blocks(sms, lists.num_rows), 128, 0, stream>>>(points, lists, out);
    CUZK_CUDA_LAUNCHED();
    return;
  }
  const unsigned warps =
      std::min<unsigned>(kBatchWarps, static_cast<unsigned>(sms.shared_bytes) / WarpTile::kBytes);
  const unsigned shared = warps * WarpTile::kBytes, blocks = static_cast<unsigned>(sms.count);
  CUZK_CUDA_TRY(cudaFuncSetAttribute(batch_affine_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(shared)));
  const BatchAffineArgs args{points, lists, static_cast<uint4*>(d_records), out,
                             std::min(blocks * warps, lists.num_rows)};
  batch_affine_kernel<<<blocks, 32 * warps, shared, stream>>>(args);
  CUZK_CUDA_LAUNCHED();
}

void sum_lists(ListMethod, const G2Affine* d_points, const RowLists& lists, void*, G2Affine* d_out,
               cudaStream_t stream) {
  CUZK_CUDA_TRY(cudaFuncSetAttribute(xyzz_pairs_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(kPairSharedBytes)));
  xyzz_pairs_kernel<<<num_blocks(multiprocessors(), std::size_t{lists.num_rows} * 2), kPairThreads,
                      kPairSharedBytes, stream>>>(reinterpret_cast<const DeviceAffine<DeviceFp2>*>(d_points),
                                                  lists, reinterpret_cast<DeviceAffine<DeviceFp2>*>(d_out));
  CUZK_CUDA_LAUNCHED();
}

}  // namespace cuzk::cuda
