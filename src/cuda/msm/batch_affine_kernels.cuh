// Batch-affine sums of lists (list_sums.h).
//
// Warp w of V owns the rows w, w + V, w + 2 V, ... of every round; rows are sorted by length, so every warp has the same
// mix and all finish together. In round j it adds entry j to the accumulator A of each row. The chain of inversions runs
// along the rows, one chain a lane. The chain of round j + 1 is built in the same sweep that consumes the chain of round
// j, so sweeps alternate direction and there is one sweep a round:
//
//   round 0, rows upward:  A = P_0;  e = x(P_1) - x(A);  record = (A, PROD);  PROD *= e
//   round j:  RUN = 1 / PROD;  PROD = 1;  rows the other way:
//     e = x(P) - x(A);  n = y(P) - y(A);  slope = RUN * prefix * n;  RUN *= e
//     x' = slope^2 - x(A) - x(P);  y' = slope (x(A) - x') - y(A)
//     if the row has an entry j + 1:  e' = x(P_(j+1)) - x';  record = (x', y', PROD);  PROD *= e'
//     else write (x', y')
//
// The prefix is stored before the multiplication, so a record is updated in place. The chain factor is never 0: where
// the addition is a doubling, e = 2 y and n = 3 x^2; where nothing is to be added or the sum is infinity, e = 1 and the
// result is replaced.
//
// Everything a product touches is in shared memory, and the product is one function on three shared addresses: a single
// copy of its code, no moves, no spills with 16 warps an SM. Global memory is read by cp.async one stage ahead.
//
// Bounds: x of accumulators canonical, y in [0, 3 p), points canonical; products take these as they are (fp.cuh).
#pragma once

#include "cuda/curve/points.cuh"
#include "cuda/msm/list_sums.h"
#include "cuda/msm/msm_plan.h"

namespace cuzk::cuda {

inline constexpr unsigned kBatchWarps =
    16;  // warps a block; one block an SM is 6 % faster than four of four warps

// A row in shared memory or in a record: 32 elements as three planes of 32 x 16 bytes.
inline constexpr uint32_t kRowBytes = 1536;
inline constexpr uint32_t kPlaneBytes = 512;

// One warp's shared memory, in bytes.
struct WarpTile {
  static constexpr uint32_t kPoint = 0;  // 32 staged points of 96 bytes; then the rows e and n
  static constexpr uint32_t kE = 0, kN = kRowBytes;
  static constexpr uint32_t kNextX =
      2 * kRowBytes;  // x of the next points, 48 bytes each, two buffers; then the row e'
  static constexpr uint32_t kA = 4 * kRowBytes;  // accumulator: rows x, y, then the row of prefix and slope
  static constexpr uint32_t kAy = 5 * kRowBytes;
  static constexpr uint32_t kSlope = 6 * kRowBytes;
  static constexpr uint32_t kRun = 7 * kRowBytes;
  static constexpr uint32_t kProd = 8 * kRowBytes;
  static constexpr uint32_t kEntries =
      9 * kRowBytes;  // list entries of the next row, for this round and the next
  static constexpr uint32_t kBytes = kEntries + 256;
};

__device__ __forceinline__ uint32_t shared_address(const void* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
template <uint32_t kStep>
__device__ __forceinline__ DeviceFp load_shared(uint32_t address) {
  DeviceFp x;
  asm volatile(
      "ld.shared.v4.u32 {%0,%1,%2,%3}, [%12]; ld.shared.v4.u32 {%4,%5,%6,%7}, [%12+%13];"
      "ld.shared.v4.u32 {%8,%9,%10,%11}, [%12+%14];"
      : "=r"(x.v[0]), "=r"(x.v[1]), "=r"(x.v[2]), "=r"(x.v[3]), "=r"(x.v[4]), "=r"(x.v[5]), "=r"(x.v[6]),
        "=r"(x.v[7]), "=r"(x.v[8]), "=r"(x.v[9]), "=r"(x.v[10]), "=r"(x.v[11])
      : "r"(address), "n"(kStep), "n"(2 * kStep)
      : "memory");
  return x;
}
__device__ __forceinline__ DeviceFp load_row(uint32_t address) {
  return load_shared<kPlaneBytes>(address);
}
__device__ __forceinline__ DeviceFp load_packed(uint32_t address) {
  return load_shared<16>(address);
}
__device__ __forceinline__ void store_row(uint32_t address, const DeviceFp& x) {
  asm volatile(
      "st.shared.v4.u32 [%12], {%0,%1,%2,%3}; st.shared.v4.u32 [%12+512], {%4,%5,%6,%7};"
      "st.shared.v4.u32 [%12+1024], {%8,%9,%10,%11};" ::"r"(x.v[0]),
      "r"(x.v[1]), "r"(x.v[2]), "r"(x.v[3]), "r"(x.v[4]), "r"(x.v[5]), "r"(x.v[6]), "r"(x.v[7]), "r"(x.v[8]),
      "r"(x.v[9]), "r"(x.v[10]), "r"(x.v[11]), "r"(address)
      : "memory");
}
__device__ __forceinline__ uint32_t load_shared_word(uint32_t address) {
  uint32_t x;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(address) : "memory");
  return x;
}

__device__ __forceinline__ void copy_async_16(uint32_t shared, const void* global) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(global) : "memory");
}
__device__ __forceinline__ void copy_async_4(uint32_t shared, const void* global) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared), "l"(global) : "memory");
}
__device__ __forceinline__ void copy_async_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
__device__ __forceinline__ void copy_async_wait() {
  asm volatile("cp.async.wait_group 0;" ::: "memory");
}

