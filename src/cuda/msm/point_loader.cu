#include "cuda/msm/point_loader.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/thread_pool.h"
#include "cuda/curve/points.cuh"
#include "cuda/runtime/grid.cuh"
#include "curve/encoding.h"

namespace cuzk::cuda {
namespace {

// R^2, by which an integer comes into Montgomery form.
__device__ __forceinline__ DeviceFp fp_r2() {
  return {{0x1c341746, 0xf4df1f34, 0x09d104f1, 0x0a76e6a6, 0x4c95b6d5, 0x8de5476c, 0x939d83c0, 0x67eb88a9,
           0xb519952d, 0x9a793e85, 0x92cae3aa, 0x11988fe5}};
}

// 48 big-endian bytes; false if the number is not below p, flags in the top bits included.
__device__ __forceinline__ bool read_field(const uint32_t* words, DeviceFp& out) {
  DeviceFp integer, unused;
#pragma unroll
  for (int i = 0; i < 12; ++i) integer.v[i] = __byte_perm(words[11 - i], 0, 0x0123);
  const bool below = fp_sub_p(unused, integer) != 0;
  out = integer * fp_r2();
  return below;
}
__device__ __forceinline__ bool read_field(const uint32_t* words, DeviceFp2& out) {
  const bool high = read_field(words, out.c1);
  return read_field(words + 12, out.c0) && high;
}

__device__ __forceinline__ DeviceFp curve_b(const DeviceFp&) {
  const DeviceFp two = fp_one() + fp_one();
  return two + two;
}
__device__ __forceinline__ DeviceFp2 curve_b(const DeviceFp2&) {
  const DeviceFp four = curve_b(DeviceFp{});
  return {four, four};
}

__device__ __forceinline__ bool x_allowed(const DeviceFp& x) {
  return !is_zero(x);
}
__device__ __forceinline__ bool x_allowed(const DeviceFp2&) {
  return true;
}

template <class F>
__global__ void __launch_bounds__(128)
    decode_kernel(const uint32_t* encoded, std::size_t n, std::size_t first, DeviceAffine<F>* out,
                  unsigned long long* first_bad) {
  constexpr std::size_t kWords = sizeof(F) / 4;
  CUZK_GRID_STRIDE(i, n) {
    DeviceAffine<F> p;
    bool good = read_field(encoded + i * 2 * kWords, p.x);
    good = read_field(encoded + i * 2 * kWords + kWords, p.y) && good;
    const F difference = squared(p.y) - squared(p.x) * p.x - curve_b(p.x);
    // Flags make the number larger than p; infinity written in full is not on the curve.
    if (!good || !is_zero(difference) || !x_allowed(p.x)) {
      atomicMin(first_bad, static_cast<unsigned long long>(first + i));
    }
    out[first + i] = p;
  }
}

template <class Affine>
struct DeviceFieldOf {
  using Type = DeviceFp;
};
template <>
struct DeviceFieldOf<G2Affine> {
  using Type = DeviceFp2;
};

// Why a point was refused, by the decoder that explains.
template <class Affine>
Status refusal(std::span<const std::uint8_t> encoded, std::size_t index, std::size_t n) {
  const std::string context = "point " + std::to_string(index) + " of " + std::to_string(n);
  const Result<Affine> point = decode_uncompressed<Affine>(encoded.first<kUncompressedBytes<Affine>>());
  if (!point.is_ok()) return point.status().with_context(context);
  return invalid_argument(context + ": infinity is not allowed here");
}

}  // namespace

PointLoader::PointLoader(cudaStream_t stream)
    : stream_(stream), pinned_(kBuffers * kChunkBytes), staged_(kBuffers * kChunkBytes), first_bad_(1) {}

template <class Affine>
Status PointLoader::load_points(std::span<const std::uint8_t> encoded, Affine* d_points,
                                const std::function<void(std::size_t)>& progress) {
  using F = typename DeviceFieldOf<Affine>::Type;
  constexpr std::size_t kBytes = kUncompressedBytes<Affine>, kChunk = kChunkBytes / kBytes;
  const std::size_t n = encoded.size() / kBytes;
  if (encoded.size() % kBytes != 0) {
    return invalid_argument("encoded points: " + std::to_string(encoded.size()) + " bytes; a multiple of " +
                            std::to_string(kBytes) + " is wanted");
  }
  CUZK_CUDA_TRY(cudaMemsetAsync(first_bad_.data(), 0xff, sizeof(unsigned long long), stream_));
  for (std::size_t first = 0, chunk = 0; first < n; first += kChunk, ++chunk) {
    const std::size_t buffer = chunk % kBuffers, count = std::min(kChunk, n - first);
    std::uint8_t* pinned = pinned_.data() + buffer * kChunkBytes;
    std::uint8_t* d_staged = staged_.data() + buffer * kChunkBytes;
    if (chunk >= kBuffers) {
      done_[buffer].synchronize();
      progress(first - (kBuffers - 1) * kChunk);
    }
    parallel_for(count * kBytes, std::size_t{1} << 20, [&](std::size_t begin, std::size_t end) {
      std::memcpy(pinned + begin, encoded.data() + first * kBytes + begin, end - begin);
    });
    CUZK_CUDA_TRY(cudaMemcpyAsync(d_staged, pinned, count * kBytes, cudaMemcpyHostToDevice, stream_));
    decode_kernel<F><<<kGridBlocks, 128, 0, stream_>>>(reinterpret_cast<const uint32_t*>(d_staged), count,
                                                       first, reinterpret_cast<DeviceAffine<F>*>(d_points),
                                                       first_bad_.data());
    CUZK_CUDA_LAUNCHED();
    done_[buffer].record(stream_);
  }
  unsigned long long bad = 0;
  first_bad_.download(std::span(&bad, 1), stream_);
  if (bad < n) return refusal<Affine>(encoded.subspan(kBytes * bad, kBytes), bad, n);
  progress(n);
  return Status::ok();
}

Status PointLoader::load(std::span<const std::uint8_t> encoded, G1Affine* d_points,
                         const std::function<void(std::size_t)>& progress) {
  return load_points(encoded, d_points, progress);
}
Status PointLoader::load(std::span<const std::uint8_t> encoded, G2Affine* d_points,
                         const std::function<void(std::size_t)>& progress) {
  return load_points(encoded, d_points, progress);
}

}  // namespace cuzk::cuda
