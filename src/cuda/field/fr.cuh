// Fr on the device. r is 0.453 * 2^256: sums of two canonical elements fit, and a product of a canonical factor and one
// below 2 r is below 2 r. "Canonical" means below r; the operators take and give canonical elements.
#pragma once

#include <field_ptx.cuh>

namespace cuzk::cuda {

__device__ __forceinline__ DeviceFr fr_one() {
  return {{0xfffffffe, 0x00000001, 0x00034802, 0x5884b7fa, 0xecbc4ff5, 0x998c4fef, 0xacc5056f, 0x1824b159}};
}

// r below 2 r -> canonical.
__device__ __forceinline__ void fr_subtract_once(DeviceFr& r) {
  DeviceFr t;
  const uint32_t borrow = fr_sub_p(t, r);
  r = select(borrow != 0, r, t);
}

__device__ __forceinline__ DeviceFr operator+(const DeviceFr& a, const DeviceFr& b) {
  DeviceFr r;
  fr_add_raw(r, a, b);
  fr_subtract_once(r);
  return r;
}
__device__ __forceinline__ DeviceFr operator-(const DeviceFr& a, const DeviceFr& b) {
  DeviceFr t, r;
  const uint32_t borrow = fr_sub_raw(t, a, b);
  fr_add_p_masked(r, t, borrow);
  return r;
}
// One factor may be below 2 r.
__device__ __forceinline__ DeviceFr operator*(const DeviceFr& a, const DeviceFr& b) {
  DeviceFr r;
  fr_mul_raw(r, a, b);
  fr_subtract_once(r);
  return r;
}
// a - b + r, below 2 r: a factor of a product.
__device__ __forceinline__ DeviceFr fr_sub_lazy(const DeviceFr& a, const DeviceFr& b) {
  DeviceFr t, r;
  fr_add_p(t, a);
  fr_sub_raw(r, t, b);
  return r;
}
// The canonical integer of an element in Montgomery form.
__device__ __forceinline__ DeviceFr fr_from_montgomery(const DeviceFr& a) {
  const DeviceFr unit{{1, 0, 0, 0, 0, 0, 0, 0}};
  return a * unit;
}
__device__ __forceinline__ bool is_zero(const DeviceFr& a) {
  return limbs_zero(a);
}

// Exponents are public; no attempt at constant time.
static __device__ __noinline__ DeviceFr fr_pow(DeviceFr base, uint64_t exponent) {
  DeviceFr result = fr_one();
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = result * base;
    base = base * base;
  }
  return result;
}

}  // namespace cuzk::cuda
