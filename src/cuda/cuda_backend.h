// The backend `cuda`: proofs on one GPU.
//
// load() puts the points of all queries, the constraint matrices and the tables of the transforms into the GPU's memory,
// where they stay. prove() uploads the compact witness, evaluates the constraints, refuses a witness that does not satisfy
// them, computes the quotient h, and sums the queries; only the five sums come back.
//
// Proofs on one GPU run one after the other in a work space that all its circuits share: as large as the largest that is loaded
// needs, given back with the last of them. Every call makes its GPU current for the calling thread; backends of different GPUs
// share nothing.
//
// Out of memory is resource_exhausted with the bytes needed and free; load() looks before it takes anything, and whatever a
// failed call took is given back. After an error that leaves the GPU's context unusable the GPU is retired: every call is
// refused with unavailable, naming the GPU and that error, and device_status() says so. Only a restart of the process helps
// (CUDA Runtime API, cudaErrorIllegalAddress and its like: "the process must be terminated and relaunched"); cudaDeviceReset
// would pull the memory away from whoever else in the process uses the GPU.
#pragma once

#include <memory>

#include "cuda/runtime/device_info.h"
#include "groth16/backend.h"

namespace cuzk::cuda {

class CudaBackend final : public Backend {
 public:
  // `device` is an index of visible_devices(). unavailable if there is no such GPU or it cannot be used.
  static Result<std::unique_ptr<CudaBackend>> create(int device = 0);
  // A device that select_devices() gave.
  static Result<std::unique_ptr<CudaBackend>> create(const DeviceInfo& device);
  ~CudaBackend() override;

  const DeviceInfo& device() const noexcept;

  std::string_view name() const noexcept override { return "cuda"; }
  // Device bytes of the circuit and of the work space that it needs, by the same code that allocates them.
  MemoryPlan plan(const CircuitShape& shape) const override;
  DeviceStatus device_status() const override;
  Result<std::unique_ptr<ResidentCircuit>> load(const SrsView& srs, std::shared_ptr<const R1cs> r1cs,
                                                ProgressObserver* progress = nullptr) override;
  Result<Proof> prove(ResidentCircuit& circuit, const Witness& witness, const Blinding& blinding,
                      ProveTimings& timings) override;

 private:
  class State;
  class LoadedCircuit;
  explicit CudaBackend(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace cuzk::cuda