// [to] = [a] [b] over rows. Never put a warp barrier here: some callers are divergent.
static __device__ __noinline__ void multiply_rows(uint32_t to, uint32_t a, uint32_t b) {
  DeviceFp x = load_row(a);
  const DeviceFp y = load_row(b);
  fp_mul_raw(x, x, y);
  store_row(to, x);
}

using AffineG1 = DeviceAffine<DeviceFp>;

__device__ __forceinline__ const AffineG1* point_address(const AffineG1* points, uint32_t entry) {
  return points + (entry == kNoEntry ? 0u : entry & ~kEntrySign);
}
// The 16 bytes number `piece` of the point that lane i of this lane's group of `kWidth` wants.
template <int kWidth>
__device__ __forceinline__ const void* piece_address(const AffineG1* point, int i, uint32_t piece) {
  const auto bits = reinterpret_cast<uintptr_t>(point);
  const uint32_t low = __shfl_sync(0xffffffffu, static_cast<uint32_t>(bits), i, kWidth);
  const uint32_t high = __shfl_sync(0xffffffffu, static_cast<uint32_t>(bits >> 32), i, kWidth);
  return reinterpret_cast<const void*>((static_cast<uint64_t>(high) << 32 | low) + piece * 16);
}
// All lanes fetch the 32 points: 8 lanes a point, 6 of them 16 bytes each, so a point is one or two memory lines.
__device__ __forceinline__ void stage_points(uint32_t tile, const AffineG1* point, uint32_t lane) {
  const uint32_t to = tile + WarpTile::kPoint + (lane >> 3) * 8 * 96 + (lane & 7) * 16;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const void* from = piece_address<8>(point, i, lane & 7);
    if ((lane & 7) < 6) copy_async_16(to + i * 96, from);
  }
}
// Only x: 4 lanes a point, 3 of them 16 bytes each.
__device__ __forceinline__ void stage_next_x(uint32_t buffer, const AffineG1* point, uint32_t lane) {
  const uint32_t to = buffer + (lane >> 2) * 4 * 48 + (lane & 3) * 16;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const void* from = piece_address<4>(point, i, lane & 3);
    if ((lane & 3) < 3) copy_async_16(to + i * 48, from);
  }
}

__device__ __forceinline__ DeviceFp unpack(uint4 a, uint4 b, uint4 c) {
  return {{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w}};
}
__device__ __forceinline__ DeviceFp load_record_row(const uint4* p) {
  return unpack(p[0], p[32], p[64]);
}
__device__ __forceinline__ void store_record_row(uint4* p, const DeviceFp& x) {
  p[0] = make_uint4(x.v[0], x.v[1], x.v[2], x.v[3]);
  p[32] = make_uint4(x.v[4], x.v[5], x.v[6], x.v[7]);
  p[64] = make_uint4(x.v[8], x.v[9], x.v[10], x.v[11]);
}

// The factor of the chain for A + P, P the point of `entry` with x2 = x(P): x2 - x(A) + p, or 2 y(A) for a doubling, or 1.
__device__ __forceinline__ DeviceFp chain_factor(const AffineG1& a, const DeviceFp& x2, uint32_t entry,
                                                 const AffineG1* points) {
  DeviceFp e;
  fp_sub_plus_p(e, x2, a.x);
  bool nothing = entry == kNoEntry || (infinity_word(x2) & kInfinityBit) != 0 || is_infinity(a);
  if (nothing || x2.v[0] == a.x.v[0]) {  // rare
    if (!nothing && limbs_equal(x2, a.x)) {
      DeviceFp py = point_address(points, entry)->y, ay = a.y;
      fp_negate_if(py, (entry & kEntrySign) != 0);
      fp_reduce(ay);
      if (limbs_equal(py, ay)) {
        fp_add(e, ay, ay);
      } else {
        nothing = true;
      }
    }
    if (nothing) e = fp_one();
  }
  return e;
}

