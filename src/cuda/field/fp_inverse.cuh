// Inversion in Fp by half-delta divsteps (Bernstein, Yang, "Fast constant-time gcd computation and modular inversion",
// eprint 2019/266; the half-delta variant as in libsecp256k1's safegcd document), on 13 signed limbs of 30 bits.
//
// The inner loop runs on the 32-bit ALU pipe, which products leave idle: an inversion costs about 38 products' time, a
// power p - 2 would cost 460. The warp runs in step; a vote ends the loop when every lane has finished.
#pragma once

#include "cuda/field/fp.cuh"

namespace cuzk::cuda {

// p in limbs of 30 bits.
__device__ constexpr int kP30[13] = {0x3fffaaab, 0x27fbffff, 0x153ffffb, 0x2affffac, 0x30f6241e,
                                     0x034a83da, 0x112bf673, 0x12e13ce1, 0x2cd76477, 0x1ed90d2e,
                                     0x29a4b1ba, 0x3a8e5ff9, 0x001a0111};
inline constexpr int kMask30 = 0x3fffffff;
inline constexpr uint32_t kInverseP30 = 0x30003;  // 1/p mod 2^30

__device__ __forceinline__ long long mul_wide(int a, int b) {
  long long r;
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ void mad_wide(long long& c, int a, int b) {
  asm("mad.wide.s32 %0, %1, %2, %0;" : "+l"(c) : "r"(a), "r"(b));
}

// The 2 x 2 matrix of 30 divsteps, scaled by 2^30: (f, g) -> (u f + v g, q f + w g) / 2^30.
struct DivstepMatrix {
  int u, v, q, w;
};

// One step on the low words f, g; theta = delta - 1/2:
//   delta > 0 and g odd: (delta, f, g) -> (1 - delta, g, (g - f) / 2), else (1 + delta, f, (g + (g mod 2) f) / 2).
__device__ __forceinline__ void divstep(uint32_t& f, uint32_t& g, DivstepMatrix& m, int& theta) {
  asm("{ .reg .pred p1, p2, p3; .reg .b32 t, nf, nu, nv;\n\t"
      "and.b32 t, %1, 1; setp.ne.s32 p1, t, 0; setp.ge.and.s32 p2, %6, 0, p1; setp.lt.and.s32 p3, %6, 0, "
      "p1;\n\t"
      "selp.b32 nf, %1, %0, p2; selp.b32 nu, %4, %2, p2; selp.b32 nv, %5, %3, p2;\n\t"
      "@p3 add.s32 %1, %1, %0; @p3 add.s32 %4, %4, %2; @p3 add.s32 %5, %5, %3;\n\t"
      "@p2 sub.s32 %1, %1, %0; @p2 sub.s32 %4, %4, %2; @p2 sub.s32 %5, %5, %3;\n\t"
      "mov.b32 %0, nf; shl.b32 %2, nu, 1; shl.b32 %3, nv, 1; shr.u32 %1, %1, 1;\n\t"
      "@p2 neg.s32 %6, %6; @!p2 add.s32 %6, %6, 1; }"
      : "+r"(f), "+r"(g), "+r"(m.u), "+r"(m.v), "+r"(m.q), "+r"(m.w), "+r"(theta));
}

// (f, g) = M (f, g) / 2^30 exactly; (d, e) = M (d, e) / 2^30 modulo p. Returns whether g is not 0.
__device__ __forceinline__ bool apply_divsteps(const DivstepMatrix& m, int (&f)[13], int (&g)[13],
                                               int (&d)[13], int (&e)[13]) {
  long long cf = mul_wide(m.u, f[0]), cg = mul_wide(m.q, f[0]), cd = mul_wide(m.u, d[0]),
            ce = mul_wide(m.q, d[0]);
  mad_wide(cf, m.v, g[0]), mad_wide(cg, m.w, g[0]), mad_wide(cd, m.v, e[0]), mad_wide(ce, m.w, e[0]);
  // The multiples of p, centred, that make the low 30 bits zero.
  const int kd = -(static_cast<int>((static_cast<uint32_t>(cd) * kInverseP30) << 2) >> 2);
  const int ke = -(static_cast<int>((static_cast<uint32_t>(ce) * kInverseP30) << 2) >> 2);
  mad_wide(cd, kd, kP30[0]), mad_wide(ce, ke, kP30[0]);
  cf >>= 30, cg >>= 30, cd >>= 30, ce >>= 30;
  int any = 0;
#pragma unroll
  for (int i = 1; i < 13; ++i) {
    mad_wide(cf, m.u, f[i]), mad_wide(cg, m.q, f[i]), mad_wide(cf, m.v, g[i]), mad_wide(cg, m.w, g[i]);
    f[i - 1] = static_cast<int>(cf) & kMask30, cf >>= 30;
    g[i - 1] = static_cast<int>(cg) & kMask30, cg >>= 30;
    any |= g[i - 1];
    mad_wide(cd, m.u, d[i]), mad_wide(ce, m.q, d[i]), mad_wide(cd, m.v, e[i]), mad_wide(ce, m.w, e[i]);
    mad_wide(cd, kd, kP30[i]), mad_wide(ce, ke, kP30[i]);
    d[i - 1] = static_cast<int>(cd) & kMask30, cd >>= 30;
    e[i - 1] = static_cast<int>(ce) & kMask30, ce >>= 30;
  }
  f[12] = static_cast<int>(cf), g[12] = static_cast<int>(cg), d[12] = static_cast<int>(cd),
  e[12] = static_cast<int>(ce);
  return (any | g[12]) != 0;
}

// d += (2^shift p) & mask, limbs made proper again.
__device__ __forceinline__ void add_shifted_p(int (&d)[13], int shift, int mask) {
  int carry = 0;
#pragma unroll
  for (int i = 0; i < 13; ++i) {
    const int low = i == 0 ? 0 : kP30[i - 1] >> (30 - shift);
    const int limb = i < 12 ? ((kP30[i] << shift) & kMask30) | low : (kP30[12] << shift) | low;
    carry += d[i] + (limb & mask);
    if (i < 12) {
      d[i] = carry & kMask30, carry >>= 30;
    } else {
      d[i] = carry;
    }
  }
}

// 1/a of a canonical a that is not zero, Montgomery form in and out, canonical. All 32 lanes of the warp must call it.
static __device__ __noinline__ DeviceFp fp_inverse_call(DeviceFp a) {
  int f[13], g[13], d[13], e[13];
#pragma unroll
  for (int i = 0; i < 13; ++i) {
    const int word = (30 * i) >> 5, shift = (30 * i) & 31;
    const uint32_t high = word < 11 ? a.v[word + 1] : 0u;
    g[i] = i == 12 ? static_cast<int>(a.v[11] >> 8)
                   : static_cast<int>(__funnelshift_r(a.v[word], high, shift) & kMask30);
    f[i] = kP30[i], d[i] = 0, e[i] = i == 0;
  }
  int theta = 0;
#pragma unroll 1
  for (int batch = 0; batch < 32; ++batch) {
    uint32_t f_low = static_cast<uint32_t>(f[0]) | (static_cast<uint32_t>(f[1]) << 30);
    uint32_t g_low = static_cast<uint32_t>(g[0]) | (static_cast<uint32_t>(g[1]) << 30);
    DivstepMatrix m{1, 0, 0, 1};
#pragma unroll 6
    for (int k = 0; k < 30; ++k) divstep(f_low, g_low, m, theta);
    if (!__any_sync(0xffffffffu, apply_divsteps(m, f, g, d, e))) break;
  }
  // f = +-1 and |d| < 16 p. Make f the sign's, then d in [0, 8 p), which fits 384 bits.
  const int sign = f[12] >> 31;
  int carry = 0;
#pragma unroll
  for (int i = 0; i < 12; ++i) carry += (d[i] ^ sign) - sign, d[i] = carry & kMask30, carry >>= 30;
  d[12] = carry + ((d[12] ^ sign) - sign);
  add_shifted_p(d, 4, d[12] >> 31);
#pragma unroll
  for (int i = 0; i < 13; ++i) e[i] = d[i];
  carry = 0;
#pragma unroll
  for (int i = 0; i < 12; ++i) {
    carry += e[i] - (((kP30[i] << 3) & kMask30) | (i ? (kP30[i - 1] >> 27) : 0));
    e[i] = carry & kMask30, carry >>= 30;
  }
  e[12] += carry - ((kP30[12] << 3) | (kP30[11] >> 27));
  const bool above = e[12] >= 0;
#pragma unroll
  for (int i = 0; i < 13; ++i) d[i] = above ? e[i] : d[i];
  DeviceFp t;
#pragma unroll
  for (int word = 0; word < 12; ++word) {
    const int i = (32 * word) / 30, shift = 32 * word - 30 * i;
    uint32_t x = static_cast<uint32_t>(d[i]) >> shift | static_cast<uint32_t>(d[i + 1]) << (30 - shift);
    if (i + 2 < 13 && 60 - shift < 32) x |= static_cast<uint32_t>(d[i + 2]) << (60 - shift);
    t.v[word] = x;
  }
  // t = 1 / (a R), and the product with R^3 gives (1 / (a R)) R^3 / R = R / a.
  const DeviceFp r3{{0xd94ca1e0, 0xed48ac6b, 0x03a7adf8, 0x315f831e, 0x615e29dd, 0x9a53352a, 0x921e1761,
                     0x34c04e5e, 0x65724728, 0x2512d435, 0x91755d4d, 0x0aa63460}};
  return t * r3;
}
__device__ __forceinline__ DeviceFp inverse(const DeviceFp& a) {
  return fp_inverse_call(a);
}

}  // namespace cuzk::cuda
