#include "cuda/testing/test_kernels.h"

#include "cuda/curve/points.cuh"
#include "cuda/field/fr.cuh"
#include "cuda/runtime/cuda_error.h"
#include "cuda/runtime/grid.cuh"

namespace cuzk::cuda {
namespace {

__device__ DeviceFr apply(FieldOp op, const DeviceFr& a, const DeviceFr& b, const DeviceFr&) {
  DeviceFr zero;
  set_zero(zero);
  switch (op) {
    case FieldOp::add:
      return a + b;
    case FieldOp::subtract:
      return a - b;
    case FieldOp::multiply:
      return a * b;
    case FieldOp::multiply_karatsuba: {
      DeviceFr r;
      fr_mul_karatsuba_raw(r, a, b);
      fr_subtract_once(r);
      return r;
    }
    case FieldOp::square:
      return a * a;
    case FieldOp::negate:
      return zero - a;
    default:
      return zero;
  }
}

__device__ DeviceFp apply(FieldOp op, const DeviceFp& a, const DeviceFp& b, const DeviceFp& c) {
  DeviceFp r;
  set_zero(r);
  switch (op) {
    case FieldOp::add:
      return a + b;
    case FieldOp::subtract:
      return a - b;
    case FieldOp::multiply:
      return a * b;
    case FieldOp::square:
      return squared(a);
    case FieldOp::negate:
      return negated(a);
    case FieldOp::invert:
      return inverse(a);
    case FieldOp::multiply_subtract:
      fp_mul_sub_raw(r, a, b, b, c);
      fp_reduce(r);
      return r;
    default:
      return r;
  }
}

__device__ DeviceFp2 apply(FieldOp op, const DeviceFp2& a, const DeviceFp2& b, const DeviceFp2&) {
  DeviceFp2 r;
  set_zero(r);
  switch (op) {
    case FieldOp::add:
      return a + b;
    case FieldOp::subtract:
      return a - b;
    case FieldOp::multiply:
      return a * b;
    case FieldOp::square:
      return squared(a);
    case FieldOp::negate:
      return negated(a);
    case FieldOp::invert:
      return inverse(a);
    default:
      return r;
  }
}

// Whole warps take part, as an inversion needs.
template <class F>
__global__ void __launch_bounds__(128)
    field_kernel(FieldOp op, const F* a, const F* b, F* out, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const std::size_t at = i < n ? i : n - 1;
  const F result = apply(op, a[at], b[at], a[n - 1 - at]);
  if (i < n) out[i] = result;
}

template <class F, class Host>
void launch_field(FieldOp op, const Host* d_a, const Host* d_b, Host* d_out, std::size_t n,
                  cudaStream_t stream) {
  field_kernel<F><<<static_cast<unsigned>((n + 127) / 128), 128, 0, stream>>>(
      op, reinterpret_cast<const F*>(d_a), reinterpret_cast<const F*>(d_b), reinterpret_cast<F*>(d_out), n);
  CUZK_CUDA_LAUNCHED();
}

template <class F>
__global__ void __launch_bounds__(128)
    points_kernel(const DeviceAffine<F>* a, const DeviceAffine<F>* b, DeviceAffine<F>* out, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const std::size_t at = i < n ? i : n - 1;
  DeviceXyzz<F> left, right;
  set_infinity(left);
  set_infinity(right);
  add_point(left, a[at]);
  add_point(left, b[at]);
  add_point(right, b[at]);
  add_point(right, a[at]);
  add_point(left, right);
  __syncwarp();
  const DeviceAffine<F> result = to_affine(left);
  if (i < n) out[i] = result;
}

template <class F, class Host>
void launch_points(const Host* d_a, const Host* d_b, Host* d_out, std::size_t n, cudaStream_t stream) {
  points_kernel<F><<<static_cast<unsigned>((n + 127) / 128), 128, 0, stream>>>(
      reinterpret_cast<const DeviceAffine<F>*>(d_a), reinterpret_cast<const DeviceAffine<F>*>(d_b),
      reinterpret_cast<DeviceAffine<F>*>(d_out), n);
  CUZK_CUDA_LAUNCHED();
}

template <class F>
__global__ void __launch_bounds__(128)
    sum_table_kernel(const DeviceAffine<F>* high, const DeviceAffine<F>* low, unsigned log_low, std::size_t n,
                     DeviceAffine<F>* out) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const std::size_t at = i < n ? i : n - 1;
  DeviceXyzz<F> sum;
  set_infinity(sum);
  add_point(sum, high[at >> log_low]);
  add_point(sum, low[at & ((std::size_t{1} << log_low) - 1)]);
  __syncwarp();
  const DeviceAffine<F> result = to_affine(sum);
  if (i < n) out[i] = result;
}

template <class F, class Host>
void launch_table(const Host* d_high, const Host* d_low, unsigned log_high, unsigned log_low, Host* d_out,
                  cudaStream_t stream) {
  const std::size_t n = std::size_t{1} << (log_high + log_low);
  sum_table_kernel<F><<<static_cast<unsigned>((n + 127) / 128), 128, 0, stream>>>(
      reinterpret_cast<const DeviceAffine<F>*>(d_high), reinterpret_cast<const DeviceAffine<F>*>(d_low),
      log_low, n, reinterpret_cast<DeviceAffine<F>*>(d_out));
  CUZK_CUDA_LAUNCHED();
}

// out[i] = sum over j of matrix[i step_i + j step_j].
__global__ void sum_lines_kernel(const DeviceFr* matrix, std::size_t count, std::size_t step_i,
                                 std::size_t length, std::size_t step_j, DeviceFr* out) {
  CUZK_GRID_STRIDE(i, count) {
    DeviceFr sum;
    set_zero(sum);
    for (std::size_t j = 0; j < length; ++j) sum = sum + matrix[i * step_i + j * step_j];
    out[i] = sum;
  }
}

// splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
__device__ uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

__global__ void random_kernel(DeviceFr* out, std::size_t n, uint64_t seed) {
  CUZK_GRID_STRIDE(i, n) {
    DeviceFr x;
    for (int k = 0; k < 4; ++k) {
      const uint64_t word = mix(seed + (i * 4 + static_cast<std::size_t>(k) + 1) * 0x9e3779b97f4a7c15u);
      x.v[2 * k] = static_cast<uint32_t>(word);
      x.v[2 * k + 1] = static_cast<uint32_t>(word >> 32);
    }
    x.v[7] &= 0x3fffffffu;  // below r, as Montgomery limbs
    out[i] = x;
  }
}

template <bool kKaratsuba>
__global__ void __launch_bounds__(kChainThreads)
    fr_chain_kernel(const DeviceFr* in, DeviceFr* out, unsigned rounds) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  DeviceFr x = in[0];
  const DeviceFr y = in[1];
#pragma unroll 4
  for (unsigned k = 0; k < rounds; ++k) {
    if constexpr (kKaratsuba) {
      fr_mul_karatsuba_raw(x, x, y);
    } else {
      fr_mul_raw(x, x, y);
    }
  }
  out[i] = x;
}

