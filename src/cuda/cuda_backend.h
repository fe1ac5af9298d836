// The backend `cuda`: proofs on one GPU.
//
// load() puts the points of all queries, the constraint matrices and the tables of the transforms into the GPU's memory,
// where they stay. prove() uploads the compact witness, evaluates the constraints, refuses a witness that does not satisfy
// them, computes the quotient h, and sums the queries; only the five sums come back.
//
// Proofs on one GPU run one after the other in a work space that all its circuits share. Out of memory is
// resource_exhausted and leaves the backend usable. After an error that leaves the GPU's context unusable every call is
// refused with unavailable, naming the GPU and that error.
#pragma once

#include <memory>

#include "cuda/runtime/device_info.h"
#include "groth16/backend.h"

namespace cuzk::cuda {

class CudaBackend final : public Backend {
 public:
  // `device` is an index of list_devices(). unavailable if there is no such GPU or it cannot be used.
  static Result<std::unique_ptr<CudaBackend>> create(int device = 0);
  ~CudaBackend() override;

  const DeviceInfo& device() const noexcept;

  std::string_view name() const noexcept override { return "cuda"; }
  // Device bytes of the circuit and of the work space that it needs, by the same code that allocates them.
  MemoryPlan plan(const CircuitShape& shape) const override;
  Result<std::unique_ptr<ResidentCircuit>> load(const SrsView& srs, std::shared_ptr<const R1cs> r1cs,
                                                ProgressObserver* progress = nullptr) override;
  Result<Proof> prove(ResidentCircuit& circuit, const Witness& witness, const Blinding& blinding,
                      ProveTimings& timings) override;

 private:
  struct State;
  explicit CudaBackend(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace cuzk::cuda
