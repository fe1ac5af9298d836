// The AVX-512 IFMA build of the point kernels: sums of chains by chain_sum.h, and the changes of form, eight points at a
// time.
#include <algorithm>
#include <bit>
#include <cstring>

#include "field/x8.h"
#include "msm/point_kernels.h"

CUZK_IFMA_BEGIN
// clang-format off: the order of these matters
#include "msm/chain_sum.h"
#include "msm/fp2_x8.h"
#include "msm/lane_ifma.h"
// clang-format on

namespace cuzk {
namespace {

// R^2 = 2^832 mod p as a plain integer: the product with it takes an integer to the form with R = 2^416.
constexpr Limbs52<FpParams> kFromInteger =
    split52<FpParams>(times_power_of_two(Fp::one(), 832 - 384).montgomery());
constexpr Limbs52<FpParams> kFour = radix52_form(Fp::one().doubled().doubled());

template <typename F>
inline constexpr std::size_t kFps = sizeof(F) / sizeof(Fp);  // elements of Fp in one of F

// Eight coordinates at a time through `change`; `in` and `out` are n elements of Fp. What is left over is done in a
// padded copy.
template <typename Change>
void change_form(const Fp* in, std::size_t n, Fp* out, Change change) {
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) FpX8::store(out + i, FpX8::reduce<2>(change(FpX8::load(in + i))));
  if (i == n) return;
  Fp rest[8] = {};
  std::copy_n(in + i, n - i, rest);
  FpX8::store(rest, FpX8::reduce<2>(change(FpX8::load(rest))));
  std::copy_n(rest, n - i, out + i);
}

template <typename F>
void from_affine(const AffinePoint<F>* points, std::size_t n, KernelPoint<F>* out) {
  change_form(reinterpret_cast<const Fp*>(points), n * 2 * kFps<F>, reinterpret_cast<Fp*>(out),
              [](const FpX8& a) { return FpX8::from_scalar_form(a); });
}

template <typename F>
void to_affine(const KernelPoint<F>* points, std::size_t n, AffinePoint<F>* out) {
  change_form(reinterpret_cast<const Fp*>(points), n * 2 * kFps<F>, reinterpret_cast<Fp*>(out),
              [](const FpX8& a) { return FpX8::to_scalar_form(a); });
}

// 48 big-endian bytes as limbs; false if the integer is not below p, which a set flag makes it as well.
bool read_integer(const std::uint8_t* bytes, Fp& out) {
  Limbs<6> limbs;
  for (std::size_t i = 0; i < 6; ++i) {
    std::uint64_t word;
    std::memcpy(&word, bytes + 8 * (5 - i), 8);
    limbs[i] = __builtin_bswap64(word);
  }
  out = Fp::from_montgomery(limbs);
  return limbs[5] < FpParams::kModulus[5] || less_limbs(limbs, FpParams::kModulus);
}

// Coordinate c (0 .. 2 kFps - 1, in the order of the encoding) of eight points. Lanes that are not below p leave `good`.
template <typename F>
FpX8 read_coordinate(const std::uint8_t* bytes, std::size_t c, unsigned& good) {
  Fp integers[8];
  for (std::size_t k = 0; k < 8; ++k) {
    const bool below = read_integer(bytes + 48 * (2 * kFps<F> * k + c), integers[k]);
    good &= ~(static_cast<unsigned>(!below) << k);
  }
  return FpX8::reduce<2>(FpX8::mul(FpX8::load(integers), FpX8::broadcast(kFromInteger)));
}

// y^2 - x^3 - 4 = 0, and x is not 0 (no such point is in the subgroup; curve/encoding.h refuses it as well).
unsigned decode_eight(const std::uint8_t* bytes, KernelPoint<Fp>* out) {
  unsigned good = 0xff;
  const FpX8 x = read_coordinate<Fp>(bytes, 0, good);
  const FpX8 y = read_coordinate<Fp>(bytes, 1, good);
  FpX8::store(&out->x, x, 2);
  FpX8::store(&out->x + 1, y, 2);
  const FpX8 right = FpX8::add(FpX8::mul(FpX8::sqr(x), x), FpX8::broadcast(kFour));  // < 3p
  good &= FpX8::is_zero<8>(FpX8::sub<4>(FpX8::sqr(y), right));
  return good & ~static_cast<unsigned>(FpX8::is_zero<2>(x));
}

// y^2 - x^3 - 4 (1 + u) = 0. Encoded order: x.c1, x.c0, y.c1, y.c0.
unsigned decode_eight(const std::uint8_t* bytes, KernelPoint<Fp2>* out) {
  unsigned good = 0xff;
  const FpX8 x1 = read_coordinate<Fp2>(bytes, 0, good), x0 = read_coordinate<Fp2>(bytes, 1, good);
  const FpX8 y1 = read_coordinate<Fp2>(bytes, 2, good), y0 = read_coordinate<Fp2>(bytes, 3, good);
  Fp* to = &out->x.c0;
  FpX8::store(to, x0, 4);
  FpX8::store(to + 1, x1, 4);
  FpX8::store(to + 2, y0, 4);
  FpX8::store(to + 3, y1, 4);
  const Fp2X8 x = {x0, x1}, y = {y0, y1};
  const Fp2X8 cube = Fp2Lanes::mul(Fp2Lanes::sqr(x), x), square = Fp2Lanes::sqr(y);
  const FpX8 four = FpX8::broadcast(kFour);
  good &= FpX8::is_zero<8>(FpX8::sub<4>(square.c0, FpX8::add(cube.c0, four)));
  return good & FpX8::is_zero<8>(FpX8::sub<4>(square.c1, FpX8::add(cube.c1, four)));
}

template <typename F>
std::size_t decode(const std::uint8_t* bytes, std::size_t n, KernelPoint<F>* out) {
  constexpr std::size_t kBytes = 96 * kFps<F>;
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const unsigned good = decode_eight(bytes + kBytes * i, out + i);
    if (good != 0xff) return i + static_cast<std::size_t>(std::countr_one(good));
  }
  if (i == n) return n;
  std::uint8_t rest[8 * kBytes];
  for (std::size_t k = 0; k < 8; ++k)
    std::memcpy(rest + kBytes * k, bytes + kBytes * std::min(i + k, n - 1), kBytes);
  KernelPoint<F> points[8];
  const auto num_good = static_cast<std::size_t>(std::countr_one(decode_eight(rest, points)));
  std::copy_n(points, n - i, out + i);
  return std::min(n, i + num_good);
}

template <typename F, class L>
constexpr PointKernels<F> kIfma = {
    "avx512_ifma", ChainSum<L>::scratch_bytes, ChainSum<L>::run, from_affine<F>, to_affine<F>, decode<F>};

}  // namespace

template <>
const PointKernels<Fp>& ifma_kernels<Fp>() noexcept {
  return kIfma<Fp, FpLanes>;
}
template <>
const PointKernels<Fp2>& ifma_kernels<Fp2>() noexcept {
  return kIfma<Fp2, Fp2Lanes>;
}

}  // namespace cuzk
CUZK_IFMA_END
