#include "groth16/verify.h"

#include <string>

#include "base/thread_pool.h"
#include "curve/projective.h"
#include "curve/subgroup.h"
#include "groth16/blinding.h"

namespace cuzk {
namespace {

constexpr std::size_t kInputsPerTask = 16;

template <typename Affine>
Status check_point(const Affine& point, const char* name) {
  const char* fault = point.is_infinity()      ? "is infinity"
                      : !point.is_on_curve()   ? "is not on the curve"
                      : !is_in_subgroup(point) ? "is outside the subgroup of order r"
                                               : nullptr;
  if (fault == nullptr) return Status::ok();
  return invalid_argument(std::string("proof point ") + name + " " + fault);
}

Status check_count(const VerifyingKey& vk, std::span<const Fr> public_inputs) {
  if (public_inputs.size() == vk.num_public_inputs()) return Status::ok();
  return invalid_argument(std::to_string(public_inputs.size()) + " public inputs, the verifying key has " +
                          std::to_string(vk.num_public_inputs()));
}

Status check_points(const Proof& proof) {
  CUZK_TRY(check_point(proof.a, "A"));
  CUZK_TRY(check_point(proof.b, "B"));
  return check_point(proof.c, "C");
}

// scalars[0] ic[0] + scalars[1] ic[1] + ...; most scalars of a PoSt are short, which mul() makes use of.
G1Projective sum_ic(std::span<const G1Affine> ic, std::span<const Fr> scalars) {
  std::vector<G1Projective> products(ic.size());
  parallel_for(ic.size(), kInputsPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) products[i] = G1Projective(ic[i]).mul(scalars[i]);
  });
  G1Projective sum;
  for (const G1Projective& product : products) sum += product;
  return sum;
}

Result<std::vector<Fr>> random_coefficients(std::size_t n) {
  std::vector<Fr> coefficients(n);
  for (Fr& coefficient : coefficients) {
    CUZK_ASSIGN(const Fr full, random_fr());
    FrRepr repr = full.to_repr();
    repr[2] = repr[3] = 0;
    coefficient = Fr::from_repr_unchecked(repr);
  }
  return coefficients;
}

// Whether e(A, B) of all terms = e(alpha, beta) e(ic, gamma) e(c, delta).
bool equation_holds(const PreparedVerifyingKey& key, std::vector<PairingTerm> terms,
                    const G1Projective& alpha, const G1Projective& ic, const G1Projective& c) {
  terms.push_back({(-alpha).to_affine(), &key.beta()});
  terms.push_back({(-ic).to_affine(), &key.gamma()});
  terms.push_back({(-c).to_affine(), &key.delta()});
  return pairing_product_is_one(terms);
}

// Whether the equation holds for the sum over all statements of coefficient * statement.
bool combination_holds(const PreparedVerifyingKey& key, std::span<const ProofStatement> statements,
                       std::span<const Fr> coefficients) {
  const VerifyingKey& vk = key.vk();
  std::vector<G2Prepared> b;
  std::vector<PairingTerm> terms;
  b.reserve(statements.size());
  std::vector<Fr> inputs(vk.ic.size());
  G1Projective c;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const auto& [public_inputs, proof] = statements[i];
    b.emplace_back(proof.b);
    terms.push_back({G1Projective(proof.a).mul(coefficients[i]).to_affine(), &b.back()});
    inputs[0] += coefficients[i];
    for (std::size_t k = 0; k < public_inputs.size(); ++k)
      inputs[k + 1] += coefficients[i] * public_inputs[k];
    c += G1Projective(proof.c).mul(coefficients[i]);
  }
  return equation_holds(key, std::move(terms), G1Projective(vk.alpha_g1).mul(inputs[0]),
                        sum_ic(vk.ic, inputs), c);
}

}  // namespace

PreparedVerifyingKey::PreparedVerifyingKey(VerifyingKey vk)
    : vk_(std::move(vk)), beta_(vk_.beta_g2), gamma_(vk_.gamma_g2), delta_(vk_.delta_g2) {}

Result<InputCommitment> commit_inputs(const PreparedVerifyingKey& key, std::span<const Fr> public_inputs) {
  CUZK_TRY(check_count(key.vk(), public_inputs));
  std::vector<Fr> scalars{Fr::one()};
  scalars.insert(scalars.end(), public_inputs.begin(), public_inputs.end());
  return InputCommitment{sum_ic(key.vk().ic, scalars).to_affine()};
}

Status verify_committed(const PreparedVerifyingKey& key, const InputCommitment& inputs, const Proof& proof) {
  CUZK_TRY(check_points(proof));
  const G2Prepared b(proof.b);
  if (equation_holds(key, {{proof.a, &b}}, G1Projective(key.vk().alpha_g1), G1Projective(inputs.ic),
                     G1Projective(proof.c)))
    return Status::ok();
  return not_satisfied("the proof does not verify for these public inputs");
}

Status verify(const PreparedVerifyingKey& key, std::span<const Fr> public_inputs, const Proof& proof) {
  CUZK_ASSIGN(const InputCommitment inputs, commit_inputs(key, public_inputs));
  return verify_committed(key, inputs, proof);
}

Status verify_batch(const PreparedVerifyingKey& key, std::span<const ProofStatement> statements) {
  const auto name = [](std::size_t i) { return "proof " + std::to_string(i); };
  for (std::size_t i = 0; i < statements.size(); ++i) {
    Status status = check_count(key.vk(), statements[i].public_inputs);
    if (status.is_ok()) status = check_points(statements[i].proof);
    if (!status.is_ok()) return status.with_context(name(i));
  }
  CUZK_ASSIGN(const std::vector<Fr> coefficients, random_coefficients(statements.size()));
  if (combination_holds(key, statements, coefficients)) return Status::ok();
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const Status status = verify(key, statements[i].public_inputs, statements[i].proof);
    if (!status.is_ok()) return status.with_context(name(i));
  }
  return internal_error("the combined check fails although every single proof verifies");
}

}  // namespace cuzk
