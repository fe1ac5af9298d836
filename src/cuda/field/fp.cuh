// Fp on the device. "Canonical" means below p; every other bound is stated. p is 0.102 * 2^384, so there is room for
// lazy reduction: fp_mul_raw of factors below 4 p and 2.8 p is below 3.2 p and may go into another product unreduced.
#pragma once

#include <field_ptx.cuh>

namespace cuzk::cuda {

__device__ __forceinline__ DeviceFp fp_one() {
  return {{0x0002fffd, 0x76090000, 0xc40c0002, 0xebf4000b, 0x53c758ba, 0x5f489857, 0x70525745, 0x77ce5853,
           0xa256ec6d, 0x5c071a97, 0xfa80e493, 0x15f65ec3}};
}

inline constexpr uint32_t kFpTopLimb = 0x1a0111ea;  // of p

// r below 2 p -> canonical.
__device__ __forceinline__ void fp_subtract_once(DeviceFp& r) {
  DeviceFp t;
  const uint32_t borrow = fp_sub_p(t, r);
  r = select(borrow != 0, r, t);
}

// r below 4 p -> canonical. More than one subtraction is rare (top-limb test), so it sits in a branch.
__device__ __forceinline__ void fp_reduce(DeviceFp& r) {
  fp_subtract_once(r);
  if (r.v[11] >= kFpTopLimb) {
    fp_subtract_once(r);
    if (r.v[11] >= kFpTopLimb) fp_subtract_once(r);
  }
}

// Canonical a - b of canonical a, b.
__device__ __forceinline__ void fp_sub(DeviceFp& r, const DeviceFp& a, const DeviceFp& b) {
  DeviceFp t;
  const uint32_t borrow = fp_sub_raw(t, a, b);
  fp_add_p_masked(r, t, borrow);
}

// Canonical a + b of canonical a, b.
__device__ __forceinline__ void fp_add(DeviceFp& r, const DeviceFp& a, const DeviceFp& b) {
  fp_add_raw(r, a, b);
  fp_subtract_once(r);
}

// a - b + p, b <= p: below (bound of a) + p.
__device__ __forceinline__ void fp_sub_plus_p(DeviceFp& r, const DeviceFp& a, const DeviceFp& b) {
  DeviceFp t;
  fp_add_p(t, a);
  fp_sub_raw(r, t, b);
}

// a - b + 3 p, b <= 3 p.
__device__ __forceinline__ void fp_sub_plus_3p(DeviceFp& r, const DeviceFp& a, const DeviceFp& b) {
  DeviceFp t;
  fp_add_3p(t, a);
  fp_sub_raw(r, t, b);
}

// r - a - b, canonical; r below 2.8 p, a and b canonical.
__device__ __forceinline__ void fp_sub_two(DeviceFp& r, const DeviceFp& a, const DeviceFp& b) {
  DeviceFp t;
  fp_add_raw(t, a, b);
  const uint32_t borrow = fp_sub_raw(r, r, t);
  fp_add_2p_masked(r, r, borrow);
  fp_reduce(r);
}

// a - b modulo p in [0, 3 p); a below 3 p, b below 3 p.
__device__ __forceinline__ void fp_sub_wide(DeviceFp& r, const DeviceFp& a, const DeviceFp& b) {
  DeviceFp t;
  const uint32_t borrow = fp_sub_raw(t, a, b);
  fp_add_3p_masked(r, t, borrow);
}

// p - a if `negate`; a canonical and not zero.
__device__ __forceinline__ void fp_negate_if(DeviceFp& a, bool negate) {
  DeviceFp t;
  fp_p_sub(t, a);
  a = select(negate, t, a);
}

// Canonical products as function calls: one copy of the code, for everything but the innermost kernels.
static __device__ __noinline__ DeviceFp fp_mul_call(DeviceFp a, DeviceFp b) {
  DeviceFp r;
  fp_mul_raw(r, a, b);
  fp_reduce(r);
  return r;
}
static __device__ __noinline__ DeviceFp fp_sqr_call(DeviceFp a) {
  DeviceFp r;
  fp_sqr_raw(r, a);
  fp_reduce(r);
  return r;
}

// The operators: canonical in, canonical out.
__device__ __forceinline__ DeviceFp operator*(const DeviceFp& a, const DeviceFp& b) {
  return fp_mul_call(a, b);
}
__device__ __forceinline__ DeviceFp operator+(const DeviceFp& a, const DeviceFp& b) {
  DeviceFp r;
  fp_add(r, a, b);
  return r;
}
__device__ __forceinline__ DeviceFp operator-(const DeviceFp& a, const DeviceFp& b) {
  DeviceFp r;
  fp_sub(r, a, b);
  return r;
}
__device__ __forceinline__ DeviceFp squared(const DeviceFp& a) {
  return fp_sqr_call(a);
}
__device__ __forceinline__ DeviceFp negated(const DeviceFp& a) {
  DeviceFp zero;
  set_zero(zero);
  return zero - a;
}
__device__ __forceinline__ bool is_zero(const DeviceFp& a) {
  return limbs_zero(a);
}
__device__ __forceinline__ void set_one(DeviceFp& a) {
  a = fp_one();
}

}  // namespace cuzk::cuda
