// One circuit in the memory of a GPU, and a proof of it. Internal to src/cuda: failures of CUDA are exceptions here.
#pragma once

#include <array>
#include <optional>

#include "cuda/msm/device_msm.h"
#include "cuda/ntt/ntt.h"
#include "cuda/query_points.h"
#include "cuda/r1cs/device_r1cs.h"
#include "groth16/assemble.h"
#include "groth16/backend.h"

namespace cuzk::cuda {

class CudaCircuit final : public ResidentCircuit {
 public:
  // Puts everything but the points into device memory. `owner` tells one backend's circuits from another's. Throws
  // CudaError.
  CudaCircuit(const void* owner, std::shared_ptr<const R1cs> r1cs, VerifyingKey vk, cudaStream_t stream);

  // Device bytes of a circuit, and of the work space of its proofs.
  static std::size_t resident_bytes(const CircuitShape& shape, std::size_t num_blocks);
  static std::size_t work_bytes(const CircuitShape& shape);

  const R1cs& r1cs() const noexcept override { return *r1cs_; }
  const VerifyingKey& vk() const noexcept override { return vk_; }
  const void* owner() const noexcept { return owner_; }
  const CircuitShape& shape() const noexcept { return shape_; }

  // The points of all queries. Throws CudaError.
  Status load_points(const SrsView& srs, ProgressObserver* progress, cudaStream_t stream);

  // The sums of a proof; the witness has the circuit's dimensions. `work` has work_bytes(shape()) free. not_satisfied
  // names the first constraint that fails. Throws CudaError.
  Result<QuerySums> prove(const Witness& witness, Arena& work, ProveTimings& timings,
                          cudaStream_t stream) const;

 private:
  struct WitnessBuffers;
  template <class Affine>
  Affine* points(Query query) const noexcept;
  Status compute_quotient(const WitnessBuffers& witness, Fr* d_h, Arena& work, ProveTimings& timings,
                          cudaStream_t stream) const;
  template <class Affine>
  ProjectivePoint<typename Affine::Field> sum_query(Query query, const QueryPoints& map,
                                                    const WitnessBuffers& witness, Arena& work,
                                                    cudaStream_t stream) const;

  const void* owner_;
  std::shared_ptr<const R1cs> r1cs_;
  CircuitShape shape_;
  VerifyingKey vk_;
  Arena memory_;
  std::array<std::uint8_t*, kQueries.size()> d_queries_{};
  std::optional<DeviceDomain> domain_;
  std::optional<DeviceR1cs> matrices_;
  std::optional<QueryPoints> l_, a_, b_;
};

}  // namespace cuzk::cuda
