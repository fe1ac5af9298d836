// The eight-lane backends of chain_sum.h for AVX-512 IFMA: FpLanes for G1, Fp2Lanes for G2.
//
// Accumulators are never reduced: before the addition of round j their coordinates are below B p with B = 3 j, a
// difference adds the multiple of p that keeps it positive, and B grows by at most 3 in an addition:
//
//     e = x - ax + B p                            < (B + 1) p
//     x3 = slope^2 - 2 ax - e + (2 B + 1) p       = slope^2 - ax - x + (B + 1) p < (B + 3) p
//     y3 = slope (ax - x3 + (B + 3) p) - ay + B p < (B + 2) p
//
// A product wants the product of its factors' bounds below 2^35 in Fp (field/x8.h) and 2^20 in Fp2 (fp2_x8.h): with
// B <= 3 * 1024 and one factor below 2p it is below 2^14.
//
// To be included after field/x8.h and fp2_x8.h, inside its region for AVX-512.
#pragma once

namespace cuzk {

// Multiples of p that a round adds.
struct RoundBounds {
  std::uint64_t bound;        // B
  Limbs52<FpParams> current;  // B p
  Limbs52<FpParams> next;     // (B + 3) p
  Limbs52<FpParams> third;    // (2 B + 1) p

  explicit RoundBounds(unsigned round)
      : bound(3 * std::uint64_t{round}),
        current(multiple_of_modulus52<FpParams>(bound)),
        next(multiple_of_modulus52<FpParams>(bound + 3)),
        third(multiple_of_modulus52<FpParams>(2 * bound + 1)) {}
};

CUZK_IFMA_INLINE __m512i set_all(std::uint64_t word) noexcept {
  return _mm512_set1_epi64(static_cast<long long>(word));
}

struct FpLanes {
  using Field = Fp;
  using Element = FpX8;
  using Mask = std::uint8_t;
  using Round = RoundBounds;
  static constexpr std::size_t kLanes = 8;
  static constexpr Mask kAllLanes = 0xff;
  static constexpr std::size_t kLimbs = FpX8::L;

  CUZK_IFMA_INLINE Element one() noexcept { return FpX8::one(); }
  CUZK_IFMA_INLINE Element mul(const Element& a, const Element& b) noexcept { return FpX8::mul(a, b); }
  CUZK_IFMA_INLINE Element sqr(const Element& a) noexcept { return FpX8::sqr(a); }
  CUZK_IFMA_INLINE Element sum(const Element& a, const Element& b) noexcept { return FpX8::add(a, b); }
  CUZK_IFMA_INLINE Element twice(const Element& a) noexcept { return FpX8::dbl(a); }
  CUZK_IFMA_INLINE Element select(Mask mask, const Element& a, const Element& b) noexcept {
    return FpX8::select(mask, a, b);
  }
  // In [0, p), for any value that may enter a product.
  CUZK_IFMA_INLINE Element canonical(const Element& a) noexcept {
    return FpX8::reduce<2>(FpX8::mul(a, FpX8::one()));
  }
  CUZK_IFMA_INLINE Mask is_zero(const Element& a) noexcept {
    return FpX8::is_zero<2>(FpX8::mul(a, FpX8::one()));
  }

