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
__device__ __forceinline__ DeviceFp2 operator*(const DeviceFp2& a, const DeviceFp2& b) {
  const DeviceFp low = a.c0 * b.c0;
  const DeviceFp high = a.c1 * b.c1;
  const DeviceFp cross = (a.c0 + a.c1) * (b.c0 + b.c1);
  return {low - high, cross - low - high};
}
__device__ __forceinline__ DeviceFp2 squared(const DeviceFp2& a) {
  const DeviceFp cross = a.c0 * a.c1;
  return {(a.c0 + a.c1) * (a.c0 - a.c1), cross + cross};
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
