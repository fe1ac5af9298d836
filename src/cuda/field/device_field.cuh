// The element types of the device. Layout and Montgomery form are those of the host's Fp and Fr, read as 32-bit limbs
// (both are little-endian and R = 2^384 and 2^256), so arrays are copied between them as they are.
#pragma once

#include <cstdint>

#include "field/fp.h"
#include "field/fr.h"

namespace cuzk::cuda {

struct alignas(16) DeviceFp {
  static constexpr int kLimbs = 12;
  uint32_t v[kLimbs];
};

struct alignas(16) DeviceFr {
  static constexpr int kLimbs = 8;
  uint32_t v[kLimbs];
};

static_assert(sizeof(DeviceFp) == sizeof(Fp) && sizeof(DeviceFr) == sizeof(Fr));

template <class F>
__device__ __forceinline__ bool limbs_zero(const F& a) {
  uint32_t any = 0;
#pragma unroll
  for (int i = 0; i < F::kLimbs; ++i) any |= a.v[i];
  return any == 0;
}

template <class F>
__device__ __forceinline__ bool limbs_equal(const F& a, const F& b) {
  uint32_t any = 0;
#pragma unroll
  for (int i = 0; i < F::kLimbs; ++i) any |= a.v[i] ^ b.v[i];
  return any == 0;
}

template <class F>
__device__ __forceinline__ void set_zero(F& a) {
#pragma unroll
  for (int i = 0; i < F::kLimbs; ++i) a.v[i] = 0;
}

// `yes` where `condition` holds, else `no`, without a branch.
template <class F>
__device__ __forceinline__ F select(bool condition, const F& yes, const F& no) {
  F out;
#pragma unroll
  for (int i = 0; i < F::kLimbs; ++i) out.v[i] = condition ? yes.v[i] : no.v[i];
  return out;
}

}  // namespace cuzk::cuda
