// Groth16 straight from its formulas (docs/formats/params.md, proof.md): the slow twin that every backend is held to,
// byte for byte. Quadratic transforms, double and add; never optimised. For circuits of a few hundred constraints.
#pragma once

#include "groth16/backend.h"
#include "groth16/setup.h"
#include "reference/expanded_r1cs.h"

namespace cuzk::reference {

// scalar * point by double and add.
template <typename Projective>
Projective times(const Projective& point, const Fr& scalar) {
  const FrRepr bits = scalar.to_repr();
  Projective result;
  for (int i = 255; i >= 0; --i) {
    result = result.doubled();
    if ((bits[static_cast<std::size_t>(i) / 64] >> (i % 64)) & 1) result = result + point;
  }
  return result;
}

// Writes the parameters of a circuit. Nothing is checked.
Status slow_setup(const R1cs& r1cs, const ToxicWaste& toxic, SrsSink& sink);

// The backend `reference`.
class ReferenceBackend final : public Backend {
 public:
  std::string_view name() const noexcept override { return "reference"; }
  MemoryPlan plan(const CircuitShape& shape) const override;
  Result<std::unique_ptr<ResidentCircuit>> load(const SrsView& srs, std::shared_ptr<const R1cs> r1cs,
                                                ProgressObserver* progress) override;
  Result<Proof> prove(ResidentCircuit& circuit, const Witness& witness, const Blinding& blinding,
                      ProveTimings& timings) override;
};

}  // namespace cuzk::reference
