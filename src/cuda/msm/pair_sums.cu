#include "cuda/msm/pair_sums.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/check.h"
#include "cuda/curve/points.cuh"
#include "cuda/msm/pair_addition.h"
#include "cuda/runtime/current_device.h"

namespace cuzk::cuda {
namespace {

using AffineG2 = DeviceAffine<DeviceFp2>;

constexpr unsigned kThreads = 128;
constexpr unsigned kBlocksPerSm = 4;
// An inversion costs about 38 products of Fp, an addition 17; a chain of 16 shares it well, and more chains hide more.
constexpr unsigned kShortestChain = 16;

struct PairArgs {
  const AffineG2* points;
  const uint32_t* indices;  // or null: the points themselves, in order
  uint32_t num_points;
  uint32_t num_pairs;  // (num_points + 1) / 2
  DeviceFp2* products;
  AffineG2* out;  // another array than points
};

// A chain a thread. Every thread of a warp inverts, as inverse() wants.
__global__ void __launch_bounds__(kThreads, kBlocksPerSm) pair_kernel(const __grid_constant__ PairArgs args) {
  const auto load = [&](uint32_t i, AffineG2& point) {
    if (i >= args.num_points) {
      set_infinity(point);
    } else {
      point = args.points[args.indices != nullptr ? args.indices[i] : i];
    }
  };
  const auto store = [&](uint32_t pair, const AffineG2& point) { args.out[pair] = point; };
  const auto invert = [](const DeviceFp2& x) {
    __syncwarp();
    return inverse(x);
  };
  add_pairs_of_chain<AffineG2, DeviceFp2>(blockIdx.x * kThreads + threadIdx.x, gridDim.x * kThreads,
                                          args.num_pairs, args.products, load, store, invert);
}

unsigned num_blocks(uint32_t num_pairs) {
  int sms = 0;
  CUZK_CUDA_TRY(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, current_device()));
  constexpr unsigned kPairsPerBlock = kThreads * kShortestChain;
  return std::min(static_cast<unsigned>(sms) * kBlocksPerSm,
                  (num_pairs + kPairsPerBlock - 1) / kPairsPerBlock);
}

bool is_infinity_of_device(const G2Affine& point) {
  uint32_t words[sizeof point / 4];
  std::memcpy(words, &point, sizeof words);
  return (words[DeviceFp::kLimbs - 1] & kInfinityBit) != 0;
}

}  // namespace

PairSums::PairSums(Arena& arena, std::size_t max_points)
    : max_points_(max_points),
      d_sums_{arena.alloc<G2Affine>((max_points + 1) / 2), arena.alloc<G2Affine>((max_points + 3) / 4)},
      d_products_(arena.alloc<Fp2>((max_points + 1) / 2)) {
  CUZK_CHECK(max_points < std::size_t{1} << 30, "a list has at most 2^30 points");
}

G2Xyzz PairSums::sum(const G2Affine* d_points, const uint32_t* d_indices, std::size_t n,
                     cudaStream_t stream) {
  CUZK_CHECK(n <= max_points_, "more points than planned");
  G2Xyzz total;
  if (n == 0) return total;
  auto left = static_cast<uint32_t>(n);
  unsigned level = 0;
  // At least one level, which puts the points of the list side by side.
  do {
    const uint32_t pairs = (left + 1) / 2;
    G2Affine* d_out = d_sums_[level % 2];
    const PairArgs args{reinterpret_cast<const AffineG2*>(d_points),
                        d_indices,
                        left,
                        pairs,
                        reinterpret_cast<DeviceFp2*>(d_products_),
                        reinterpret_cast<AffineG2*>(d_out)};
    pair_kernel<<<num_blocks(pairs), kThreads, 0, stream>>>(args);
    CUZK_CUDA_LAUNCHED();
    d_points = d_out;
    d_indices = nullptr;
    left = pairs;
    ++level;
  } while (left > kFewPoints);
  std::vector<G2Affine> points(left);
  CUZK_CUDA_TRY(cudaMemcpyAsync(points.data(), d_points, points.size() * sizeof points[0],
                                cudaMemcpyDeviceToHost, stream));
  CUZK_CUDA_TRY(cudaStreamSynchronize(stream));
  for (const G2Affine& point : points) {
    if (!is_infinity_of_device(point)) total.add(point);
  }
  return total;
}

}  // namespace cuzk::cuda
