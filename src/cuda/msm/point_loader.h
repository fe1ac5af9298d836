// From the encoded points of a parameter file to a table of points on the device.
//
// The bytes go through two pinned buffers in turn: while one is copied to the device and converted there, all cores
// fill the other. The conversion checks every point.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "base/status.h"
#include "cuda/runtime/buffer.h"
#include "cuda/runtime/stream.h"
#include "curve/affine.h"

namespace cuzk::cuda {

class PointLoader {
 public:
  explicit PointLoader(cudaStream_t stream);

  // Bytes that a loader holds on the device, and as many pinned on the host.
  static constexpr std::size_t bytes() noexcept { return kBuffers * kChunkBytes; }

  // Uncompressed encodings (curve/encoding.h), one after the other, to d_points, which has room for all. Every point must
  // be finite and on the curve with coordinates below p, and in G1 have x != 0, as in Bases::from_encoded;
  // invalid_argument names the first that is not, and why, or a wrong length. `progress` is called with the points done.
  Status load(std::span<const std::uint8_t> encoded, G1Affine* d_points,
              const std::function<void(std::size_t)>& progress);
  Status load(std::span<const std::uint8_t> encoded, G2Affine* d_points,
              const std::function<void(std::size_t)>& progress);

 private:
  static constexpr std::size_t kBuffers = 2;
  static constexpr std::size_t kChunkBytes = std::size_t{192} << 18;  // 48 MiB, whole points of both kinds

  template <class Affine>
  Status load_points(std::span<const std::uint8_t> encoded, Affine* d_points,
                     const std::function<void(std::size_t)>& progress);

  cudaStream_t stream_;
  PinnedBuffer<std::uint8_t> pinned_;
  DeviceBuffer<std::uint8_t> staged_;
  DeviceBuffer<unsigned long long> first_bad_;
  std::array<Event, kBuffers> done_;
};

}  // namespace cuzk::cuda
