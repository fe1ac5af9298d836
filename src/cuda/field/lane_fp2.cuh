// Fp2 by pairs of lanes: the even lane of a pair holds the coordinate c0, the odd one c1.
//
// An element takes the registers of one Fp, so point arithmetic over Fp2 fits without spilling, and a product is one merged
// routine a lane (fp_mul_sub_raw: two full products, one reduction), 720 wide multiply-adds in all where three products of Fp
// take 756. Both lanes of a pair must be in the same branch; results that decide branches are the same in both. Blocks are
// one-dimensional, of at most kMaxLaneThreads threads.
//
// Coordinates are exchanged through shared memory: a shuffle within a mask that the compiler does not know, as a pair in any
// branch needs it, takes six instructions and a barrier a limb.
//
//   c0 = a0 b0 - a1 b1,  c1 = a1 b0 - a0 (p - b1)
#pragma once

#include "cuda/field/fp2.cuh"

namespace cuzk::cuda {

struct LaneFp2 {
  DeviceFp own;
};

// Lanes that hold one element, and its type in memory.
template <class F>
inline constexpr unsigned kLanes = 1;
template <>
inline constexpr unsigned kLanes<LaneFp2> = 2;
template <class F>
struct InMemory {
  using Type = F;
};
template <>
struct InMemory<LaneFp2> {
  using Type = DeviceFp2;
};

__device__ __forceinline__ uint32_t pair_mask() {
  return 3u << (threadIdx.x & 30);
}
__device__ __forceinline__ bool is_odd_lane() {
  return (threadIdx.x & 1) != 0;
}
inline constexpr unsigned kMaxLaneThreads = 128;

// Where the lanes of a pair show each other elements: written, sync_pair(), read, sync_pair().
struct PairSlots {
  DeviceFp first[kMaxLaneThreads], second[kMaxLaneThreads];
};
__device__ __forceinline__ PairSlots& pair_slots() {
  static __shared__ PairSlots slots;
  return slots;
}
__device__ __forceinline__ void sync_pair() {
  __syncwarp(pair_mask());
}

__device__ __forceinline__ LaneFp2 operator+(const LaneFp2& a, const LaneFp2& b) {
  return {a.own + b.own};
}
__device__ __forceinline__ LaneFp2 operator-(const LaneFp2& a, const LaneFp2& b) {
  return {a.own - b.own};
}
static __device__ __noinline__ LaneFp2 lane_fp2_mul_call(LaneFp2 a, LaneFp2 b) {
  PairSlots& slots = pair_slots();
  const unsigned lane = threadIdx.x;
  slots.first[lane] = a.own;
  slots.second[lane] = b.own;
  sync_pair();
  const DeviceFp a_other = slots.first[lane ^ 1], b0 = slots.second[lane & ~1u];
  DeviceFp b1 = slots.second[lane | 1];
  sync_pair();
  fp_negate_if(b1, is_odd_lane());
  LaneFp2 r;
  fp_mul_sub_raw(r.own, a.own, b0, a_other, b1);
  fp_reduce(r.own);
  return r;
}
// (a0 + a1) (a0 - a1) and 2 a1 a0.
static __device__ __noinline__ LaneFp2 lane_fp2_sqr_call(LaneFp2 a) {
  PairSlots& slots = pair_slots();
  const unsigned lane = threadIdx.x;
  slots.first[lane] = a.own;
  sync_pair();
  const DeviceFp a0 = slots.first[lane & ~1u], a1 = slots.first[lane | 1];
  sync_pair();
  DeviceFp sum, difference;
  fp_add_raw(sum, a.own, a1);
  fp_sub_plus_p(difference, a0, a1);
  LaneFp2 r;
  fp_mul_raw(r.own, sum, select(is_odd_lane(), a0, difference));
  fp_reduce(r.own);
  return r;
}
__device__ __forceinline__ LaneFp2 operator*(const LaneFp2& a, const LaneFp2& b) {
  return lane_fp2_mul_call(a, b);
}
__device__ __forceinline__ LaneFp2 squared(const LaneFp2& a) {
  return lane_fp2_sqr_call(a);
}
__device__ __forceinline__ LaneFp2 negated(const LaneFp2& a) {
  return {negated(a.own)};
}
__device__ __forceinline__ bool is_zero(const LaneFp2& a) {
  const int own = is_zero(a.own) ? 1 : 0, other = __shfl_xor_sync(pair_mask(), own, 1);
  return (own & other) != 0;
}
__device__ __forceinline__ void set_zero(LaneFp2& a) {
  set_zero(a.own);
}
__device__ __forceinline__ void set_one(LaneFp2& a) {
  DeviceFp zero;
  set_zero(zero);
  a.own = select(is_odd_lane(), zero, fp_one());
}

// 1/a = conjugate(a) / norm(a); a is not zero. All lanes of the warp must call it.
__device__ __forceinline__ LaneFp2 inverse(const LaneFp2& a) {
  PairSlots& slots = pair_slots();
  slots.first[threadIdx.x] = squared(a.own);
  sync_pair();
  const DeviceFp norm = slots.first[threadIdx.x] + slots.first[threadIdx.x ^ 1];
  sync_pair();
  return {(is_odd_lane() ? negated(a.own) : a.own) * inverse(norm)};
}

}  // namespace cuzk::cuda
