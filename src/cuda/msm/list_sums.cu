#include "cuda/msm/list_sums.h"

#include <algorithm>

#include "cuda/msm/batch_affine_kernels.cuh"

namespace cuzk::cuda {
namespace {

// A lane, or in G2 a pair of lanes, a list; a warp a row, or half a row, at a time, the longest rows first. Eight warps an SM:
// more of them spill, and were not faster on an H200.
template <class F>
__global__ void __launch_bounds__(128, 2)
    xyzz_kernel(const AffineInMemory<F>* points, RowLists lists, AffineInMemory<F>* out) {
  constexpr uint32_t kParts = kLanes<F>;  // of a row
  const uint32_t num_warps = gridDim.x * (blockDim.x >> 5), num_units = lists.num_rows * kParts;
  for (uint32_t unit = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; unit < num_units; unit += num_warps) {
    const uint32_t row = unit / kParts, list = (unit % kParts * 32 + (threadIdx.x & 31)) / kParts;
    DeviceXyzz<F> sum;
    set_infinity(sum);
#pragma unroll 1
    for (uint32_t j = 0; lists.rows_in_round[j] > row; ++j) {
      const uint32_t entry = lists.entries[(static_cast<std::size_t>(lists.first_line[j]) + row) * 32 + list];
      if (entry == kNoEntry) continue;
      DeviceAffine<F> point = load_point<F>(points + (entry & ~kEntrySign));
      if ((entry & kEntrySign) != 0) point.y = negated(point.y);
      add_point(sum, point);
    }
    __syncwarp();
    const DeviceAffine<F> result = to_affine(sum);
    const uint32_t dest = lists.dest[static_cast<std::size_t>(row) * 32 + list];
    if (dest != kNoEntry) store_point(out + dest, result);
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

template <class F, class HostAffine>
void launch_xyzz(const HostAffine* d_points, const RowLists& lists, HostAffine* d_out, cudaStream_t stream) {
  const unsigned blocks = static_cast<unsigned>(multiprocessors().count) * 4;
  xyzz_kernel<F><<<std::min(blocks, (lists.num_rows * kLanes<F> + 3) / 4), 128, 0, stream>>>(
      reinterpret_cast<const AffineInMemory<F>*>(d_points), lists,
      reinterpret_cast<AffineInMemory<F>*>(d_out));
  CUZK_CUDA_LAUNCHED();
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
  if (method == ListMethod::xyzz) return launch_xyzz<DeviceFp>(d_points, lists, d_out, stream);
  const Multiprocessors sms = multiprocessors();
  const unsigned warps =
      std::min<unsigned>(kBatchWarps, static_cast<unsigned>(sms.shared_bytes) / WarpTile::kBytes);
  const unsigned shared = warps * WarpTile::kBytes, blocks = static_cast<unsigned>(sms.count);
  CUZK_CUDA_TRY(cudaFuncSetAttribute(batch_affine_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(shared)));
  const BatchAffineArgs args{reinterpret_cast<const AffineG1*>(d_points), lists,
                             static_cast<uint4*>(d_records), reinterpret_cast<AffineG1*>(d_out),
                             std::min(blocks * warps, lists.num_rows)};
  batch_affine_kernel<<<blocks, 32 * warps, shared, stream>>>(args);
  CUZK_CUDA_LAUNCHED();
}

void sum_lists(ListMethod, const G2Affine* d_points, const RowLists& lists, void*, G2Affine* d_out,
               cudaStream_t stream) {
  launch_xyzz<LaneFp2>(d_points, lists, d_out, stream);
}

}  // namespace cuzk::cuda
