// Fp2 = Fp[u] / (u^2 + 1) on the device, canonical coordinates throughout; layout of the host's Fp2.
#pragma once

#include "cuda/field/fp_inverse.cuh"
#include "field/fp2.h"

namespace cuzk::cuda {

struct DeviceFp2 {
  DeviceFp c0;
  DeviceFp c1;
};
static_assert(sizeof(DeviceFp2) == sizeof(Fp2));

__device__ __forceinline__ DeviceFp2 operator+(const DeviceFp2& a, const DeviceFp2& b) {
  return {a.c0 + b.c0, a.c1 + b.c1};
}
__device__ __forceinline__ DeviceFp2 operator-(const DeviceFp2& a, const DeviceFp2& b) {
  return {a.c0 - b.c0, a.c1 - b.c1};
}
// Products as function calls, reduced once a coordinate: a product of factors below 2 p is below 2.5 p, of canonical ones
// below 2.2 p (gen_field_ptx.py), and fp_sub_wide takes what is below 3 p.
static __device__ __noinline__ DeviceFp2 fp2_mul_call(DeviceFp2 a, DeviceFp2 b) {
  DeviceFp low, high, cross, sum;
  fp_add_raw(cross, a.c0, a.c1);
  fp_add_raw(sum, b.c0, b.c1);
  fp_mul_raw(cross, cross, sum);
  fp_mul_raw(low, a.c0, b.c0);
  fp_mul_raw(high, a.c1, b.c1);
  DeviceFp2 r;
  fp_sub_wide(r.c0, low, high);
  fp_reduce(r.c0);
  fp_sub_wide(cross, cross, low);
  fp_sub_wide(r.c1, cross, high);
  fp_reduce(r.c1);
  return r;
}
static __device__ __noinline__ DeviceFp2 fp2_sqr_call(DeviceFp2 a) {
  DeviceFp sum, difference;
  fp_add_raw(sum, a.c0, a.c1);
  fp_sub_plus_p(difference, a.c0, a.c1);
  DeviceFp2 r;
  fp_mul_raw(r.c0, sum, difference);
  fp_reduce(r.c0);
  fp_add_raw(sum, a.c0, a.c0);
  fp_mul_raw(r.c1, sum, a.c1);
  fp_reduce(r.c1);
  return r;
}
__device__ __forceinline__ DeviceFp2 operator*(const DeviceFp2& a, const DeviceFp2& b) {
  return fp2_mul_call(a, b);
}
__device__ __forceinline__ DeviceFp2 squared(const DeviceFp2& a) {
  return fp2_sqr_call(a);
}
__device__ __forceinline__ DeviceFp2 negated(const DeviceFp2& a) {
  return {negated(a.c0), negated(a.c1)};
}
__device__ __forceinline__ bool is_zero(const DeviceFp2& a) {
  return is_zero(a.c0) && is_zero(a.c1);
}
__device__ __forceinline__ void set_zero(DeviceFp2& a) {
  set_zero(a.c0);
  set_zero(a.c1);
}
__device__ __forceinline__ void set_one(DeviceFp2& a) {
  a.c0 = fp_one();
  set_zero(a.c1);
}

// 1/a = conjugate(a) / norm(a); a is not zero. All lanes of the warp must call it.
__device__ __forceinline__ DeviceFp2 inverse(const DeviceFp2& a) {
  const DeviceFp inverse_norm = inverse(squared(a.c0) + squared(a.c1));
  return {a.c0 * inverse_norm, negated(a.c1) * inverse_norm};
}

}  // namespace cuzk::cuda
