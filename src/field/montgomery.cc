#include "field/montgomery.h"

#include "field/fp.h"
#include "field/fr.h"

namespace cuzk {
namespace {

// Coarsely integrated operand scanning: one row of a*b_i, then one row of reduction, N times. Both moduli
// leave the top bit of the top limb clear, so t never needs more than N + 1 limbs (Acar, Koc, Kaliski; the
// no-carry case).
template <typename Params>
inline void mul_portable(Limbs<Params::kLimbs>& out, const Limbs<Params::kLimbs>& a,
                         const Limbs<Params::kLimbs>& b) noexcept {
  constexpr std::size_t N = Params::kLimbs;
  std::uint64_t t[N + 1] = {};
  for (std::size_t i = 0; i < N; ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < N; ++j) t[j] = mul_add(t[j], a[j], b[i], carry);
    std::uint64_t overflow = 0;
    t[N] = add_carry(t[N], carry, overflow);
    const std::uint64_t m = t[0] * Params::kInverse;
    carry = 0;
    mul_add(t[0], m, Params::kModulus[0], carry);
    for (std::size_t j = 1; j < N; ++j) t[j - 1] = mul_add(t[j], m, Params::kModulus[j], carry);
    std::uint64_t top_carry = 0;
    t[N - 1] = add_carry(t[N], carry, top_carry);
    t[N] = overflow + top_carry;
  }
  Limbs<N> value;
  for (std::size_t i = 0; i < N; ++i) value[i] = t[i];
  Limbs<N> reduced;
  const std::uint64_t borrow = sub_limbs(reduced, value, Params::kModulus);
  out = (borrow > t[N]) ? value : reduced;
}

}  // namespace

void fp_mul_portable(Limbs<6>& out, const Limbs<6>& a, const Limbs<6>& b) noexcept {
  mul_portable<FpParams>(out, a, b);
}
void fr_mul_portable(Limbs<4>& out, const Limbs<4>& a, const Limbs<4>& b) noexcept {
  mul_portable<FrParams>(out, a, b);
}

void fp_mul(Limbs<6>& out, const Limbs<6>& a, const Limbs<6>& b) noexcept {
  fp_mul_portable(out, a, b);
}
void fr_mul(Limbs<4>& out, const Limbs<4>& a, const Limbs<4>& b) noexcept {
  fr_mul_portable(out, a, b);
}

}  // namespace cuzk
