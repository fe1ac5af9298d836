#include "field/inverse.h"

#include <bit>
#include <utility>

namespace cuzk {
namespace {

__extension__ typedef __int128 int128_t;

constexpr std::int64_t kMask62 = (std::int64_t{1} << 62) - 1;

// A signed integer, sum of l[i] 2^(62 i): all limbs but the last in [0, 2^62), the last one carries the sign.
// The values here stay in (-2p, 2p), p < 2^(64 N - 1), which leaves room in the top limb.
template <std::size_t N>
struct Signed62 {
  static constexpr std::size_t kLimbs = 64 * N / 62 + 1;
  std::int64_t l[kLimbs] = {};

  static Signed62 from(const Limbs<N>& limbs) noexcept {
    Signed62 out;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const std::size_t word = 62 * i / 64, shift = 62 * i % 64;
      if (word >= N) break;
      std::uint64_t value = limbs[word] >> shift;
      if (shift > 2 && word + 1 < N) value |= limbs[word + 1] << (64 - shift);
      out.l[i] = static_cast<std::int64_t>(value) & kMask62;
    }
    return out;
  }
  Limbs<N> to_limbs() const noexcept {
    Limbs<N> out{};
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const std::size_t word = 62 * i / 64, shift = 62 * i % 64;
      const auto value = static_cast<std::uint64_t>(l[i]);
      if (word < N) out[word] |= value << shift;
      if (shift > 2 && word + 1 < N) out[word + 1] |= value >> (64 - shift);
    }
    return out;
  }
  bool is_negative() const noexcept { return l[kLimbs - 1] < 0; }
  bool is_zero() const noexcept {
    std::int64_t any = 0;
    for (const std::int64_t limb : l) any |= limb;
    return any == 0;
  }
  // this = sign * this + p * multiple, carried; sign is 1 or -1.
  void add_multiple(std::int64_t sign, const Signed62& p, std::int64_t multiple) noexcept {
    std::int64_t carry = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const std::int64_t sum = sign * l[i] + multiple * p.l[i] + carry;
      l[i] = i + 1 < kLimbs ? sum & kMask62 : sum;
      carry = sum >> 62;
    }
  }
};

// 2^-62 (u v; q r) is what 62 division steps did to (f; g). |u| + |v| <= 2^62, |q| + |r| <= 2^62.
struct Matrix {
  std::int64_t u, v, q, r;
};

// `eta` is minus the paper's delta. f is odd. Runs of zeros of g are skipped at once, and up to 6 low bits of
// an odd g are cancelled with one multiple of f: the steps in between would not have swapped.
Matrix division_steps(std::int64_t& eta, std::uint64_t f, std::uint64_t g) noexcept {
  std::uint64_t u = 1, v = 0, q = 0, r = 1;
  int left = 62;
  for (;;) {
    const int zeros = std::countr_zero(g | (~std::uint64_t{0} << left));
    g >>= zeros;
    u <<= zeros;
    v <<= zeros;
    eta -= zeros;
    left -= zeros;
    if (left == 0) break;
    if (eta < 0) {
      eta = -eta;
      std::swap(f, g);
      std::swap(u, q);
      std::swap(v, r);
      g = -g;
      q = -q;
      r = -r;
    }
    std::int64_t bits = eta + 1 < left ? eta + 1 : left;
    if (bits > 6) bits = 6;
    // f (2 - f^2) = 1/f mod 2^6.
    const std::uint64_t multiple = (g * f * (f * f - 2)) & ((std::uint64_t{1} << bits) - 1);
    g += f * multiple;
    q += u * multiple;
    r += v * multiple;
  }
  return {static_cast<std::int64_t>(u), static_cast<std::int64_t>(v), static_cast<std::int64_t>(q),
          static_cast<std::int64_t>(r)};
}

// (f; g) = t (f; g) / 2^62, exactly.
template <std::size_t N>
void apply_exact(const Matrix& t, Signed62<N>& f, Signed62<N>& g) noexcept {
  constexpr std::size_t kLimbs = Signed62<N>::kLimbs;
  int128_t cf = static_cast<int128_t>(t.u) * f.l[0] + static_cast<int128_t>(t.v) * g.l[0];
  int128_t cg = static_cast<int128_t>(t.q) * f.l[0] + static_cast<int128_t>(t.r) * g.l[0];
  cf >>= 62;
  cg >>= 62;
  for (std::size_t i = 1; i < kLimbs; ++i) {
    const std::int64_t fi = f.l[i], gi = g.l[i];
    cf += static_cast<int128_t>(t.u) * fi + static_cast<int128_t>(t.v) * gi;
    cg += static_cast<int128_t>(t.q) * fi + static_cast<int128_t>(t.r) * gi;
    f.l[i - 1] = static_cast<std::int64_t>(cf) & kMask62;
    g.l[i - 1] = static_cast<std::int64_t>(cg) & kMask62;
    cf >>= 62;
    cg >>= 62;
  }
  f.l[kLimbs - 1] = static_cast<std::int64_t>(cf);
  g.l[kLimbs - 1] = static_cast<std::int64_t>(cg);
}

