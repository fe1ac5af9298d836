// The backend `cpu`: all cores of this machine, no other device.
//
// load() turns every query into the form that the machine's MSM reads. prove() evaluates the constraints, refuses a
// witness that does not satisfy them, computes the quotient h of (A B - C) by the vanishing polynomial, and sums the
// queries: h with scalars of full width, the others with the witness, nearly all of which is zeros and ones.
#pragma once

#include "groth16/backend.h"

namespace cuzk {

class CpuBackend final : public Backend {
 public:
  std::string_view name() const noexcept override { return "cpu"; }
  // What load() allocates, exactly but for a few tables; the parts on top are upper estimates.
  MemoryPlan plan(const CircuitShape& shape) const override;
  Result<std::unique_ptr<ResidentCircuit>> load(const SrsView& srs, std::shared_ptr<const R1cs> r1cs,
                                                ProgressObserver* progress = nullptr) override;
  Result<Proof> prove(ResidentCircuit& circuit, const Witness& witness, const Blinding& blinding,
                      ProveTimings& timings) override;
};

}  // namespace cuzk
