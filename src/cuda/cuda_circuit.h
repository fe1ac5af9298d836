// One circuit in the memory of a GPU, and a proof of it. Internal to src/cuda: failures of CUDA are exceptions here.
#pragma once

#include <array>
#include <optional>

#include "cuda/msm/device_msm.h"
#include "cuda/ntt/ntt.h"
#include "cuda/query_points.h"
#include "cuda/r1cs/device_r1cs.h"
#include "cuda/runtime/uploader.h"
#include "groth16/assemble.h"
#include "groth16/backend.h"

namespace cuzk::cuda {

class CudaCircuit {
 public:
  // Puts everything but the points into device memory. `shape` is that of `r1cs`. Throws CudaError.
  CudaCircuit(std::shared_ptr<const R1cs> r1cs, const CircuitShape& shape, VerifyingKey vk,
              cudaStream_t stream);

  // Device bytes of a circuit, and of the work space of its proofs.
  static std::size_t resident_bytes(const CircuitShape& shape, std::size_t num_blocks);
  static std::size_t work_bytes(const CircuitShape& shape);

  const R1cs& r1cs() const noexcept { return *r1cs_; }
  const VerifyingKey& vk() const noexcept { return vk_; }
  const CircuitShape& shape() const noexcept { return shape_; }

  // The points of all queries. Throws CudaError.
  Status load_points(const SrsView& srs, ProgressObserver* progress, cudaStream_t stream);

  // The sums of a proof; the witness has the circuit's dimensions. `work` has work_bytes(shape()) free. not_satisfied
  // names the first constraint that fails; cancelled as in Backend::prove(). Throws CudaError.
  Result<QuerySums> prove(const Witness& witness, Arena& work, Uploader& uploader, ProveTimings& timings,
                          cudaStream_t stream) const;

 private:
  struct WitnessBuffers;
  static std::size_t arena_bytes(const CircuitShape& shape, std::size_t num_blocks);
  template <class Affine>
  Affine* points(Query query) const noexcept;
  Status compute_quotient(const WitnessBuffers& witness, Fr* d_h, Arena& work, ProveTimings& timings,
                          cudaStream_t stream) const;
  template <class Affine>
  ProjectivePoint<typename Affine::Field> sum_query(Query query, const QueryPoints& map,
                                                    const WitnessBuffers& witness, Arena& work,
                                                    cudaStream_t stream) const;

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