  // a - b + c; the result must not be negative.
  CUZK_IFMA_INLINE Element difference_plus(const Element& a, const Element& b,
                                           const Limbs52<FpParams>& c) noexcept {
    Element out;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      out.l[i] = _mm512_add_epi64(_mm512_sub_epi64(a.l[i], b.l[i]), set_all(c[i]));
    }
    return FpX8::tighten_signed(out);
  }
  CUZK_IFMA_INLINE Element difference(const Element& a, const Element& b, const Round& round) noexcept {
    return difference_plus(a, b, round.current);
  }
  CUZK_IFMA_INLINE Element next_difference(const Element& a, const Element& b, const Round& round) noexcept {
    return difference_plus(a, b, round.next);
  }
  // What difference() gives for equal values, both below p.
  CUZK_IFMA_INLINE Element zero_difference(const Round& round) noexcept {
    return FpX8::broadcast(round.current);
  }
  // slope^2 - 2 ax - e
  CUZK_IFMA_INLINE Element third_x(const Element& slope, const Element& ax, const Element& e,
                                   const Round& round) noexcept {
    return third_x_of(FpX8::sqr(slope), ax, e, round);
  }
  CUZK_IFMA_INLINE Element third_x_of(const Element& slope_squared, const Element& ax, const Element& e,
                                      const Round& round) noexcept {
    Element out;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const __m512i subtrahend = _mm512_add_epi64(_mm512_add_epi64(ax.l[i], ax.l[i]), e.l[i]);
      out.l[i] = _mm512_add_epi64(_mm512_sub_epi64(slope_squared.l[i], subtrahend), set_all(round.third[i]));
    }
    return FpX8::tighten_signed(out);
  }
  // slope (ax - x3) - ay, given ax - x3
  CUZK_IFMA_INLINE Element third_y(const Element& slope, const Element& way, const Element& ay,
                                   const Round& round) noexcept {
    return difference(FpX8::mul_loose(slope, way), ay, round);
  }
  // Contains the lanes where e = 0 mod p, and hardly another: e = m p with m <= B + 1 asks that the lowest limb over
  // that of p, modulo 2^52, be so small.
  CUZK_IFMA_INLINE Mask maybe_zero(const Element& e, const Round& round) noexcept {
    const __m512i m = _mm512_madd52lo_epu64(_mm512_setzero_si512(), e.l[0], set_all(kInverseOfModulus));
    return _mm512_cmple_epu64_mask(m, set_all(round.bound + 1));
  }

  // 1 / a in every lane, none of which is 0. Read as elements with R = 2^384, the lanes are a 2^32: their inverses come
  // out as 2^-32 / a, and one factor 2^64 turns all of them into 2^32 / a.
  static Element inverse(const Element& a) noexcept {
    Fp lanes[8], before[8];
    FpX8::store(lanes, canonical(a));
    Fp product = lanes[0];
    for (std::size_t k = 1; k < 8; ++k) {
      before[k] = product;
      product *= lanes[k];
    }
    Fp inverse = product.inverse() * kTwoTo64;
    for (std::size_t k = 7; k > 0; --k) {
      const Fp lane = inverse * before[k];
      inverse *= lanes[k];
      lanes[k] = lane;
    }
    lanes[0] = inverse;
    return FpX8::load(lanes);
  }

  CUZK_IFMA_INLINE void load_points(const KernelPoint<Fp>* points, const PointRef* refs, Element& x,
                                    Element& y) noexcept {
    const Fp* xs[8];
    const Fp* ys[8];
    unsigned negate = 0;
    for (unsigned k = 0; k < 8; ++k) {
      const KernelPoint<Fp>& point = points[refs[k] & ~kNegate];
      xs[k] = &point.x;
      ys[k] = &point.y;
      negate |= refs[k] >> 31 << k;
    }
    x = FpX8::gather(xs);
    y = negate_lanes(static_cast<Mask>(negate), FpX8::gather(ys));
  }
  // p - a in the chosen lanes, for a in [0, p].
  CUZK_IFMA_INLINE Element negate_lanes(Mask mask, const Element& a) noexcept {
    return FpX8::select(mask, FpX8::neg<1>(a), a);
  }
  CUZK_IFMA_INLINE void store_points(KernelPoint<Fp>* points, const Element& x, const Element& y) noexcept {
    FpX8::store(&points->x, canonical(x), 2);
    FpX8::store(&points->x + 1, canonical(y), 2);
  }

 private:
  static constexpr std::uint64_t kInverseOfModulus = (0 - FpParams::kInverse) & kMask52;
  static constexpr Fp kTwoTo64 = times_power_of_two(Fp::one(), 64);
};

struct Fp2Lanes {
  using Field = Fp2;
  using Element = Fp2X8;
  using Mask = std::uint8_t;
  using Round = RoundBounds;
  using Base = FpLanes;
  static constexpr std::size_t kLanes = 8;
  static constexpr Mask kAllLanes = 0xff;

