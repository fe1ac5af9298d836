// One pass of a transform (ntt_plan.h): every block takes a tile of `radix` rows into shared memory, does the transforms
// of its columns, and writes the outputs, twiddled, where the next pass wants them.
//
// A tile's transform is decimation in frequency by rounds of up to 3 bits: 8 values in registers, 5 products inside and
// 7 twiddles after. The first round reads global memory, the last one writes it. A value has two slots of 16 bytes in
// shared memory, in two planes, padded so that no stride of the rounds meets bank conflicts.
//
// All products are made by one function that takes a value in its slot and a factor in global memory: passing them in
// registers costs moves, which run on the multiplier pipe, and inlining it costs misses of the instruction cache.
#pragma once

#include "cuda/field/fr.cuh"
#include "cuda/ntt/ntt_plan.h"

namespace cuzk::cuda {

inline constexpr unsigned kNttThreads = 128;

struct NttPassArgs {
  const DeviceFr* in;
  const DeviceFr* in_b;  // if set, the input is in * in_b; not together with input_factors
  DeviceFr* out;
  const DeviceFr* sum;            // if set, added to the outputs
  const DeviceFr* input_factors;  // by row, or null
  const DeviceFr* roots;          // w_radix^i
  const DeviceFr* high;           // twiddles, or null
  const DeviceFr* low;            // or null
  NttPass pass;
  unsigned log_columns;
  unsigned log_low;
};

// Position of tile element e in a plane: 4 elements of padding after each 32.
__host__ __device__ constexpr unsigned ntt_plane_index(unsigned e) {
  return e + (e >> 5) * 4;
}
__host__ __device__ constexpr unsigned ntt_shared_bytes(unsigned log_tile) {
  return ntt_plane_index(1u << log_tile) * 2 * 16;
}

__device__ __forceinline__ DeviceFr load_fr(const DeviceFr* p) {
  const uint4 low = reinterpret_cast<const uint4*>(p)[0], high = reinterpret_cast<const uint4*>(p)[1];
  return {{low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w}};
}
__device__ __forceinline__ void store_fr(DeviceFr* p, const DeviceFr& x) {
  reinterpret_cast<uint4*>(p)[0] = make_uint4(x.v[0], x.v[1], x.v[2], x.v[3]);
  reinterpret_cast<uint4*>(p)[1] = make_uint4(x.v[4], x.v[5], x.v[6], x.v[7]);
}
__device__ __forceinline__ DeviceFr load_table(const DeviceFr* p) {
  const uint4 low = __ldg(reinterpret_cast<const uint4*>(p)),
              high = __ldg(reinterpret_cast<const uint4*>(p) + 1);
  return {{low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w}};
}

struct NttTile {
  uint32_t base;         // shared address of the low halves
  uint32_t plane_bytes;  // from a low half to its high half

  __device__ uint32_t slot(unsigned e) const { return base + ntt_plane_index(e) * 16; }
};

__device__ __forceinline__ DeviceFr load_slot(uint32_t low, uint32_t high) {
  DeviceFr x;
  asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%8]; ld.shared.v4.u32 {%4,%5,%6,%7}, [%9];"
               : "=r"(x.v[0]), "=r"(x.v[1]), "=r"(x.v[2]), "=r"(x.v[3]), "=r"(x.v[4]), "=r"(x.v[5]),
                 "=r"(x.v[6]), "=r"(x.v[7])
               : "r"(low), "r"(high)
               : "memory");
  return x;
}
__device__ __forceinline__ void store_slot(uint32_t low, uint32_t high, const DeviceFr& x) {
  asm volatile("st.shared.v4.u32 [%8], {%0,%1,%2,%3}; st.shared.v4.u32 [%9], {%4,%5,%6,%7};" ::"r"(x.v[0]),
               "r"(x.v[1]), "r"(x.v[2]), "r"(x.v[3]), "r"(x.v[4]), "r"(x.v[5]), "r"(x.v[6]), "r"(x.v[7]),
               "r"(low), "r"(high)
               : "memory");
}

// The value in a slot, below 2 r, times *factor; canonical.
static __device__ __noinline__ void multiply_slot(uint32_t low, uint32_t high, const DeviceFr* factor) {
  const DeviceFr w = load_table(factor);
  store_slot(low, high, load_slot(low, high) * w);
}