__global__ void __launch_bounds__(kChainThreads)
    fp_chain_kernel(const DeviceFp* in, DeviceFp* out, unsigned rounds) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  DeviceFp x = in[0];
  const DeviceFp y = in[1];
#pragma unroll 2
  for (unsigned k = 0; k < rounds; ++k) fp_mul_raw(x, x, y);
  out[i] = x;
}

__global__ void write_to_no_address_kernel(int* address) {
  *address = 1;
}

}  // namespace

void test_field(FieldOp op, const Fr* d_a, const Fr* d_b, Fr* d_out, std::size_t n, cudaStream_t stream) {
  launch_field<DeviceFr>(op, d_a, d_b, d_out, n, stream);
}
void test_field(FieldOp op, const Fp* d_a, const Fp* d_b, Fp* d_out, std::size_t n, cudaStream_t stream) {
  launch_field<DeviceFp>(op, d_a, d_b, d_out, n, stream);
}
void test_field(FieldOp op, const Fp2* d_a, const Fp2* d_b, Fp2* d_out, std::size_t n, cudaStream_t stream) {
  launch_field<DeviceFp2>(op, d_a, d_b, d_out, n, stream);
}
void test_points(const G1Affine* d_a, const G1Affine* d_b, G1Affine* d_out, std::size_t n,
                 cudaStream_t stream) {
  launch_points<DeviceFp>(d_a, d_b, d_out, n, stream);
}
void test_points(const G2Affine* d_a, const G2Affine* d_b, G2Affine* d_out, std::size_t n,
                 cudaStream_t stream) {
  launch_points<DeviceFp2>(d_a, d_b, d_out, n, stream);
}
void make_sum_table(const G1Affine* d_high, const G1Affine* d_low, unsigned log_high, unsigned log_low,
                    G1Affine* d_out, cudaStream_t stream) {
  launch_table<DeviceFp>(d_high, d_low, log_high, log_low, d_out, stream);
}
void make_sum_table(const G2Affine* d_high, const G2Affine* d_low, unsigned log_high, unsigned log_low,
                    G2Affine* d_out, cudaStream_t stream) {
  launch_table<DeviceFp2>(d_high, d_low, log_high, log_low, d_out, stream);
}

