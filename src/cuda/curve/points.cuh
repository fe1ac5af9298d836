// Points on the device: affine (the form of tables and lists) and XYZZ (accumulators), over Fp and Fp2.
//
// An affine point has the layout of the host's AffinePoint but for infinity, which bit 31 of the top limb of x marks
// (the limb is below 2^29 otherwise), so that one word tells. XYZZ: x = X / ZZ, y = Y / ZZZ, infinity is ZZ = 0; layout
// of the host's XyzzPoint. All coordinates are canonical. Formulas for a = 0 from the Explicit-Formulas Database
// (g1p/auto-shortw-xyzz) under the names given.
//
// Over LaneFp2 a pair of lanes holds a point; in memory that is a point over DeviceFp2.
#pragma once

#include "cuda/field/lane_fp2.cuh"
#include "curve/xyzz.h"

namespace cuzk::cuda {

template <class F>
struct DeviceAffine {
  F x;
  F y;
};
static_assert(sizeof(DeviceAffine<DeviceFp>) == sizeof(G1Affine) &&
              sizeof(DeviceAffine<DeviceFp2>) == sizeof(G2Affine));

inline constexpr uint32_t kInfinityBit = 0x80000000u;

__device__ __forceinline__ void set_infinity_bit(DeviceFp& x) {
  x.v[11] = kInfinityBit;
}
__device__ __forceinline__ void set_infinity_bit(DeviceFp2& x) {
  x.c0.v[11] = kInfinityBit;
}
__device__ __forceinline__ void set_infinity_bit(LaneFp2& x) {
  if (!is_odd_lane()) x.own.v[11] = kInfinityBit;
}
__device__ __forceinline__ uint32_t infinity_word(const DeviceFp& x) {
  return x.v[11];
}
__device__ __forceinline__ uint32_t infinity_word(const DeviceFp2& x) {
  return x.c0.v[11];
}
__device__ __forceinline__ uint32_t infinity_word(const LaneFp2& x) {
  return __shfl_sync(pair_mask(), x.own.v[11], 0, 2);
}

template <class F>
__device__ __forceinline__ bool is_infinity(const DeviceAffine<F>& p) {
  return (infinity_word(p.x) & kInfinityBit) != 0;
}
template <class F>
__device__ __forceinline__ void set_infinity(DeviceAffine<F>& p) {
  set_zero(p.x);
  set_zero(p.y);
  set_infinity_bit(p.x);
}

template <class F>
struct DeviceXyzz {
  F x, y, zz, zzz;
};
static_assert(sizeof(DeviceXyzz<DeviceFp>) == sizeof(G1Xyzz) &&
              sizeof(DeviceXyzz<DeviceFp2>) == sizeof(G2Xyzz));

template <class F>
__device__ __forceinline__ bool is_infinity(const DeviceXyzz<F>& p) {
  return is_zero(p.zz);
}
template <class F>
__device__ __forceinline__ void set_infinity(DeviceXyzz<F>& p) {
  set_zero(p.x);
  set_zero(p.y);
  set_zero(p.zz);
  set_zero(p.zzz);
}

// Points in memory as their lanes hold them.
template <class F>
using AffineInMemory = DeviceAffine<typename InMemory<F>::Type>;
template <class F>
using XyzzInMemory = DeviceXyzz<typename InMemory<F>::Type>;

template <class F, class Memory>
__device__ __forceinline__ auto* own_coordinates(Memory* p) {
  using Coordinate = std::conditional_t<std::is_const_v<Memory>, const DeviceFp, DeviceFp>;
  return reinterpret_cast<Coordinate*>(p) + threadIdx.x % kLanes<F>;
}
template <class F>
__device__ __forceinline__ DeviceAffine<F> load_point(const AffineInMemory<F>* p) {
  const DeviceFp* own = own_coordinates<F>(p);
  return {F{own[0]}, F{own[kLanes<F>]}};
}
template <class F>
__device__ __forceinline__ void store_point(AffineInMemory<F>* p, const DeviceAffine<F>& point) {
  F* own = reinterpret_cast<F*>(own_coordinates<F>(p));
  own[0] = point.x;
  own[kLanes<F>] = point.y;
}
template <class F>
__device__ __forceinline__ DeviceXyzz<F> load_point(const XyzzInMemory<F>* p) {
  const DeviceFp* own = own_coordinates<F>(p);
  return {F{own[0]}, F{own[kLanes<F>]}, F{own[2 * kLanes<F>]}, F{own[3 * kLanes<F>]}};
}
template <class F>
__device__ __forceinline__ void store_point(XyzzInMemory<F>* p, const DeviceXyzz<F>& point) {
  F* own = reinterpret_cast<F*>(own_coordinates<F>(p));
  own[0] = point.x;
  own[kLanes<F>] = point.y;
  own[2 * kLanes<F>] = point.zz;
  own[3 * kLanes<F>] = point.zzz;
}

// dbl-2008-s-1
template <class F>
__device__ __noinline__ void double_point(DeviceXyzz<F>& a) {
  const F u = a.y + a.y;
  const F v = squared(u);
  const F w = u * v;
  const F s = a.x * v;
  const F xx = squared(a.x);
  const F m = xx + xx + xx;
  a.x = squared(m) - s - s;
  a.y = m * (s - a.x) - w * a.y;
  a.zz = a.zz * v;
  a.zzz = a.zzz * w;
}

// a += p (madd-2008-s). Complete.
template <class F>
__device__ __forceinline__ void add_point(DeviceXyzz<F>& a, const DeviceAffine<F>& p) {
  if (is_infinity(p)) return;
  if (is_infinity(a)) {
    a.x = p.x;
    a.y = p.y;
    set_one(a.zz);
    set_one(a.zzz);
    return;
  }
  const F delta = p.x * a.zz - a.x;
  const F r = p.y * a.zzz - a.y;
  if (is_zero(delta)) {
    if (is_zero(r)) {
      double_point(a);
    } else {
      set_infinity(a);
    }
    return;
  }
  const F pp = squared(delta);
  const F ppp = delta * pp;
  const F q = a.x * pp;
  a.x = squared(r) - ppp - q - q;
  a.y = r * (q - a.x) - a.y * ppp;
  a.zz = a.zz * pp;
  a.zzz = a.zzz * ppp;
}

// a += b (add-2008-s). Complete.
template <class F>
__device__ __noinline__ void add_point(DeviceXyzz<F>& a, const DeviceXyzz<F>& b) {
  if (is_infinity(b)) return;
  if (is_infinity(a)) {
    a = b;
    return;
  }
  const F u1 = a.x * b.zz;
  const F s1 = a.y * b.zzz;
  const F delta = b.x * a.zz - u1;
  const F r = b.y * a.zzz - s1;
  if (is_zero(delta)) {
    if (is_zero(r)) {
      double_point(a);
    } else {
      set_infinity(a);
    }
    return;
  }
  const F pp = squared(delta);
  const F ppp = delta * pp;
  const F q = u1 * pp;
  a.x = squared(r) - ppp - q - q;
  a.y = r * (q - a.x) - s1 * ppp;
  a.zz = a.zz * b.zz * pp;
  a.zzz = a.zzz * b.zzz * ppp;
}

// The affine form. All lanes of the warp must call it.
template <class F>
__device__ __forceinline__ DeviceAffine<F> to_affine(const DeviceXyzz<F>& a) {
  F zzz = a.zzz;
  if (is_infinity(a)) set_one(zzz);
  const F zzz_inverse = inverse(zzz);
  DeviceAffine<F> out{a.x * squared(a.zz * zzz_inverse), a.y * zzz_inverse};
  if (is_infinity(a)) set_infinity(out);
  return out;
}

}  // namespace cuzk::cuda
