#include "groth16/assemble.h"

namespace cuzk {

Result<Proof> assemble(const VerifyingKey& vk, const QuerySums& sums, const Blinding& blinding) {
  const auto& [r, s] = blinding;
  const G1Projective alpha(vk.alpha_g1);
  const G1Projective beta(vk.beta_g1);
  const G1Projective delta(vk.delta_g1);

  const G1Projective a = alpha + delta.mul(r) + sums.a;
  const G2Projective b = G2Projective(vk.delta_g2).mul(s) + vk.beta_g2 + sums.b_g2;
  // s (alpha + a) + r (beta + b_g1) + r s delta
  const G1Projective c =
      sums.h + sums.l + (alpha + sums.a).mul(s) + (beta + sums.b_g1).mul(r) + delta.mul(r * s);

  const Proof proof{a.to_affine(), b.to_affine(), c.to_affine()};
  if (proof.a.is_infinity() || proof.b.is_infinity() || proof.c.is_infinity())
    return prover_fault("a point of the assembled proof is infinity");
  return proof;
}

}  // namespace cuzk
