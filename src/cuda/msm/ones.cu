#include "cuda/msm/ones.h"

#include "base/check.h"

namespace cuzk::cuda {
namespace {

constexpr unsigned kThreads = 256, kWordsPerThread = 4, kWordsPerBlock = kThreads * kWordsPerThread;

struct OnesArgs {
  const uint64_t* bits;
  std::size_t num_words;
  PointMask mask;
  uint32_t* counts;  // a block, then the total
  uint32_t* points;
};

__device__ __forceinline__ uint64_t ones_word(const OnesArgs& a, std::size_t word) {
  if (word >= a.num_words) return 0;
  return a.mask.d_words != nullptr ? a.bits[word] & a.mask.d_words[word] : a.bits[word];
}

// The sum of `value` over the block's threads before this one; `total` over all. `sums` has 32 words.
__device__ __forceinline__ uint32_t block_exclusive_sum(uint32_t value, uint32_t* sums, uint32_t& total) {
  const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x >> 5, num_warps = blockDim.x >> 5;
  uint32_t sum = value;
#pragma unroll
  for (uint32_t step = 1; step < 32; step *= 2) {
    const uint32_t left = __shfl_up_sync(0xffffffffu, sum, step);
    if (lane >= step) sum += left;
  }
  if (lane == 31) sums[warp] = sum;
  __syncthreads();
  uint32_t before = 0;
  total = 0;
  for (uint32_t w = 0; w < num_warps; ++w) {
    if (w < warp) before += sums[w];
    total += sums[w];
  }
  __syncthreads();
  return before + sum - value;
}

__device__ __forceinline__ uint32_t thread_count(const OnesArgs& a, std::size_t first_word) {
  uint32_t count = 0;
#pragma unroll
  for (unsigned k = 0; k < kWordsPerThread; ++k)
    count += static_cast<uint32_t>(__popcll(ones_word(a, first_word + k)));
  return count;
}

__global__ void __launch_bounds__(kThreads) count_kernel(const __grid_constant__ OnesArgs a) {
  __shared__ uint32_t sums[32];
  const std::size_t first = (static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x) * kWordsPerThread;
  uint32_t total;
  block_exclusive_sum(thread_count(a, first), sums, total);
  if (threadIdx.x == 0) a.counts[blockIdx.x] = total;
}

// counts -> exclusive sums, then the total. One block of 1024.
__global__ void scan_kernel(uint32_t* counts, uint32_t n) {
  __shared__ uint32_t sums[32];
  uint32_t base = 0;
  for (uint32_t first = 0; first < n; first += 1024) {
    const uint32_t i = first + threadIdx.x;
    uint32_t total;
    const uint32_t before = block_exclusive_sum(i < n ? counts[i] : 0, sums, total);
    if (i < n) counts[i] = base + before;
    base += total;
  }
  if (threadIdx.x == 0) counts[n] = base;
}

__global__ void __launch_bounds__(kThreads) write_kernel(const __grid_constant__ OnesArgs a) {
  __shared__ uint32_t sums[32];
  const std::size_t first = (static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x) * kWordsPerThread;
  uint32_t total;
  uint32_t at = a.counts[blockIdx.x] + block_exclusive_sum(thread_count(a, first), sums, total);
  for (unsigned k = 0; k < kWordsPerThread; ++k) {
    const std::size_t word = first + k;
    for (uint64_t left = ones_word(a, word); left != 0; left &= left - 1) {
      const int bit = __ffsll(static_cast<long long>(left)) - 1;
      const uint32_t rank =
          a.mask.d_words == nullptr
              ? static_cast<uint32_t>(word * 64) + static_cast<uint32_t>(bit)
              : a.mask.d_rank[word] +
                    static_cast<uint32_t>(__popcll(a.mask.d_words[word] & ((uint64_t{1} << bit) - 1)));
      a.points[at++] = a.mask.first_point + rank;
    }
  }
}

std::size_t num_blocks(std::size_t words) {
  return (words + kWordsPerBlock - 1) / kWordsPerBlock;
}

}  // namespace

OnesList::OnesList(Arena& arena, std::size_t max_words)
    : max_words_(max_words), d_counts_(arena.alloc<uint32_t>(num_blocks(max_words) + 1)) {}

std::size_t OnesList::list(const uint64_t* d_bits, std::size_t num_words, const PointMask& mask,
                           uint32_t* d_points, cudaStream_t stream) {
  CUZK_CHECK(num_words <= max_words_, "more words than planned");
  if (num_words == 0) return 0;
  const OnesArgs args{d_bits, num_words, mask, d_counts_, d_points};
  const auto blocks = static_cast<unsigned>(num_blocks(num_words));
  count_kernel<<<blocks, kThreads, 0, stream>>>(args);
  CUZK_CUDA_LAUNCHED();
  scan_kernel<<<1, 1024, 0, stream>>>(d_counts_, blocks);
  CUZK_CUDA_LAUNCHED();
  write_kernel<<<blocks, kThreads, 0, stream>>>(args);
  CUZK_CUDA_LAUNCHED();
  uint32_t total = 0;
  CUZK_CUDA_TRY(cudaMemcpyAsync(&total, d_counts_ + blocks, sizeof total, cudaMemcpyDeviceToHost, stream));
  CUZK_CUDA_TRY(cudaStreamSynchronize(stream));
  return total;
}

}  // namespace cuzk::cuda
