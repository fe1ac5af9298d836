// A random circuit with parameters, for tests of the whole backend, and its proofs by the CPU.
#pragma once

#include <memory>
#include <string>

#include "cpu/cpu_backend.h"
#include "cpu/setup.h"
#include "cuda/cuda_backend.h"
#include "reference/random_circuit.h"
#include "reference/srs_buffer.h"

namespace cuzk::cuda {

struct CircuitFixture {
  explicit CircuitFixture(std::size_t num_constraints, bool plain = false)
      : spec{.num_constraints = num_constraints, .seed = 7, .public_outputs = false, .plain = plain},
        r1cs(reference::random_r1cs(spec)) {
    const Fr x = Fr::from_u64(4711).inverse();
    const Status made = setup(*r1cs, {x, x * x, x + x, x + Fr::one(), x - Fr::from_u64(5)}, srs);
    CUZK_CHECK(made.is_ok(), made.message());
  }
  Witness witness(std::uint64_t seed) const {
    return reference::random_witness(spec, reference::Values::edge_elements, seed);
  }
  // Fixed, not special.
  static Blinding blinding() { return {Fr::from_u64(3).inverse(), Fr::from_u64(5).inverse()}; }

  reference::CircuitSpec spec;
  std::shared_ptr<const R1cs> r1cs;
  reference::SrsBuffer srs;
};

// The 192 bytes, or the error.
inline std::string bytes_of(const Result<Proof>& proof) {
  if (!proof.is_ok()) return proof.status().to_string();
  const auto bytes = proof.value().encode();
  return {bytes.begin(), bytes.end()};
}

inline std::string prove_bytes(Backend& backend, ResidentCircuit& circuit, const Witness& witness) {
  ProveTimings timings;
  return bytes_of(backend.prove(circuit, witness, CircuitFixture::blinding(), timings));
}

inline std::string cpu_bytes(const CircuitFixture& fixture, const Witness& witness) {
  CpuBackend cpu;
  const auto circuit = cpu.load(fixture.srs.view(), fixture.r1cs);
  CUZK_CHECK(circuit.is_ok(), circuit.status().message());
  return prove_bytes(cpu, *circuit.value(), witness);
}

inline std::unique_ptr<CudaBackend> make_backend(int device = 0) {
  auto backend = CudaBackend::create(device);
  CUZK_CHECK(backend.is_ok(), backend.status().message());
  return std::move(backend).value();
}

}  // namespace cuzk::cuda
