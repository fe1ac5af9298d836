// The ate pairing e: G1 x G2 -> GT, the subgroup of order r of Fp12*, and products of pairings.
//
// e(P, Q) = conj(f_{|x|,Q}(P)) ^ (3 (p^12 - 1) / r): the cube of the plain reduced pairing, which is also the value of
// blst and zkcrypto. A cube of order r says the same about P and Q as the plain value.
//
// All points must be in their subgroups of order r (is_in_subgroup, or the decoders that check it); infinity is allowed
// and contributes 1. For other points nothing fails, but the value has no meaning.
#pragma once

#include <span>
#include <vector>

#include "curve/affine.h"
#include "field/fp12.h"

namespace cuzk {

// A line l(P) = c0 + (c1 x_P) v + (c4 y_P) v w up to a factor that the final exponentiation kills.
struct LineCoefficients {
  Fp2 c0;
  Fp2 c1;
  Fp2 c4;
};

// What the Miller loop needs of a point of G2: its 68 lines, 19.6 kB. Worth keeping for a point that is paired more than
// once, as those of a verifying key are. Immutable, so it may be shared by threads.
class G2Prepared {
 public:
  explicit G2Prepared(const G2Affine& point);

  bool is_infinity() const noexcept { return lines_.empty(); }
  // In the order of use; empty for infinity.
  std::span<const LineCoefficients> lines() const noexcept { return lines_; }

 private:
  std::vector<LineCoefficients> lines_;
};

// One factor e(p, *q) of a product. `q` must not be null and must outlive the call.
struct PairingTerm {
  G1Affine p;
  const G2Prepared* q;
};

// The product of conj(f_{|x|,q}(p)) over all terms, with shared squarings; one for no terms.
Fp12 miller_loop(std::span<const PairingTerm> terms) noexcept;
// value^(3 (p^12 - 1) / r), in the subgroup of order r; zero for zero.
Fp12 final_exponentiation(const Fp12& value) noexcept;
// e(p, q).
Fp12 pairing(const G1Affine& p, const G2Affine& q);
// Whether the product of all e(p, q) is one; true for no terms.
bool pairing_product_is_one(std::span<const PairingTerm> terms) noexcept;

}  // namespace cuzk