// 2^kBits values of one thread: in registers, and in slots that no other thread uses meanwhile.
template <unsigned kBits>
struct NttValues {
  static constexpr unsigned kCount = 1u << kBits;
  DeviceFr x[kCount];
  uint32_t slot[kCount];
  uint32_t plane_bytes;

  __device__ void to_slot(unsigned i, const DeviceFr& value) const {
    store_slot(slot[i], slot[i] + plane_bytes, value);
  }
  __device__ DeviceFr from_slot(unsigned i) const { return load_slot(slot[i], slot[i] + plane_bytes); }
  __device__ void multiply(unsigned i, const DeviceFr* factor) const {
    multiply_slot(slot[i], slot[i] + plane_bytes, factor);
  }
  // (a, b) -> (a + b, a - b)
  __device__ void butterfly(unsigned a, unsigned b) {
    const DeviceFr sum = x[a] + x[b];
    x[b] = x[a] - x[b];
    x[a] = sum;
  }
  // (a, b) -> (a + b, (a - b) w); b is left in its slot.
  __device__ void butterfly(unsigned a, unsigned b, const DeviceFr* w) {
    to_slot(b, fr_sub_lazy(x[a], x[b]));
    x[a] = x[a] + x[b];
    multiply(b, w);
  }
};

// X_k to place slot_of_output(k). `roots` are the powers of a root of order 2^log_radix.
template <unsigned kBits>
__device__ __forceinline__ void small_dft(NttValues<kBits>& v, const DeviceFr* roots, unsigned log_radix) {
  if constexpr (kBits == 3) {
    const unsigned eighth = 1u << (log_radix - 3);
    v.butterfly(1, 5, roots + eighth);
    v.butterfly(2, 6, roots + 2 * eighth);
    v.butterfly(3, 7, roots + 3 * eighth);
    v.butterfly(0, 4);
    v.x[5] = v.from_slot(5);
    v.x[6] = v.from_slot(6);
    v.x[7] = v.from_slot(7);
  }
  if constexpr (kBits >= 2) {
    const DeviceFr* quarter = roots + (1u << (log_radix - 2));
#pragma unroll
    for (unsigned i = 0; i < 1u << kBits; i += 4) {
      v.butterfly(i + 1, i + 3, quarter);
      v.butterfly(i, i + 2);
    }
#pragma unroll
    for (unsigned i = 3; i < 1u << kBits; i += 4) v.x[i] = v.from_slot(i);
  }
#pragma unroll
  for (unsigned i = 0; i < 1u << kBits; i += 2) v.butterfly(i, i + 1);
}

template <unsigned kBits>
__device__ constexpr unsigned slot_of_output(unsigned k) {
  return kBits == 3 ? (k & 1) << 2 | (k & 2) | k >> 2 : kBits == 2 ? (k & 1) << 1 | k >> 1 : k;
}

// Value i of the thread: row `row`, column `column` of the whole array that goes into the pass.
template <unsigned kBits>
__device__ __forceinline__ void ntt_load(const NttPassArgs& args, NttValues<kBits>& v, unsigned i,
                                         unsigned row, std::size_t column) {
  const std::size_t at =
      (static_cast<std::size_t>(row) << (args.pass.log_rest + args.pass.log_done)) + column;
  v.x[i] = load_fr(args.in + at);
  if (args.in_b == nullptr && args.input_factors == nullptr) return;
  v.to_slot(i, v.x[i]);
  v.multiply(i, args.in_b != nullptr ? args.in_b + at : args.input_factors + row);
  v.x[i] = v.from_slot(i);
}

// Twiddles output k of `column`, value i of the thread, and writes it.
template <unsigned kBits>
__device__ __forceinline__ void ntt_store(const NttPassArgs& args, const NttValues<kBits>& v, unsigned i,
                                          unsigned k, std::size_t column) {
  const std::size_t rest = column >> args.pass.log_done;
  const std::size_t done = column & ((std::size_t{1} << args.pass.log_done) - 1);
  DeviceFr x = v.x[i];
  if (args.high != nullptr) {
    const unsigned log_high = args.pass.log_rest - args.log_low;
    v.to_slot(i, x);
    v.multiply(i, args.high + ((static_cast<std::size_t>(k) << log_high) | (rest >> args.log_low)));
    if (args.low != nullptr) {
      const std::size_t low_mask = (std::size_t{1} << args.log_low) - 1;
      v.multiply(i, args.low + ((static_cast<std::size_t>(k) << args.log_low) | (rest & low_mask)));
    }
    x = v.from_slot(i);
  }
  const std::size_t at = (((rest << args.pass.log_radix) | k) << args.pass.log_done) | done;
  if (args.sum != nullptr) x = x + load_fr(args.sum + at);
  store_fr(args.out + at, x);
}

