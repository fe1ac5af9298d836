// Which variables stand behind the points of a query, on the device.
//
// A query has points for some of the inputs, then for some of the aux variables, both by index. The bits of a witness are
// taken as they are, through a mask (ones.h); inputs and full elements are a list of (value, point).
#pragma once

#include <vector>

#include "cuda/msm/device_msm.h"
#include "cuda/msm/ones.h"
#include "cuda/r1cs/device_r1cs.h"

namespace cuzk::cuda {

// The same on the host, made by all cores: what goes with each value of a witness that has a point, in the order of the inputs,
// then of the full elements.
struct PointTable {
  PointTable(const R1cs& r1cs, const BitVector& inputs, const BitVector* aux);

  std::vector<std::uint32_t> index;   // of the value: inputs, then full elements by ordinal
  std::vector<std::uint32_t> points;  // of the point
  std::vector<std::uint32_t> rank;    // bits of `aux` in words before each word; none without `aux`
  std::uint32_t num_inputs = 0;       // that have a point
};

class QueryPoints {
 public:
  // `inputs` and `aux` say which variables have a point, a bit each; all aux have one if `aux` is null. Takes memory from
  // the arena; complete on return.
  QueryPoints(Arena& arena, const R1cs& r1cs, const BitVector& inputs, const BitVector* aux,
              cudaStream_t stream);
  // At least the bytes that the constructor takes.
  static std::size_t bytes(std::size_t num_inputs, std::size_t num_aux, std::size_t num_full) noexcept {
    return (num_aux / 64 + 1) * 12 + (num_inputs + num_full) * 8 + 4 * Arena::kAlignment;
  }

  const PointMask& mask() const noexcept { return mask_; }
  DeviceScalars scalars(const Fr* d_values) const noexcept {
    return {d_values, d_index_, d_points_, num_values_};
  }

 private:
  PointMask mask_{};
  const uint32_t* d_index_ = nullptr;
  const uint32_t* d_points_ = nullptr;
  std::size_t num_values_ = 0;
};

}  // namespace cuzk::cuda