  CUZK_IFMA_INLINE Element one() noexcept { return {FpX8::one(), FpX8::zero()}; }
  CUZK_IFMA_INLINE Element mul(const Element& a, const Element& b) noexcept { return Fp2X8::mul(a, b); }
  static Element sqr(const Element& a) noexcept {
    const Element loose = Fp2X8::sqr_loose<kLargestBound>(a);
    return {FpX8::tighten(loose.c0), FpX8::tighten(loose.c1)};
  }
  CUZK_IFMA_INLINE Element sum(const Element& a, const Element& b) noexcept {
    return {FpX8::add(a.c0, b.c0), FpX8::add(a.c1, b.c1)};
  }
  CUZK_IFMA_INLINE Element twice(const Element& a) noexcept { return sum(a, a); }
  CUZK_IFMA_INLINE Element select(Mask mask, const Element& a, const Element& b) noexcept {
    return {FpX8::select(mask, a.c0, b.c0), FpX8::select(mask, a.c1, b.c1)};
  }
  CUZK_IFMA_INLINE Mask is_zero(const Element& a) noexcept {
    return static_cast<Mask>(Base::is_zero(a.c0) & Base::is_zero(a.c1));
  }
  CUZK_IFMA_INLINE Element difference(const Element& a, const Element& b, const Round& round) noexcept {
    return {Base::difference(a.c0, b.c0, round), Base::difference(a.c1, b.c1, round)};
  }
  CUZK_IFMA_INLINE Element next_difference(const Element& a, const Element& b, const Round& round) noexcept {
    return {Base::next_difference(a.c0, b.c0, round), Base::next_difference(a.c1, b.c1, round)};
  }
  CUZK_IFMA_INLINE Element zero_difference(const Round& round) noexcept {
    return {Base::zero_difference(round), Base::zero_difference(round)};
  }
  CUZK_IFMA_INLINE Element third_x(const Element& slope, const Element& ax, const Element& e,
                                   const Round& round) noexcept {
    const Element square = Fp2X8::sqr_loose<2>(slope);
    return {Base::third_x_of(square.c0, ax.c0, e.c0, round), Base::third_x_of(square.c1, ax.c1, e.c1, round)};
  }
  CUZK_IFMA_INLINE Element third_y(const Element& slope, const Element& way, const Element& ay,
                                   const Round& round) noexcept {
    Element product;
    Fp2X8::mul_loose(product, slope, way);
    return difference(product, ay, round);
  }
  CUZK_IFMA_INLINE Mask maybe_zero(const Element& e, const Round& round) noexcept {
    return static_cast<Mask>(Base::maybe_zero(e.c0, round) & Base::maybe_zero(e.c1, round));
  }
  // conjugate / norm
  static Element inverse(const Element& a) noexcept {
    const FpX8 norm = FpX8::mul_add(a.c0, a.c0, a.c1, a.c1);
    const FpX8 inverse = Base::inverse(norm);
    return {FpX8::mul(a.c0, inverse), FpX8::mul(FpX8::neg<2>(a.c1), inverse)};
  }
  CUZK_IFMA_INLINE void load_points(const KernelPoint<Fp2>* points, const PointRef* refs, Element& x,
                                    Element& y) noexcept {
    const Fp* coordinates[4][8];
    unsigned negate = 0;
    for (unsigned k = 0; k < 8; ++k) {
      const KernelPoint<Fp2>& point = points[refs[k] & ~kNegate];
      coordinates[0][k] = &point.x.c0;
      coordinates[1][k] = &point.x.c1;
      coordinates[2][k] = &point.y.c0;
      coordinates[3][k] = &point.y.c1;
      negate |= refs[k] >> 31 << k;
    }
    const Mask mask = static_cast<Mask>(negate);
    x = {FpX8::gather(coordinates[0]), FpX8::gather(coordinates[1])};
    y = {Base::negate_lanes(mask, FpX8::gather(coordinates[2])),
         Base::negate_lanes(mask, FpX8::gather(coordinates[3]))};
  }
  CUZK_IFMA_INLINE void store_points(KernelPoint<Fp2>* points, const Element& x, const Element& y) noexcept {
    FpX8::store(&points->x.c0, Base::canonical(x.c0), 4);
    FpX8::store(&points->x.c0 + 1, Base::canonical(x.c1), 4);
    FpX8::store(&points->x.c0 + 2, Base::canonical(y.c0), 4);
    FpX8::store(&points->x.c0 + 3, Base::canonical(y.c1), 4);
  }

 private:
  // Above the bound of every value that is squared.
  static constexpr std::uint64_t kLargestBound = std::uint64_t{1} << 12;
};

}  // namespace cuzk
