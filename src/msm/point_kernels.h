// The inner loops of every sum of points, in two builds: portable, and eight lanes wide with AVX-512 IFMA.
//
// Callers see points in "kernel form": whatever the build wants to read in its hot loop, 96 bytes (G1) or 192 (G2) a
// point. The portable build keeps Montgomery coordinates with R = 2^384, as Fp; the IFMA build those with R = 2^416, in
// the same 64-bit limbs. Both are fully reduced and both write infinity as zeros. Sums are the same group elements, so
// after to_affine the same bytes.
//
// The one operation that matters is sum_chains: many independent sums side by side. Round j adds the j-th point of
// every chain to that chain's affine accumulator; the inversions of a round are shared by Montgomery's trick, so an
// addition costs 5 products and a square. Buckets, bucket reduction, sums of ones and fixed-base products are all
// chains.
#pragma once

#include <cstddef>
#include <cstdint>

#include "curve/affine.h"

namespace cuzk {

// A point in kernel form; F is only storage here.
template <typename F>
struct KernelPoint {
  F x;
  F y;

  constexpr bool is_infinity() const noexcept { return x.is_zero() && y.is_zero(); }
};

// A reference to a point: its index, and in the top bit whether it is to be negated.
using PointRef = std::uint32_t;
inline constexpr PointRef kNegate = PointRef{1} << 31;
inline constexpr std::size_t kMaxPoints = std::size_t{1} << 31;

// Longest chain; bounds the growth of the lazily reduced accumulators (lane_ifma.h).
inline constexpr std::uint32_t kMaxChainLength = 1024;
// Chains a batch should have: more share an inversion better, fewer stay in a cache of 1 MiB. At these numbers the
// inversion is 3 % (Zen 4).
template <typename F>
inline constexpr std::size_t kChainsPerBatch = sizeof(F) > sizeof(Fp) ? 1024 : 2048;

// Chain c is the sum of points[refs[start[c] + j * stride]], j < length[c], and goes to out[slot[c]].
template <typename F>
struct ChainBatch {
  const KernelPoint<F>*
      points;  // no infinity among those referred to; at least one if any chain has a length
  const PointRef* refs;
  const std::uint32_t* start;
  const std::uint32_t* length;  // descending, each at most kMaxChainLength; 0 gives infinity
  std::size_t count;
  std::size_t stride;
  KernelPoint<F>* out;  // must not overlap points
  const std::uint32_t* slot;
};

template <typename F>
struct PointKernels {
  const char* name;  // "portable", "avx512_ifma"
  // Bytes of work space, aligned to 64, that sum_chains needs for a batch of `count` chains.
  std::size_t (*scratch_bytes)(std::size_t count);
  void (*sum_chains)(const ChainBatch<F>& batch, std::byte* scratch);
  void (*from_affine)(const AffinePoint<F>* points, std::size_t n, KernelPoint<F>* out);
  void (*to_affine)(const KernelPoint<F>* points, std::size_t n, AffinePoint<F>* out);
  // n uncompressed points (curve/encoding.h), finite and on the curve. The index of the first that is not, or n; what
  // `out` then holds is unspecified.
  std::size_t (*decode)(const std::uint8_t* bytes, std::size_t n, KernelPoint<F>* out);
};

template <typename F>
const PointKernels<F>& portable_kernels() noexcept;
// Only where cpu_features().avx512_ifma.
template <typename F>
const PointKernels<F>& ifma_kernels() noexcept;
// The faster of the two that this machine can run.
template <typename F>
const PointKernels<F>& point_kernels() noexcept;

template <>
const PointKernels<Fp>& portable_kernels<Fp>() noexcept;
template <>
const PointKernels<Fp2>& portable_kernels<Fp2>() noexcept;
template <>
const PointKernels<Fp>& ifma_kernels<Fp>() noexcept;
template <>
const PointKernels<Fp2>& ifma_kernels<Fp2>() noexcept;

}  // namespace cuzk
