// Fixed-base products on the device (fixed_base.h): one thread a scalar. It sums its table entries in XYZZ form, 16 additions
// of 8 products and 2 squarings, brings the sum to affine form by an inversion of its own (38 products' time, fp_inverse.cuh;
// sharing inversions would save a fifth), and writes the point as parameter files have it (docs/formats/params.md).
//
// Additions are complete, so any scalar is right, 0 and r - 1 included.
#pragma once

#include "cuda/curve/points.cuh"
#include "cuda/field/fr.cuh"
#include "cuda/setup/fixed_base_table.h"

namespace cuzk::cuda {

inline constexpr unsigned kFixedBaseThreads = 128;

// Thread e of FixedBaseTable::kEntries makes entry e, by doubling and adding; the grid has no other threads.
template <class F>
__global__ void __launch_bounds__(kFixedBaseThreads)
    fill_table_kernel(const DeviceAffine<F>* powers, DeviceAffine<F>* table) {
  const std::size_t e = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const DeviceAffine<F> power = powers[e / FixedBaseTable::kWindowEntries];
  const auto digit = static_cast<uint32_t>(e % FixedBaseTable::kWindowEntries);
  DeviceXyzz<F> sum;
  set_infinity(sum);
#pragma unroll 1
  for (int bit = FixedBaseTable::kWindowBits - 1; bit >= 0; --bit) {
    if (!is_infinity(sum)) double_point(sum);
    if ((digit >> bit) & 1) add_point(sum, power);
  }
  __syncwarp();
  table[e] = to_affine(sum);
}

// The canonical integer as 48 big-endian bytes.
__device__ __forceinline__ DeviceFp to_big_endian(const DeviceFp& x) {
  DeviceFp unit, out;
  set_zero(unit);
  unit.v[0] = 1;
  const DeviceFp integer = x * unit;
#pragma unroll
  for (int i = 0; i < DeviceFp::kLimbs; ++i)
    out.v[i] = __byte_perm(integer.v[DeviceFp::kLimbs - 1 - i], 0, 0x0123);
  return out;
}
// A coordinate at `out`, and the coordinate after it at the address returned.
__device__ __forceinline__ DeviceFp* write_coordinate(const DeviceFp& x, DeviceFp* out) {
  *out = to_big_endian(x);
  return out + 1;
}
__device__ __forceinline__ DeviceFp* write_coordinate(const DeviceFp2& x, DeviceFp* out) {
  return write_coordinate(x.c0, write_coordinate(x.c1, out));
}

// The flag of infinity is 0x40 in the first byte.
template <class F>
__device__ __forceinline__ void write_encoded(DeviceAffine<F> p, DeviceFp* out) {
  const bool infinity = is_infinity(p);
  if (infinity) set_zero(p.x);
  write_coordinate(p.y, write_coordinate(p.x, out));
  if (infinity) out->v[0] = 0x40;
}

// encoded[i] = scalars[i] P, i < n, n >= 1: 2 coordinates of 48 bytes in G1, 4 in G2. Threads past n work on the last scalar, as
// an inversion needs whole warps, and write nothing.
template <class F>
__global__ void __launch_bounds__(kFixedBaseThreads)
    multiply_kernel(const DeviceAffine<F>* table, const DeviceFr* scalars, std::size_t n, DeviceFp* encoded) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const DeviceFr scalar = fr_from_montgomery(scalars[i < n ? i : n - 1]);
  DeviceXyzz<F> sum;
  set_infinity(sum);
#pragma unroll 1
  for (unsigned w = 0; w < FixedBaseTable::kNumWindows; ++w)
    add_point(sum, table[FixedBaseTable::entry(w, FixedBaseTable::digit(scalar.v, w))]);
  __syncwarp();
  const DeviceAffine<F> product = to_affine(sum);
  if (i < n) write_encoded(product, encoded + i * (sizeof(DeviceAffine<F>) / sizeof(DeviceFp)));
}

}  // namespace cuzk::cuda
