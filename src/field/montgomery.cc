#include "field/montgomery.h"

#include "base/cpu_features.h"
#include "field/fp.h"
#include "field/fr.h"

namespace cuzk {
namespace {

// False until this file's initialisation has run, so a product made during static initialisation elsewhere
// takes the portable path, with the same result.
const bool g_use_adx = cpu_features().adx;

}  // namespace

void fp_mul_portable(Limbs<6>& out, const Limbs<6>& a, const Limbs<6>& b) noexcept {
  montgomery_mul<FpParams>(out, a, b);
}
void fr_mul_portable(Limbs<4>& out, const Limbs<4>& a, const Limbs<4>& b) noexcept {
  montgomery_mul<FrParams>(out, a, b);
}

void fp_mul(Limbs<6>& out, const Limbs<6>& a, const Limbs<6>& b) noexcept {
  if (g_use_adx) return fp_mul_adx(out, a, b);
  fp_mul_portable(out, a, b);
}
void fr_mul(Limbs<4>& out, const Limbs<4>& a, const Limbs<4>& b) noexcept {
  if (g_use_adx) return fr_mul_adx(out, a, b);
  fr_mul_portable(out, a, b);
}

}  // namespace cuzk
