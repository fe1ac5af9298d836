// One pass of a transform (ntt_plan.h): every block takes a tile of `radix` rows into registers and shared memory, does
// the transforms of its columns, and writes the outputs, twiddled, where the next pass wants them.
//
// A tile's transform is decimation in frequency by rounds of up to 3 bits: 8 values in registers, 5 products inside and
// 7 twiddles after. The first round reads global memory, the last one writes it; only between rounds do values go
// through shared memory, as two planes of 16 bytes, padded so that neither stride of the rounds meets bank conflicts.
#pragma once

#include "cuda/field/fr.cuh"
#include "cuda/ntt/ntt_plan.h"

namespace cuzk::cuda {

inline constexpr unsigned kNttThreads = 256;

struct NttPassArgs {
  const DeviceFr* in;
  const DeviceFr* in_b;  // if set, the input is in * in_b - in_c
  const DeviceFr* in_c;
  DeviceFr* out;
  const DeviceFr* input_factors;  // by row, or null
  const DeviceFr* roots;          // w_radix^i
  const DeviceFr* high;           // twiddles, or null
  const DeviceFr* low;            // or null
  NttPass pass;
  unsigned log_columns;
  unsigned log_low;
  DeviceFr eighths[3];
};

// Position of tile element e in a plane: 4 elements of padding after each 32.
__host__ __device__ constexpr unsigned ntt_plane_index(unsigned e) {
  return e + (e >> 5) * 4;
}
__host__ __device__ constexpr unsigned ntt_shared_bytes(unsigned log_tile) {
  return ntt_plane_index(1u << log_tile) * 2 * 16;
}

static __device__ __noinline__ DeviceFr fr_mul_call(DeviceFr a, DeviceFr b) {
  return a * b;
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

// (a, b) -> (a + b, a - b)
__device__ __forceinline__ void butterfly(DeviceFr& a, DeviceFr& b) {
  const DeviceFr sum = a + b;
  b = a - b;
  a = sum;
}
// (a, b) -> (a + b, (a - b) w)
__device__ __forceinline__ void butterfly(DeviceFr& a, DeviceFr& b, const DeviceFr& w) {
  const DeviceFr difference = fr_sub_lazy(a, b);
  a = a + b;
  b = fr_mul_call(difference, w);
}

// X_k to slot bit_reverse(k).
template <unsigned kBits>
__device__ __forceinline__ void small_dft(DeviceFr (&x)[1u << kBits], const DeviceFr (&eighths)[3]) {
  if constexpr (kBits == 3) {
    butterfly(x[0], x[4]);
    butterfly(x[1], x[5], eighths[0]);
    butterfly(x[2], x[6], eighths[1]);
    butterfly(x[3], x[7], eighths[2]);
  }
  if constexpr (kBits >= 2) {
#pragma unroll
    for (unsigned i = 0; i < 1u << kBits; i += 4) {
      butterfly(x[i], x[i + 2]);
      butterfly(x[i + 1], x[i + 3], eighths[1]);
    }
  }
#pragma unroll
  for (unsigned i = 0; i < 1u << kBits; i += 2) butterfly(x[i], x[i + 1]);
}

template <unsigned kBits>
__device__ constexpr unsigned slot_of_output(unsigned k) {
  return kBits == 3 ? (k & 1) << 2 | (k & 2) | k >> 2 : kBits == 2 ? (k & 1) << 1 | k >> 1 : k;
}

struct NttTile {
  uint4* plane;  // low halves, then high halves
  unsigned plane_size;

  __device__ DeviceFr load(unsigned e) const {
    const unsigned i = ntt_plane_index(e);
    const uint4 low = plane[i], high = plane[plane_size + i];
    return {{low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w}};
  }
  __device__ void store(unsigned e, const DeviceFr& x) const {
    const unsigned i = ntt_plane_index(e);
    plane[i] = make_uint4(x.v[0], x.v[1], x.v[2], x.v[3]);
    plane[plane_size + i] = make_uint4(x.v[4], x.v[5], x.v[6], x.v[7]);
  }
};

// The value of row `row`, column `column` of the whole array that goes into the pass.
__device__ __forceinline__ DeviceFr ntt_load(const NttPassArgs& args, unsigned row, std::size_t column) {
  const std::size_t i = (static_cast<std::size_t>(row) << (args.pass.log_rest + args.pass.log_done)) + column;
  DeviceFr x = load_fr(args.in + i);
  if (args.in_b != nullptr) x = fr_mul_call(x, load_fr(args.in_b + i)) - load_fr(args.in_c + i);
  if (args.input_factors != nullptr) x = fr_mul_call(x, load_table(args.input_factors + row));
  return x;
}

// Twiddles output k of `column` and writes it.
__device__ __forceinline__ void ntt_store(const NttPassArgs& args, unsigned k, std::size_t column,
                                          DeviceFr x) {
  const std::size_t rest = column >> args.pass.log_done;
  const std::size_t done = column & ((std::size_t{1} << args.pass.log_done) - 1);
  if (args.high != nullptr) {
    const unsigned log_high = args.pass.log_rest - args.log_low;
    DeviceFr w = load_table(args.high + ((static_cast<std::size_t>(k) << log_high) | (rest >> args.log_low)));
    if (args.low != nullptr) {
      const std::size_t low_mask = (std::size_t{1} << args.log_low) - 1;
      w = fr_mul_call(
          w, load_table(args.low + ((static_cast<std::size_t>(k) << args.log_low) | (rest & low_mask))));
    }
    x = fr_mul_call(x, w);
  }
  store_fr(args.out + ((((rest << args.pass.log_radix) | k) << args.pass.log_done) | done), x);
}

// The round that takes `bits_left` to bits_left - kBits, over all columns of the tile.
template <unsigned kBits>
__device__ __forceinline__ void ntt_round(const NttPassArgs& args, const NttTile& tile, unsigned bits_left,
                                          std::size_t first_column) {
  const unsigned log_radix = args.pass.log_radix, log_columns = args.log_columns,
                 log_stride = bits_left - kBits;
  const unsigned stride = 1u << log_stride;
  const bool first = bits_left == log_radix, last = log_stride == 0;
  for (unsigned b = threadIdx.x; b < 1u << (log_radix + log_columns - kBits); b += kNttThreads) {
    const unsigned column = b & ((1u << log_columns) - 1), t = b >> log_columns;
    const unsigned low = t & (stride - 1), base = ((t >> log_stride) << bits_left) | low;
    DeviceFr x[1u << kBits];
#pragma unroll
    for (unsigned i = 0; i < 1u << kBits; ++i) {
      const unsigned row = base + (i << log_stride);
      x[i] = first ? ntt_load(args, row, first_column + column) : tile.load((row << log_columns) | column);
    }
    small_dft<kBits>(x, args.eighths);
    if (last) {
      const unsigned k_base = ntt_output_of_row(base, log_radix);
#pragma unroll
      for (unsigned k = 0; k < 1u << kBits; ++k) {
        ntt_store(args, k_base | (k << (log_radix - kBits)), first_column + column,
                  x[slot_of_output<kBits>(k)]);
      }
    } else {
#pragma unroll
      for (unsigned k = 0; k < 1u << kBits; ++k) {
        DeviceFr y = x[slot_of_output<kBits>(k)];
        if (k != 0) y = fr_mul_call(y, load_table(args.roots + ((k * low) << (log_radix - bits_left))));
        tile.store(((base + (k << log_stride)) << log_columns) | column, y);
      }
    }
  }
  if (!last) __syncthreads();
}

__global__ void __launch_bounds__(kNttThreads, 2) ntt_pass_kernel(const __grid_constant__ NttPassArgs args) {
  extern __shared__ uint4 shared[];
  const unsigned log_tile = args.pass.log_radix + args.log_columns;
  const NttTile tile{shared, ntt_plane_index(1u << log_tile)};
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
