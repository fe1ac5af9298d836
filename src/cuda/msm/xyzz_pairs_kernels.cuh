// XYZZ sums of lists of points of G2 (list_sums.h): a pair of lanes a list, half a row of lists a warp.
//
// Everything a product touches is in shared memory, as in the batch-affine kernel and for the same reason: with accumulators in
// registers only eight warps fit an SM, and each product moves its factors. On an H200 the b_g2 sum of a 32 GiB PoRep partition
// takes 57 ms so, 62 with registers. A row is one element a pair, the coordinates c0 and
// c1 in the lanes' places, so a lane reads its partner's without an exchange. Both lanes of a pair are always in the same branch.
#pragma once

#include "cuda/msm/batch_affine_kernels.cuh"

namespace cuzk::cuda {

// Rows of a warp: the accumulator, then what madd-2008-s needs besides.
struct PairTile {
  static constexpr uint32_t kX = 0, kY = kRowBytes, kZz = 2 * kRowBytes, kZzz = 3 * kRowBytes;
  static constexpr uint32_t kDelta = 4 * kRowBytes, kR = 5 * kRowBytes, kPower = 6 * kRowBytes;
  static constexpr uint32_t kBytes = 7 * kRowBytes;
};
inline constexpr unsigned kPairThreads = kMaxLaneThreads, kPairBlocks = 4;
inline constexpr uint32_t kPairSharedBytes = kPairThreads / 32 * PairTile::kBytes;

// The places of c0 and c1 beside this lane's.
__device__ __forceinline__ uint32_t place_of_c0(uint32_t own) {
  return own - (threadIdx.x & 1) * 16;
}
__device__ __forceinline__ uint32_t place_of_other(uint32_t own) {
  return own + 16 - (threadIdx.x & 1) * 32;
}

// [to] = [a] [b] over rows.
static __device__ __noinline__ void multiply_pair_rows(uint32_t to, uint32_t a, uint32_t b) {
  sync_pair();
  const DeviceFp own = load_row(a), other = load_row(place_of_other(a));
  const uint32_t at_b0 = place_of_c0(b);
  const DeviceFp b0 = load_row(at_b0);
  DeviceFp b1 = load_row(at_b0 + 16);
  sync_pair();
  fp_negate_if(b1, is_odd_lane());
  DeviceFp r;
  fp_mul_sub_raw(r, own, b0, other, b1);
  fp_reduce(r);
  store_row(to, r);
}
// [to] = [a]^2.
static __device__ __noinline__ void square_pair_row(uint32_t to, uint32_t a) {
  sync_pair();
  const uint32_t at_a0 = place_of_c0(a);
  const DeviceFp a0 = load_row(at_a0), a1 = load_row(at_a0 + 16);
  DeviceFp sum, factor;
  fp_add_raw(sum, load_row(a), a1);
  sync_pair();
  fp_sub_plus_p(factor, a0, a1);
  factor = select(is_odd_lane(), a0, factor);
  fp_mul_raw(sum, sum, factor);
  fp_reduce(sum);
  store_row(to, sum);
}

using PairXyzz = DeviceXyzz<LaneFp2>;

__device__ __forceinline__ PairXyzz load_accumulator(uint32_t mine) {
  return {{load_row(mine + PairTile::kX)},
          {load_row(mine + PairTile::kY)},
          {load_row(mine + PairTile::kZz)},
          {load_row(mine + PairTile::kZzz)}};
}
__device__ __forceinline__ void store_accumulator(uint32_t mine, const PairXyzz& a) {
  store_row(mine + PairTile::kX, a.x.own);
  store_row(mine + PairTile::kY, a.y.own);
  store_row(mine + PairTile::kZz, a.zz.own);
  store_row(mine + PairTile::kZzz, a.zzz.own);
}

// Accumulator += (x, y), both finite (madd-2008-s). False if the sum is infinity.
__device__ __forceinline__ bool add_to_accumulator(uint32_t mine, const DeviceFp& x, const DeviceFp& y) {
  const uint32_t delta = mine + PairTile::kDelta, r = mine + PairTile::kR, power = mine + PairTile::kPower;
  store_row(delta, x);
  store_row(r, y);
  multiply_pair_rows(delta, delta, mine + PairTile::kZz);
  multiply_pair_rows(r, r, mine + PairTile::kZzz);
  {
    const LaneFp2 d{load_row(delta) - load_row(mine + PairTile::kX)};
    const LaneFp2 e{load_row(r) - load_row(mine + PairTile::kY)};
    if (is_zero(d)) {  // rare
      if (!is_zero(e)) return false;
      PairXyzz twice = load_accumulator(mine);
      double_point(twice);
      store_accumulator(mine, twice);
      return true;
    }
    store_row(delta, d.own);
    store_row(r, e.own);
  }
  square_pair_row(power, delta);
  multiply_pair_rows(mine + PairTile::kZz, mine + PairTile::kZz, power);
  multiply_pair_rows(mine + PairTile::kX, mine + PairTile::kX, power);  // q
  multiply_pair_rows(power, delta, power);
  multiply_pair_rows(mine + PairTile::kZzz, mine + PairTile::kZzz, power);
  multiply_pair_rows(mine + PairTile::kY, mine + PairTile::kY, power);
  square_pair_row(delta, r);
  {
    const DeviceFp q = load_row(mine + PairTile::kX);
    const DeviceFp x3 = load_row(delta) - load_row(power) - q - q;
    store_row(delta, q - x3);
    store_row(mine + PairTile::kX, x3);
  }
  multiply_pair_rows(r, r, delta);
  store_row(mine + PairTile::kY, load_row(r) - load_row(mine + PairTile::kY));
  return true;
}

// A warp half a row at a time, the longest rows first. Dynamic shared memory kPairSharedBytes.
__global__ void __launch_bounds__(kPairThreads, kPairBlocks)
    xyzz_pairs_kernel(const DeviceAffine<DeviceFp2>* points, RowLists lists, DeviceAffine<DeviceFp2>* out) {
  extern __shared__ uint4 shared[];
  const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const uint32_t mine = shared_address(shared) + warp * PairTile::kBytes + lane * 16;
  const uint32_t num_warps = gridDim.x * (kPairThreads / 32), num_units = lists.num_rows * 2;
  for (uint32_t unit = blockIdx.x * (kPairThreads / 32) + warp; unit < num_units; unit += num_warps) {
    const uint32_t row = unit / 2, list = unit % 2 * 16 + lane / 2;
    bool finite = false;
#pragma unroll 1
    for (uint32_t j = 0; lists.rows_in_round[j] > row; ++j) {
      const uint32_t entry = lists.entries[(static_cast<std::size_t>(lists.first_line[j]) + row) * 32 + list];
      if (entry == kNoEntry) continue;
      const DeviceAffine<DeviceFp2>* point = points + (entry & ~kEntrySign);
      if (is_infinity(*point)) continue;
      DeviceAffine<LaneFp2> own = load_point<LaneFp2>(point);
      if ((entry & kEntrySign) != 0) own.y = negated(own.y);
      if (finite) {
        finite = add_to_accumulator(mine, own.x.own, own.y.own);
      } else {
        PairXyzz first{own.x, own.y, {}, {}};
        set_one(first.zz);
        set_one(first.zzz);
        store_accumulator(mine, first);
        finite = true;
      }
    }
    PairXyzz sum = load_accumulator(mine);
    if (!finite) set_infinity(sum);
    __syncwarp();
    const DeviceAffine<LaneFp2> result = to_affine(sum);
    const uint32_t dest = lists.dest[static_cast<std::size_t>(row) * 32 + list];
    if (dest != kNoEntry) store_point(out + dest, result);
  }
}

}  // namespace cuzk::cuda
