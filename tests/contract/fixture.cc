#include "contract/fixture.h"

#include <map>
#include <mutex>
#include <tuple>

#include "base/bytes.h"
#include "reference/reference_groth16.h"

namespace cuzk::contract {
namespace {

using SpecKey = std::tuple<std::size_t, std::uint64_t, bool, bool>;

SpecKey key_of(const CircuitSpec& spec) {
  return {spec.num_constraints, spec.seed, spec.public_outputs, spec.plain};
}

std::unique_ptr<Circuit> make_circuit(const CircuitSpec& spec) {
  const Fr x = Fr::from_u64(1000 + spec.num_constraints).inverse();
  const ToxicWaste toxic{x, x * x, x + Fr::one(), x + x, x - Fr::from_u64(9)};
  auto r1cs = reference::random_r1cs(spec);
  reference::SrsBuffer srs;
  const Status status = reference::slow_setup(*r1cs, toxic, srs);
  CUZK_CHECK(status.is_ok(), status.to_string());
  PreparedVerifyingKey key(srs.vk());
  return std::make_unique<Circuit>(Circuit{spec, std::move(r1cs), std::move(srs), std::move(key)});
}

Proof prove_by_reference(const Circuit& circuit, const Witness& witness, const Blinding& blinding) {
  reference::ReferenceBackend backend;
  auto resident = backend.load(circuit.srs.view(), circuit.r1cs, nullptr);
  CUZK_CHECK(resident.is_ok(), resident.status().to_string());
  ProveTimings timings;
  const Result<Proof> proof = backend.prove(*resident.value(), witness, blinding, timings);
  CUZK_CHECK(proof.is_ok(), proof.status().to_string());
  return proof.value();
}

std::string hex(const Proof& proof) {
  return to_hex(proof.encode());
}

}  // namespace

const Circuit& circuit(const CircuitSpec& spec) {
  static std::mutex mutex;
  static std::map<SpecKey, std::unique_ptr<Circuit>> made;
  const std::lock_guard lock(mutex);
  std::unique_ptr<Circuit>& entry = made[key_of(spec)];
  if (entry == nullptr) entry = make_circuit(spec);
  return *entry;
}

const Proof& expected_proof(const CircuitSpec& spec, Values values, std::uint64_t value_seed,
                            const Blinding& blinding) {
  const Circuit& of = circuit(spec);
  static std::mutex mutex;
  static std::map<std::tuple<SpecKey, Values, std::uint64_t, FrRepr, FrRepr>, Proof> made;
  const std::lock_guard lock(mutex);
  const auto key =
      std::make_tuple(key_of(spec), values, value_seed, blinding.r.to_repr(), blinding.s.to_repr());
  const auto known = made.find(key);
  if (known != made.end()) return known->second;
  const Witness witness = reference::random_witness(spec, values, value_seed);
  return made.emplace(key, prove_by_reference(of, witness, blinding)).first->second;
}

Result<Proof> Loaded::prove(const Witness& witness, const Blinding& blinding) const {
  ProveTimings timings;
  return backend->prove(*resident, witness, blinding, timings);
}

Result<Loaded> load(const Subject& subject, const Circuit& circuit) {
  Loaded loaded;
  loaded.backend = subject.make();
  CUZK_CONTRACT_EXPECT(loaded.backend->name() == subject.name, "another backend answers to the name");
  CUZK_ASSIGN(loaded.resident, loaded.backend->load(circuit.srs.view(), circuit.r1cs));
  return loaded;
}

Blinding test_blinding(std::uint64_t seed) {
  const Fr r = Fr::from_u64(seed + 12345).inverse();
  return {r, r.squared() + Fr::from_u64(seed)};
}

Status verify_for(const Circuit& circuit, const Witness& witness, const Proof& proof) {
  return verify(circuit.key, std::span(witness.inputs).subspan(1), proof);
}

Status check_proof(const Loaded& loaded, const Circuit& circuit, Values values, std::uint64_t value_seed,
                   const Blinding& blinding) {
  const Witness witness = reference::random_witness(circuit.spec, values, value_seed);
  CUZK_ASSIGN(const Proof proof, loaded.prove(witness, blinding));
  const Proof& wanted = expected_proof(circuit.spec, values, value_seed, blinding);
  CUZK_CONTRACT_EXPECT(proof == wanted, "the proof is " + hex(proof) + ", the reference's " + hex(wanted));
  return verify_for(circuit, witness, proof);
}

Status check_refused(const Status& status, StatusCode code, std::initializer_list<std::string> words) {
  CUZK_CONTRACT_EXPECT(status.code() == code,
                       "\"" + status.to_string() + "\" where " + status_code_name(code) + " is due");
  for (const std::string& word : words) {
    CUZK_CONTRACT_EXPECT(status.message().find(word) != std::string::npos,
                         "\"" + status.message() + "\" does not say \"" + word + "\"");
  }
  return Status::ok();
}

}  // namespace cuzk::contract
