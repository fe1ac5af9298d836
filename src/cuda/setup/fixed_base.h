// Many products with one point on the device, encoded as in a parameter file. The table is that of fixed_base_table.h.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/runtime/buffer.h"
#include "cuda/setup/fixed_base_table.h"
#include "field/fr.h"

namespace cuzk::cuda {

template <typename F>
class DeviceFixedBase {
 public:
  // Builds the table on the current device; complete on return. `base` is finite and in the subgroup of order r (checked for
  // infinity). Throws CudaOutOfMemory.
  DeviceFixedBase(const AffinePoint<F>& base, cudaStream_t stream);

  // Device bytes of a table.
  static constexpr std::size_t bytes() noexcept { return FixedBaseTable::kEntries * sizeof(AffinePoint<F>); }

  // The uncompressed encoding (curve/encoding.h) of scalars[i] times the base, one point after the other; infinity for zero.
  // Device memory: n scalars in Montgomery form, n points of sizeof(AffinePoint<F>) bytes aligned to 16. Enqueues and returns.
  void multiply(const Fr* d_scalars, std::size_t n, std::uint8_t* d_encoded, cudaStream_t stream) const;

 private:
  DeviceBuffer<AffinePoint<F>> table_;
};

extern template class DeviceFixedBase<Fp>;
extern template class DeviceFixedBase<Fp2>;

}  // namespace cuzk::cuda