// What the general formula does not cover.
enum class Addition { general, take_accumulator, take_point, infinity };

struct BatchAffineArgs {
  const AffineG1* points;
  RowLists lists;
  uint4* records;
  AffineG1* out;
  uint32_t num_chains;  // V
};

// e and n of A + P into the tile; P.y is signed. Says which result replaces the formula's.
__device__ __forceinline__ Addition prepare_addition(uint32_t tile_lane, const DeviceFp& px,
                                                     const DeviceFp& py, bool p_infinite) {
  const DeviceFp ax = load_row(tile_lane + WarpTile::kA);
  DeviceFp e, n;
  fp_sub_plus_p(e, px, ax);
  fp_sub_plus_3p(n, py, load_row(tile_lane + WarpTile::kAy));
  const bool a_infinite = (infinity_word(ax) & kInfinityBit) != 0;
  Addition kind = Addition::general;
  if (a_infinite || p_infinite || px.v[0] == ax.v[0]) {  // rare
    if (p_infinite) {
      kind = Addition::take_accumulator;
    } else if (a_infinite) {
      kind = Addition::take_point;
    } else if (limbs_equal(px, ax)) {
      DeviceFp ay = load_row(tile_lane + WarpTile::kAy);
      fp_reduce(ay);
      if (limbs_equal(py, ay)) {
        fp_add(e, ay, ay);
        const DeviceFp xx = squared(ax);
        n = xx + xx + xx;
      } else {
        kind = Addition::infinity;
      }
    }
    if (kind != Addition::general) e = fp_one();
  }
  store_row(tile_lane + WarpTile::kE, e);
  store_row(tile_lane + WarpTile::kN, n);
  return kind;
}

