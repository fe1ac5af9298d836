// Verification: e(A, B) = e(alpha, beta) e(IC(x), gamma) e(C, delta), IC(x) = ic[0] + sum of x_i ic[i+1].
#pragma once

#include <span>
#include <vector>

#include "base/status.h"
#include "curve/pairing.h"
#include "field/fr.h"
#include "groth16/proof.h"
#include "groth16/verifying_key.h"

namespace cuzk {

// A verifying key and the Miller lines of its three G2 points; made once, shared by all threads.
class PreparedVerifyingKey {
 public:
  explicit PreparedVerifyingKey(VerifyingKey vk);

  const VerifyingKey& vk() const noexcept { return vk_; }
  const G2Prepared& beta() const noexcept { return beta_; }
  const G2Prepared& gamma() const noexcept { return gamma_; }
  const G2Prepared& delta() const noexcept { return delta_; }

 private:
  VerifyingKey vk_;
  G2Prepared beta_;
  G2Prepared gamma_;
  G2Prepared delta_;
};

// Success means valid. A proof need not come from Proof::decode: its points are checked here as well.
//   invalid_argument  the number of public inputs (without ONE) is not the key's, or a point is infinity, off the
//                     curve or outside the subgroup of order r
//   not_satisfied     the equation does not hold. Whoever has just made the proof reports this as prover_fault
// Any thread; parallel over the public inputs.
Status verify(const PreparedVerifyingKey& key, std::span<const Fr> public_inputs, const Proof& proof);

// IC(x) of one statement under one key: the part of the check that needs no proof.
struct InputCommitment {
  G1Affine ic;
};

// The work that grows with the number of public inputs (47,000 of a WindowPoSt of 32 GiB), so that it can be done while
// the proof is made. invalid_argument as for verify(). Any thread; parallel over the public inputs.
Result<InputCommitment> commit_inputs(const PreparedVerifyingKey& key, std::span<const Fr> public_inputs);

// As above, for a commitment under the same key; four pairings, whatever the statement.
Status verify_committed(const PreparedVerifyingKey& key, const InputCommitment& inputs, const Proof& proof);

// A proof and what it claims.
struct ProofStatement {
  std::span<const Fr> public_inputs;
  Proof proof;
};

// Whether all are valid, by one equation over a random combination of them (coefficients of 128 bits from the
// operating system, so a false statement passes with probability 2^-128): about half the time of single checks. A
// failure is that of the first invalid one, with its index. No statements: valid.
Status verify_batch(const PreparedVerifyingKey& key, std::span<const ProofStatement> statements);

}  // namespace cuzk
