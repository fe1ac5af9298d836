// The last step of a proof, shared by all backends: from the five sums over the queries to the three points.
#pragma once

#include "base/status.h"
#include "curve/projective.h"
#include "groth16/blinding.h"
#include "groth16/proof.h"
#include "groth16/verifying_key.h"

namespace cuzk {

// What the multi-scalar multiplications of a proof give: h over the quotient's coefficients, the others over the
// witness. `a` and `b` are without alpha, beta and the blinding.
struct QuerySums {
  G1Projective h;
  G1Projective l;
  G1Projective a;
  G1Projective b_g1;
  G2Projective b_g2;
};

//   A = alpha_g1 + r delta_g1 + a
//   B = beta_g2 + s delta_g2 + b_g2
//   C = h + l + s a + r b_g1 + r s delta_g1 + s alpha_g1 + r beta_g1
// (Groth, "On the size of pairing-based non-interactive arguments", eprint 2016/260, section 3.2.)
// prover_fault if one of the three is infinity, which no reader of proofs accepts; it takes a blinding of zeros or
// wrong sums. Pure; any thread.
Result<Proof> assemble(const VerifyingKey& vk, const QuerySums& sums, const Blinding& blinding);

}  // namespace cuzk