// One block an SM, kBatchWarps warps or as many as fit; dynamic shared memory WarpTile::kBytes a warp.
__global__ void __launch_bounds__(32 * kBatchWarps, 1)
    batch_affine_kernel(const __grid_constant__ BatchAffineArgs args) {
  extern __shared__ uint4 shared[];
  const uint32_t lane = threadIdx.x & 31, warps = blockDim.x >> 5, num_warps = gridDim.x * warps;
  const uint32_t tile = shared_address(shared) + (threadIdx.x >> 5) * WarpTile::kBytes;
  const uint32_t mine = tile + lane * 16, entries = tile + WarpTile::kEntries + lane * 4;
  const uint32_t num_chains = args.num_chains;
  const uint32_t* rows_in_round = args.lists.rows_in_round;
  const uint32_t* lines = args.lists.entries + lane;
  const AffineG1* points = args.points;
  uint4* records = args.records + lane;

  for (uint32_t chain = blockIdx.x * warps + (threadIdx.x >> 5); chain < num_chains; chain += num_warps) {
    const auto rows_of_chain = [&](uint32_t rows) {
      return rows > chain ? (rows - chain - 1) / num_chains + 1 : 0u;
    };
    uint32_t length = 0, next_length = rows_of_chain(rows_in_round[0]);  // K: rows of this round and the next
    store_row(mine + WarpTile::kProd, fp_one());
    bool descending = false;
#pragma unroll 1
    for (uint32_t j = 0; next_length != 0; ++j, descending = !descending) {
      if (j != 0) {
        DeviceFp product = load_row(mine + WarpTile::kProd);
        fp_reduce(product);
        store_row(mine + WarpTile::kRun, inverse(product));
        store_row(mine + WarpTile::kProd, fp_one());
      }
      length = next_length;
      next_length = rows_of_chain(rows_in_round[j + 1]);
      uint32_t k = descending ? length - 1 : 0, row = k * num_chains + chain;
      const uint32_t k_step = descending ? ~0u : 1u, row_step = descending ? 0u - num_chains : num_chains;
      const uint32_t* round_lines = lines + static_cast<std::size_t>(args.lists.first_line[j]) * 32;
      const uint32_t* next_lines = lines + static_cast<std::size_t>(args.lists.first_line[j + 1]) * 32;
      uint32_t entry = round_lines[static_cast<std::size_t>(row) * 32];
      uint32_t entry_after = k < next_length ? next_lines[static_cast<std::size_t>(row) * 32] : kNoEntry;
      const auto stage_record = [&](uint32_t r) {
        const uint4* record = records + static_cast<std::size_t>(r) * kRecordPieces;
#pragma unroll
        for (int i = 0; i < 9; ++i) copy_async_16(mine + WarpTile::kA + i * kPlaneBytes, record + i * 32);
      };
      const auto stage_entries = [&](uint32_t k_of, uint32_t r) {
        copy_async_4(entries, round_lines + static_cast<std::size_t>(r) * 32);
        if (k_of < next_length) copy_async_4(entries + 128, next_lines + static_cast<std::size_t>(r) * 32);
      };
      __syncwarp();
      stage_points(tile, point_address(points, entry), lane);
      if (k < next_length) stage_next_x(tile + WarpTile::kNextX, point_address(points, entry_after), lane);
      if (j != 0) stage_record(row);
      if (length > 1) stage_entries(k + k_step, row + row_step);
      copy_async_commit();
#pragma unroll 1
      for (uint32_t step = 0; step < length; ++step) {
        const bool more = step + 1 < length, goes_on = k < next_length;
        const uint32_t next_k = k + k_step, next_row = row + row_step;
        const uint32_t next_x = tile + WarpTile::kNextX + (step & 1) * kRowBytes;
        const uint32_t other_x = tile + WarpTile::kNextX + (~step & 1) * kRowBytes;
        copy_async_wait();
        __syncwarp();
        const DeviceFp px = load_packed(tile + WarpTile::kPoint + lane * 96);
        AffineG1 sum;
        sum.y = load_packed(tile + WarpTile::kPoint + lane * 96 + 48);
        const bool p_infinite = entry == kNoEntry || (infinity_word(px) & kInfinityBit) != 0;
        fp_negate_if(sum.y, (entry & kEntrySign) != 0);
        Addition kind = Addition::general;
        if (j != 0) {
          __syncwarp();
          kind = prepare_addition(mine, px, sum.y, p_infinite);
          multiply_rows(mine + WarpTile::kSlope, mine + WarpTile::kRun, mine + WarpTile::kSlope);  // 1 / e
          multiply_rows(mine + WarpTile::kSlope, mine + WarpTile::kSlope, mine + WarpTile::kN);
          multiply_rows(mine + WarpTile::kRun, mine + WarpTile::kRun, mine + WarpTile::kE);
        }
        __syncwarp();
        uint32_t next_entry = kNoEntry, next_entry_after = kNoEntry;
        if (more) {
          next_entry = load_shared_word(entries);
          stage_points(tile, point_address(points, next_entry), lane);
          if (next_k < next_length) {
            next_entry_after = load_shared_word(entries + 128);
            stage_next_x(other_x, point_address(points, next_entry_after), lane);
          }
          if (step + 2 < length) stage_entries(next_k + k_step, next_row + row_step);
        }
        if (j != 0) {
          {
            DeviceFp slope = load_row(mine + WarpTile::kSlope);
            fp_sqr_raw(sum.x, slope);
            const DeviceFp ax = load_row(mine + WarpTile::kA);
            fp_sub_two(sum.x, ax, px);
            fp_sub_plus_p(slope, ax, sum.x);
            store_row(mine + WarpTile::kA, slope);
          }
          multiply_rows(mine + WarpTile::kA, mine + WarpTile::kA, mine + WarpTile::kSlope);
          fp_sub_wide(sum.y, load_row(mine + WarpTile::kA), load_row(mine + WarpTile::kAy));
          if (kind != Addition::general) {
            if (kind == Addition::take_accumulator) {
              const uint4* record = records + static_cast<std::size_t>(row) * kRecordPieces;
              sum.x = load_record_row(record);
              sum.y = load_record_row(record + 96);
            } else if (kind == Addition::take_point) {
              sum = *point_address(points, entry);
              fp_negate_if(sum.y, (entry & kEntrySign) != 0);
            } else {
              set_infinity(sum);
            }
          }
          if (more) stage_record(next_row);
        } else {
          sum.x = px;
          if (p_infinite) set_infinity(sum);
        }
        copy_async_commit();
        if (goes_on) {
          uint4* record = records + static_cast<std::size_t>(row) * kRecordPieces;
          store_record_row(record, sum.x);
          store_record_row(record + 96, sum.y);
          const DeviceFp e = chain_factor(sum, load_packed(next_x + lane * 48), entry_after, points);
          store_record_row(record + 192, load_row(mine + WarpTile::kProd));
          __syncwarp();
          store_row(next_x + lane * 16, e);
          multiply_rows(mine + WarpTile::kProd, mine + WarpTile::kProd, next_x + lane * 16);
        } else {
          fp_reduce(sum.y);
          if (is_infinity(sum)) set_infinity(sum);
          const uint32_t dest = args.lists.dest[static_cast<std::size_t>(row) * 32 + lane];
          if (dest != kNoEntry) args.out[dest] = sum;
        }
        entry = next_entry;
        entry_after = next_entry_after;
        k = next_k;
        row = next_row;
      }
      copy_async_wait();
    }
  }
}

}  // namespace cuzk::cuda