// (d; e) = t (d; e) / 2^62 mod p, each kept in (-2p, p): first p is added once for each negative factor, then
// as often as makes the low 62 bits vanish. `inverse` is 1/p mod 2^62.
template <std::size_t N>
void apply_modular(const Matrix& t, Signed62<N>& d, Signed62<N>& e, const Signed62<N>& p,
                   std::uint64_t inverse) noexcept {
  constexpr std::size_t kLimbs = Signed62<N>::kLimbs;
  std::int64_t md = (d.is_negative() ? t.u : 0) + (e.is_negative() ? t.v : 0);
  std::int64_t me = (d.is_negative() ? t.q : 0) + (e.is_negative() ? t.r : 0);
  int128_t cd = static_cast<int128_t>(t.u) * d.l[0] + static_cast<int128_t>(t.v) * e.l[0];
  int128_t ce = static_cast<int128_t>(t.q) * d.l[0] + static_cast<int128_t>(t.r) * e.l[0];
  const auto cancel = [&](int128_t column, std::int64_t multiple) {
    const std::uint64_t excess =
        inverse * static_cast<std::uint64_t>(column) + static_cast<std::uint64_t>(multiple);
    return multiple - (static_cast<std::int64_t>(excess) & kMask62);
  };
  md = cancel(cd, md);
  me = cancel(ce, me);
  cd = (cd + static_cast<int128_t>(p.l[0]) * md) >> 62;
  ce = (ce + static_cast<int128_t>(p.l[0]) * me) >> 62;
  for (std::size_t i = 1; i < kLimbs; ++i) {
    const std::int64_t di = d.l[i], ei = e.l[i];
    cd += static_cast<int128_t>(t.u) * di + static_cast<int128_t>(t.v) * ei +
          static_cast<int128_t>(p.l[i]) * md;
    ce += static_cast<int128_t>(t.q) * di + static_cast<int128_t>(t.r) * ei +
          static_cast<int128_t>(p.l[i]) * me;
    d.l[i - 1] = static_cast<std::int64_t>(cd) & kMask62;
    e.l[i - 1] = static_cast<std::int64_t>(ce) & kMask62;
    cd >>= 62;
    ce >>= 62;
  }
  d.l[kLimbs - 1] = static_cast<std::int64_t>(cd);
  e.l[kLimbs - 1] = static_cast<std::int64_t>(ce);
}

}  // namespace

template <std::size_t N>
Limbs<N> inverse_mod(const Limbs<N>& value, const Limbs<N>& modulus,
                     std::uint64_t negative_inverse) noexcept {
  const Signed62<N> p = Signed62<N>::from(modulus);
  Signed62<N> f = p, g = Signed62<N>::from(value), d, e;
  e.l[0] = 1;
  std::int64_t eta = -1;
  // Invariant: f = d value, g = e value mod p. At the end g = 0 and f = 1 or -1 (f = p for value 0, with d =
  // 0).
  while (!g.is_zero()) {
    const auto low = [](const Signed62<N>& x) {
      return static_cast<std::uint64_t>(x.l[0]) | (static_cast<std::uint64_t>(x.l[1]) << 62);
    };
    const Matrix t = division_steps(eta, low(f), low(g));
    apply_modular(t, d, e, p, -negative_inverse);
    apply_exact(t, f, g);
  }
  if (d.is_negative()) d.add_multiple(1, p, 1);  // (-2p, p) -> (-p, p)
  if (f.is_negative()) d.add_multiple(-1, p, 0);
  if (d.is_negative()) d.add_multiple(1, p, 1);
  return d.to_limbs();
}

template Limbs<1> inverse_mod(const Limbs<1>&, const Limbs<1>&, std::uint64_t) noexcept;
template Limbs<4> inverse_mod(const Limbs<4>&, const Limbs<4>&, std::uint64_t) noexcept;
template Limbs<6> inverse_mod(const Limbs<6>&, const Limbs<6>&, std::uint64_t) noexcept;

}  // namespace cuzk
