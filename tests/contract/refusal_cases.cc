// The cases in which a refusal is due, or a proof that must not verify.
#include <algorithm>

#include "contract/fixture.h"
#include "curve/encoding.h"
#include "r1cs/evaluate.h"
#include "reference/reference_groth16.h"

namespace cuzk::contract {
namespace {

const CircuitSpec kSpec{.num_constraints = 33, .seed = 33};

// The same witness with bit variable `index` flipped.
Witness with_flipped_bit(const Witness& witness, std::size_t index) {
  Witness changed = witness;
  changed.bits = BitVector();
  for (std::size_t i = 0; i < witness.bits.size(); ++i)
    changed.bits.push_back(witness.bits[i] != (i == index));
  return changed;
}

Status check_unsatisfied(const Loaded& loaded, const Circuit& of, const Witness& witness) {
  const auto constraint = first_unsatisfied(*of.r1cs, witness);
  if (!constraint) return Status::ok();  // the variable did not matter
  return check_refused(loaded.prove(witness, test_blinding()).status(), StatusCode::not_satisfied,
                       {"constraint " + std::to_string(*constraint)});
}

Status unsatisfied_witness(const Subject& subject) {
  const Circuit& of = circuit(kSpec);
  CUZK_ASSIGN(const Loaded loaded, load(subject, of));
  CUZK_TRY(check_proof(loaded, of, Values::random_bits, 2, test_blinding()));
  const Witness good = reference::random_witness(kSpec, Values::random_bits, 1);
  const BitVector full = of.r1cs->full_mask();
  std::size_t refused = 0;
  for (std::size_t i = 0; i < full.size(); i += 3) {
    if (full[i]) continue;
    const Witness changed = with_flipped_bit(good, i);
    CUZK_TRY(check_unsatisfied(loaded, of, changed));
    refused += first_unsatisfied(*of.r1cs, changed).has_value() ? 1 : 0;
  }
  for (std::size_t i = 0; i < good.fulls.size(); ++i) {
    Witness changed = good;
    changed.fulls[i] += Fr::one();
    CUZK_TRY(check_unsatisfied(loaded, of, changed));
  }
  for (std::size_t i = 1; i < good.inputs.size(); ++i) {
    Witness changed = good;
    changed.inputs[i] = changed.inputs[i].doubled() + Fr::one();
    CUZK_TRY(check_unsatisfied(loaded, of, changed));
  }
  CUZK_CONTRACT_EXPECT(refused > 0 || good.fulls.size() > 3, "nothing was tried");
  return check_proof(loaded, of, Values::random_bits, 1, test_blinding());  // still usable
}

Status witness_of_another_circuit(const Subject& subject) {
  const Circuit& of = circuit(kSpec);
  CUZK_ASSIGN(const Loaded loaded, load(subject, of));
  const Witness good = reference::random_witness(kSpec, Values::random_bits, 1);
  const auto refused = [&](const Witness& witness, std::size_t found, std::size_t wanted) {
    return check_refused(loaded.prove(witness, test_blinding()).status(), StatusCode::invalid_argument,
                         {std::to_string(found), std::to_string(wanted)});
  };
  Witness changed = good;
  changed.inputs.push_back(Fr::one());
  CUZK_TRY(refused(changed, good.inputs.size() + 1, good.inputs.size()));
  changed.inputs.resize(good.inputs.size() - 1);
  CUZK_TRY(refused(changed, good.inputs.size() - 1, good.inputs.size()));
  changed = good;
  changed.bits.push_back(false);
  CUZK_TRY(refused(changed, good.bits.size() + 1, good.bits.size()));
  changed.bits.resize(good.bits.size() - 1);
  CUZK_TRY(refused(changed, good.bits.size() - 1, good.bits.size()));
  changed = good;
  changed.fulls.pop_back();
  CUZK_TRY(refused(changed, good.fulls.size() - 1, good.fulls.size()));
  CUZK_TRY(refused(Witness(), 0, good.inputs.size()));
  return check_proof(loaded, of, Values::random_bits, 1, test_blinding());
}

Status parameters_of_another_circuit(const Subject& subject) {
  const auto backend = subject.make();
  const Circuit& of = circuit(kSpec);
  for (const CircuitSpec& spec :
       {CircuitSpec{.num_constraints = 64, .seed = 64}, CircuitSpec{.num_constraints = 200, .seed = 200}}) {
    const Circuit& other = circuit(spec);
    const auto resident = backend->load(other.srs.view(), of.r1cs);
    CUZK_CONTRACT_EXPECT(!resident.is_ok(), "parameters of another circuit were loaded");
    CUZK_TRY(check_refused(resident.status(), StatusCode::invalid_argument, {"points, the circuit needs"}));
  }
  // One point more or less in a single query.
  for (const Query query : kQueries) {
    reference::SrsBuffer srs = of.srs;
    const std::size_t size = query_point_bytes(query);
    const std::size_t wanted = srs.bytes(query).size() / size;
    for (const std::size_t found : {wanted - 1, wanted + 1}) {
      srs.bytes(query).resize(found * size);
      CUZK_TRY(check_refused(backend->load(srs.view(), of.r1cs).status(), StatusCode::invalid_argument,
                             {std::string(query_name(query)) + " has " + std::to_string(found) + " points",
                              "needs " + std::to_string(wanted)}));
    }
  }
  return Status::ok();
}

Status damaged_parameters(const Subject& subject) {
  const auto backend = subject.make();
  const Circuit& of = circuit(kSpec);
  for (const Query query : kQueries) {
    const std::size_t size = query_point_bytes(query);
    const std::size_t count = of.srs.view()[query].size() / size;
    for (const std::size_t point : {std::size_t{0}, count / 2, count - 1}) {
      const auto refused = [&](const reference::SrsBuffer& srs) {
        return check_refused(backend->load(srs.view(), of.r1cs).status(), StatusCode::invalid_argument,
                             {std::string("query ") + query_name(query), std::to_string(point)});
      };
      for (const std::size_t byte : {std::size_t{0}, size / 2 - 1, size - 1}) {
        reference::SrsBuffer srs = of.srs;
        srs.bytes(query)[point * size + byte] ^= 0x80;
        CUZK_TRY(refused(srs));
      }
      reference::SrsBuffer srs = of.srs;
      const auto at = srs.bytes(query).begin() + static_cast<std::ptrdiff_t>(point * size);
      std::fill(at, at + static_cast<std::ptrdiff_t>(size), std::uint8_t{0});
      CUZK_TRY(refused(srs));
      *at = 0x40;  // infinity
      CUZK_TRY(refused(srs));
    }
  }
  return Status::ok();
}

// Valid points in wrong places cannot be seen at loading; the verifier sees them.
Status exchanged_parameters(const Subject& subject) {
  const Circuit& of = circuit(kSpec);
  const Witness witness = reference::random_witness(kSpec, Values::random_bits, 1);
  const auto check = [&](const reference::SrsBuffer& srs) -> Status {
    Loaded loaded;
    loaded.backend = subject.make();
    CUZK_ASSIGN(loaded.resident, loaded.backend->load(srs.view(), of.r1cs));
    CUZK_ASSIGN(const Proof proof, loaded.prove(witness, test_blinding()));
    return check_refused(verify_for(of, witness, proof), StatusCode::not_satisfied, {});
  };
  for (const Query query : kQueries) {
    reference::SrsBuffer srs = of.srs;
    const auto size = static_cast<std::ptrdiff_t>(query_point_bytes(query));
    // Every point moves by one place.
    std::rotate(srs.bytes(query).begin(), srs.bytes(query).begin() + size, srs.bytes(query).end());
    CUZK_TRY(check(srs));
  }
  reference::SrsBuffer srs = of.srs;
  srs.vk().delta_g1 = srs.vk().alpha_g1;
  CUZK_TRY(check(srs));
  srs = of.srs;
  srs.vk().beta_g2 = srs.vk().gamma_g2;
  return check(srs);
}

Status changed_statement(const Subject& subject) {
  const Circuit& of = circuit(kSpec);
  CUZK_ASSIGN(const Loaded loaded, load(subject, of));
  Witness witness = reference::random_witness(kSpec, Values::random_bits, 1);
  CUZK_ASSIGN(const Proof proof, loaded.prove(witness, test_blinding()));
  CUZK_TRY(verify_for(of, witness, proof));
  CUZK_CONTRACT_EXPECT(witness.inputs.size() > 1, "the circuit has no public input");
  for (std::size_t i = 1; i < witness.inputs.size(); ++i) {
    witness.inputs[i] += Fr::one();
    CUZK_TRY(check_refused(verify_for(of, witness, proof), StatusCode::not_satisfied, {}));
    witness.inputs[i] -= Fr::one();
  }
  auto bytes = of.key.vk().encode();
  for (std::size_t offset = 40; offset < bytes.size(); offset += 48) {
    bytes[offset] ^= 1;
    CUZK_TRY(check_refused(VerifyingKey::decode(bytes).status(), StatusCode::invalid_argument, {}));
    bytes[offset] ^= 1;
  }
  return Status::ok();
}

Status circuit_of_another_backend(const Subject& subject) {
  if (subject.name == "reference") return Status::ok();
  const Circuit& of = circuit(kSpec);
  reference::ReferenceBackend other;
  CUZK_ASSIGN(const auto resident, other.load(of.srs.view(), of.r1cs, nullptr));
  ProveTimings timings;
  const Witness witness = reference::random_witness(kSpec, Values::random_bits, 1);
  const auto backend = subject.make();
  return check_refused(backend->prove(*resident, witness, test_blinding(), timings).status(),
                       StatusCode::invalid_argument, {std::string(subject.name)});
}

}  // namespace

std::vector<Case> refusal_cases() {
  return {{"unsatisfied_witness", unsatisfied_witness},
          {"witness_of_another_circuit", witness_of_another_circuit},
          {"parameters_of_another_circuit", parameters_of_another_circuit},
          {"damaged_parameters", damaged_parameters},
          {"exchanged_parameters", exchanged_parameters},
          {"changed_statement", changed_statement},
          {"circuit_of_another_backend", circuit_of_another_backend}};
}

}  // namespace cuzk::contract