// The round that takes `bits_left` to bits_left - kBits, over all columns of the tile.
template <unsigned kBits>
__device__ __forceinline__ void ntt_round(const NttPassArgs& args, const NttTile& tile, unsigned bits_left,
                                          std::size_t first_column) {
  constexpr unsigned kCount = 1u << kBits;
  const unsigned log_radix = args.pass.log_radix, log_columns = args.log_columns,
                 log_stride = bits_left - kBits;
  const bool first = bits_left == log_radix, last = log_stride == 0;
  for (unsigned b = threadIdx.x; b < 1u << (log_radix + log_columns - kBits); b += kNttThreads) {
    const unsigned column = b & ((1u << log_columns) - 1), t = b >> log_columns;
    const unsigned low = t & ((1u << log_stride) - 1), base = ((t >> log_stride) << bits_left) | low;
    NttValues<kBits> v;
    v.plane_bytes = tile.plane_bytes;
#pragma unroll
    for (unsigned i = 0; i < kCount; ++i) {
      const unsigned row = base + (i << log_stride);
      v.slot[i] = tile.slot((row << log_columns) | column);
      if (first) {
        ntt_load(args, v, i, row, first_column + column);
      } else {
        v.x[i] = v.from_slot(i);
      }
    }
    small_dft<kBits>(v, args.roots, log_radix);
    if (last) {
      const unsigned k_base = ntt_output_of_row(base, log_radix);
#pragma unroll
      for (unsigned k = 0; k < kCount; ++k) {
        ntt_store(args, v, slot_of_output<kBits>(k), k_base | (k << (log_radix - kBits)),
                  first_column + column);
      }
    } else {
#pragma unroll
      for (unsigned k = 0; k < kCount; ++k) v.to_slot(k, v.x[slot_of_output<kBits>(k)]);
#pragma unroll
      for (unsigned k = 1; k < kCount; ++k)
        v.multiply(k, args.roots + ((k * low) << (log_radix - bits_left)));
    }
  }
  if (!last) __syncthreads();
}

__global__ void __launch_bounds__(kNttThreads, 4) ntt_pass_kernel(const __grid_constant__ NttPassArgs args) {
  extern __shared__ uint4 shared[];
  const unsigned log_tile = args.pass.log_radix + args.log_columns;
  const NttTile tile{static_cast<uint32_t>(__cvta_generic_to_shared(shared)),
                     ntt_plane_index(1u << log_tile) * 16};
  const std::size_t first_column = static_cast<std::size_t>(blockIdx.x) << args.log_columns;
  for (unsigned left = args.pass.log_radix; left > 0;) {
    const unsigned bits = ntt_round_bits(left);
    if (bits == 3) {
      ntt_round<3>(args, tile, left, first_column);
    } else if (bits == 2) {
      ntt_round<2>(args, tile, left, first_column);
    } else {
      ntt_round<1>(args, tile, left, first_column);
    }
    left -= bits;
  }
}

// entry (k, m) = root^(k m) * by_k^k * by_m^m * scale, k < 2^log_k, m < 2^log_m, laid out [k][m].
struct NttTableArgs {
  DeviceFr* out;
  unsigned log_k;
  unsigned log_m;
  DeviceFr root;
  DeviceFr by_k;
  DeviceFr by_m;
  DeviceFr scale;
};

__global__ void ntt_table_kernel(const __grid_constant__ NttTableArgs args) {
  const std::size_t size = std::size_t{1} << (args.log_k + args.log_m);
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < size;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
    const uint64_t k = i >> args.log_m, m = i & ((std::size_t{1} << args.log_m) - 1);
    const DeviceFr factors = fr_pow(args.by_k, k) * fr_pow(args.by_m, m);
    store_fr(args.out + i, fr_pow(args.root, k * m) * factors * args.scale);
  }
}

}  // namespace cuzk::cuda
