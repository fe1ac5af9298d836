// Circuits with parameters and expected proofs, made once per process, for the cases of the contract.
#pragma once

#include <memory>
#include <string>

#include "contract/contract.h"
#include "groth16/verify.h"
#include "reference/random_circuit.h"
#include "reference/srs_buffer.h"

// Ends a case with a verdict unless the condition holds.
#define CUZK_CONTRACT_EXPECT(condition, message)                                           \
  do {                                                                                     \
    if (!(condition))                                                                      \
      return internal_error(std::string(message) + " (" #condition ", " + __FILE__ + ":" + \
                            std::to_string(__LINE__) + ")");                               \
  } while (false)

namespace cuzk::contract {

using reference::CircuitSpec;
using reference::Values;

struct Circuit {
  CircuitSpec spec;
  std::shared_ptr<const R1cs> r1cs;
  reference::SrsBuffer srs;
  PreparedVerifyingKey key;
};

// Thread-safe; the answer lives as long as the process.
const Circuit& circuit(const CircuitSpec& spec);

// The reference's proof of random_witness(spec, values, value_seed).
const Proof& expected_proof(const CircuitSpec& spec, Values values, std::uint64_t value_seed,
                            const Blinding& blinding);

// A backend with one circuit loaded.
struct Loaded {
  std::unique_ptr<Backend> backend;
  std::unique_ptr<ResidentCircuit> resident;

  Result<Proof> prove(const Witness& witness, const Blinding& blinding) const;
};
Result<Loaded> load(const Subject& subject, const Circuit& circuit);

// Fixed, not special.
Blinding test_blinding(std::uint64_t seed = 0);

// Whether the proof is valid for the witness's inputs.
Status verify_for(const Circuit& circuit, const Witness& witness, const Proof& proof);

// Proves with the subject's backend, which must give the reference's bytes and a valid proof.
Status check_proof(const Loaded& loaded, const Circuit& circuit, Values values, std::uint64_t value_seed,
                   const Blinding& blinding);

// Whether a refusal has the code and all of the words.
Status check_refused(const Status& status, StatusCode code, std::initializer_list<std::string> words);

}  // namespace cuzk::contract
