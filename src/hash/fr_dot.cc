// A sum of n products of Montgomery representatives is below n r^2. One Montgomery reduction brings it below
// n r^2 / 2^256 + r < (0.46 n + 1) r, and conditional subtractions of 2^k r, k descending, below r.
#include "hash/fr_dot.h"

#include "base/cpu_features.h"
#include "hash/fr_dot_wide.h"

namespace cuzk {
namespace {

using Wide = Limbs<9>;

// acc += a * b.
inline void accumulate(Wide& acc, const Limbs<4>& a, const Limbs<4>& b) noexcept {
  Limbs<8> product{};
  for (std::size_t i = 0; i < 4; ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < 4; ++j) product[i + j] = mul_add(product[i + j], a[j], b[i], carry);
    product[i + 4] = carry;
  }
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < 8; ++i) acc[i] = add_carry(acc[i], product[i], carry);
  acc[8] += carry;
}

// acc / 2^256 modulo r, not yet fully reduced.
inline Limbs<5> montgomery_reduce(Wide& acc) noexcept {
  for (std::size_t i = 0; i < 4; ++i) {
    const std::uint64_t m = acc[i] * FrParams::kInverse;
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < 4; ++j) acc[i + j] = mul_add(acc[i + j], m, FrParams::kModulus[j], carry);
    std::uint64_t ripple = 0;
    acc[i + 4] = add_carry(acc[i + 4], carry, ripple);
    for (std::size_t j = i + 5; j < 9; ++j) acc[j] = add_carry(acc[j], 0, ripple);
  }
  return {acc[4], acc[5], acc[6], acc[7], acc[8]};
}

constexpr Limbs<5> shifted_modulus(unsigned shift) noexcept {
  const auto& r = FrParams::kModulus;
  if (shift == 0) return {r[0], r[1], r[2], r[3], 0};
  Limbs<5> out{};
  std::uint64_t low = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    out[i] = (r[i] << shift) | low;
    low = r[i] >> (64 - shift);
  }
  out[4] = low;
  return out;
}
constexpr Limbs<5> kShiftedModulus[] = {shifted_modulus(0), shifted_modulus(1), shifted_modulus(2),
                                        shifted_modulus(3), shifted_modulus(4)};

inline void subtract_if_not_below(Limbs<5>& value, const Limbs<5>& modulus) noexcept {
  Limbs<5> difference;
  if (sub_limbs(difference, value, modulus) == 0) value = difference;
}

// False until this file's initialisation has run; then the portable loop, with the same result, serves.
const bool g_use_adx = cpu_features().adx;

}  // namespace

void detail::accumulate_products_portable(Limbs<9>& acc, const Fr* a, const Fr* b, std::size_t n) noexcept {
  acc = {};
  for (std::size_t i = 0; i < n; ++i) accumulate(acc, a[i].montgomery(), b[i].montgomery());
}

Fr fr_dot(const Fr* a, const Fr* b, std::size_t n) noexcept {
  Wide acc;
  if (g_use_adx) {
    detail::accumulate_products_adx(acc, a, b, n);
  } else {
    detail::accumulate_products_portable(acc, a, b, n);
  }
  Limbs<5> value = montgomery_reduce(acc);
  // Below (0.46 n + 1) r: 2 r for n <= 2, 4 r for n <= 6, 8 r for n <= 15, 32 r for n <= 67.
  unsigned shift = n <= 2 ? 1 : n <= 6 ? 2 : n <= 15 ? 3 : 5;
  while (shift-- > 0) subtract_if_not_below(value, kShiftedModulus[shift]);
  return Fr::from_montgomery({value[0], value[1], value[2], value[3]});
}

}  // namespace cuzk
