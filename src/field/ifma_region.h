// The region of a file whose code may use AVX-512 IFMA: between CUZK_IFMA_BEGIN and CUZK_IFMA_END, after all #includes of a .cc
// file, called behind a test of cpu_features().avx512_ifma.
//
// The macros give the enclosed definitions, and no others, the right to AVX-512,
// so no special compiler flags are wanted: with flags on the whole file the shared inline functions of every
// header would be compiled to AVX-512 too, and the linker could pick those copies for machines that lack it.
// For the same reason nothing in the region may define what another file also defines without AVX-512.
// Register values must not cross the region's border: pass arrays. parallel_for may be called inside (its
// body is a lambda of the region).
#pragma once

#include <immintrin.h>

#if defined(__clang__)
// clang-format off
#define CUZK_IFMA_BEGIN \
  _Pragma("clang attribute push(__attribute__((target(\"avx512f,avx512dq,avx512vl,avx512bw,avx512ifma,bmi2\"))), apply_to = function)")
// clang-format on
#define CUZK_IFMA_END _Pragma("clang attribute pop")
#else
// g++ 12 takes the deliberately undefined operands inside its own intrinsics for mistakes (GCC bug 105593).
#define CUZK_IFMA_BEGIN                                                                                     \
  _Pragma("GCC push_options") _Pragma("GCC target(\"avx512f,avx512dq,avx512vl,avx512bw,avx512ifma,bmi2\")") \
      _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wmaybe-uninitialized\"")            \
          _Pragma("GCC diagnostic ignored \"-Wuninitialized\"")
#define CUZK_IFMA_END _Pragma("GCC diagnostic pop") _Pragma("GCC pop_options")
#endif
#define CUZK_IFMA_INLINE [[gnu::always_inline]] static inline
#define CUZK_UNROLL _Pragma("GCC unroll 16")