void sum_matrix(const Fr* d_matrix, unsigned log_high, unsigned log_low, Fr* d_rows, Fr* d_columns,
                cudaStream_t stream) {
  const auto* matrix = reinterpret_cast<const DeviceFr*>(d_matrix);
  const std::size_t rows = std::size_t{1} << log_high, columns = std::size_t{1} << log_low;
  sum_lines_kernel<<<kGridBlocks, 64, 0, stream>>>(matrix, rows, columns, columns, 1,
                                                   reinterpret_cast<DeviceFr*>(d_rows));
  CUZK_CUDA_LAUNCHED();
  sum_lines_kernel<<<kGridBlocks, 64, 0, stream>>>(matrix, columns, 1, rows, columns,
                                                   reinterpret_cast<DeviceFr*>(d_columns));
  CUZK_CUDA_LAUNCHED();
}

void write_to_no_address(cudaStream_t stream) {
  write_to_no_address_kernel<<<1, 1, 0, stream>>>(reinterpret_cast<int*>(16));
  CUZK_CUDA_LAUNCHED();
}

void fill_random(Fr* d_out, std::size_t n, uint64_t seed, cudaStream_t stream) {
  random_kernel<<<kGridBlocks, 256, 0, stream>>>(reinterpret_cast<DeviceFr*>(d_out), n, seed);
  CUZK_CUDA_LAUNCHED();
}

void chain_products(bool karatsuba, const Fr* d_in, Fr* d_out, unsigned blocks, unsigned rounds,
                    cudaStream_t stream) {
  const auto* in = reinterpret_cast<const DeviceFr*>(d_in);
  auto* out = reinterpret_cast<DeviceFr*>(d_out);
  if (karatsuba) {
    fr_chain_kernel<true><<<blocks, kChainThreads, 0, stream>>>(in, out, rounds);
  } else {
    fr_chain_kernel<false><<<blocks, kChainThreads, 0, stream>>>(in, out, rounds);
  }
  CUZK_CUDA_LAUNCHED();
}
void chain_products(const Fp* d_in, Fp* d_out, unsigned blocks, unsigned rounds, cudaStream_t stream) {
  fp_chain_kernel<<<blocks, kChainThreads, 0, stream>>>(reinterpret_cast<const DeviceFp*>(d_in),
                                                        reinterpret_cast<DeviceFp*>(d_out), rounds);
  CUZK_CUDA_LAUNCHED();
}

}  // namespace cuzk::cuda
