#include "cuda/setup/cuda_setup.h"

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <string>

#include "base/check.h"
#include "cuda/runtime/stream.h"
#include "cuda/setup/fixed_base.h"
#include "groth16/setup_chunks.h"
#include "groth16/setup_scalars.h"

namespace cuzk::cuda {
namespace {

constexpr std::size_t kNumSlots = 3;
constexpr std::size_t kLargestPoint = 192, kSmallestPoint = 96;

constexpr std::size_t scalars_in(std::size_t chunk_bytes) noexcept {
  return chunk_bytes / kSmallestPoint;
}

// One chunk on its way: scalars up, points made, points down. The stream is destroyed first and waits for its work.
struct Slot {
  explicit Slot(std::size_t chunk_bytes)
      : d_scalars(scalars_in(chunk_bytes)),
        d_encoded(chunk_bytes),
        scalars(scalars_in(chunk_bytes)),
        encoded(chunk_bytes) {}

  DeviceBuffer<Fr> d_scalars;
  DeviceBuffer<std::uint8_t> d_encoded;
  PinnedBuffer<Fr> scalars;
  PinnedBuffer<std::uint8_t> encoded;
  Stream stream;
};

// The device's side of a setup.
class PointStream {
 public:
  explicit PointStream(std::size_t chunk_bytes)
      : chunk_bytes_(chunk_bytes),
        g1_(G1Affine::generator(), stream_.get()),
        g2_(G2Affine::generator(), stream_.get()) {
    for (std::unique_ptr<Slot>& slot : slots_) slot = std::make_unique<Slot>(chunk_bytes);
  }

  Status send(const SetupScalars& scalars, SrsSink& sink, ProgressObserver* progress) {
    const std::vector<SetupChunk> chunks = setup_chunks(scalars.counts(), chunk_bytes_);
    // Step i starts chunk i and passes on chunk i - kNumSlots + 1.
    for (std::size_t i = 0; i < chunks.size() + kNumSlots - 1; ++i) {
      if (i < chunks.size()) start(scalars, chunks[i], *slots_[i % kNumSlots]);
      if (i + 1 < kNumSlots) continue;
      const std::size_t done = i + 1 - kNumSlots;
      const SetupChunk& chunk = chunks[done];
      CUZK_TRY(pass_on(chunk, *slots_[done % kNumSlots], sink));
      if (progress != nullptr)
        progress->progress(query_name(chunk.query), chunk.begin + chunk.count, scalars.counts()[chunk.query]);
    }
    return Status::ok();
  }

 private:
  void start(const SetupScalars& scalars, const SetupChunk& chunk, Slot& slot) {
    const cudaStream_t stream = slot.stream.get();
    scalars.fill(chunk.query, chunk.begin, std::span(slot.scalars.data(), chunk.count));
    CUZK_CUDA_TRY(cudaMemcpyAsync(slot.d_scalars.data(), slot.scalars.data(), chunk.count * sizeof(Fr),
                                  cudaMemcpyHostToDevice, stream));
    if (chunk.query == Query::b_g2) {
      g2_.multiply(slot.d_scalars.data(), chunk.count, slot.d_encoded.data(), stream);
    } else {
      g1_.multiply(slot.d_scalars.data(), chunk.count, slot.d_encoded.data(), stream);
    }
    CUZK_CUDA_TRY(cudaMemcpyAsync(slot.encoded.data(), slot.d_encoded.data(),
                                  chunk.count * query_point_bytes(chunk.query), cudaMemcpyDeviceToHost,
                                  stream));
  }

  static Status pass_on(const SetupChunk& chunk, Slot& slot, SrsSink& sink) {
    slot.stream.synchronize();
    return sink.append(chunk.query,
                       std::span(slot.encoded.data(), chunk.count * query_point_bytes(chunk.query)));
  }

  std::size_t chunk_bytes_;
  Stream stream_;
  DeviceFixedBase<Fp> g1_;
  DeviceFixedBase<Fp2> g2_;
  std::array<std::unique_ptr<Slot>, kNumSlots> slots_;
};

Status run(const R1cs& r1cs, const ToxicWaste& toxic, SrsSink& sink, ProgressObserver* progress,
           std::size_t chunk_bytes) {
  PointStream points(chunk_bytes);  // before the scalars: too small a device shows at once
  CUZK_ASSIGN(const SetupScalars scalars, SetupScalars::compute(r1cs, toxic, progress));
  CUZK_TRY(sink.begin(scalars.verifying_key(), scalars.counts()));
  CUZK_TRY(points.send(scalars, sink, progress));
  return sink.finish();
}

}  // namespace

std::size_t setup_device_bytes(std::size_t chunk_bytes) noexcept {
  return DeviceFixedBase<Fp>::bytes() + DeviceFixedBase<Fp2>::bytes() + setup_pinned_bytes(chunk_bytes);
}

std::size_t setup_pinned_bytes(std::size_t chunk_bytes) noexcept {
  return kNumSlots * (scalars_in(chunk_bytes) * sizeof(Fr) + chunk_bytes);
}

Status setup(const R1cs& r1cs, const ToxicWaste& toxic, SrsSink& sink, ProgressObserver* progress,
             const DeviceInfo& device, std::size_t chunk_bytes) {
  CUZK_CHECK(chunk_bytes != 0 && chunk_bytes % kLargestPoint == 0, "a buffer of a setup holds whole points");
  const std::string gpu = "GPU " + std::to_string(device.index) + " (" + device.name + "): ";
  try {
    CUZK_CUDA_TRY(cudaSetDevice(device.index));
    return run(r1cs, toxic, sink, progress, chunk_bytes);
  } catch (const CudaError& error) {
    const std::string message = gpu + error.what();
    return error.code() == cudaErrorMemoryAllocation ? resource_exhausted(message) : internal_error(message);
  } catch (const std::bad_alloc&) {
    return resource_exhausted("not enough host memory");
  }
}

}  // namespace cuzk::cuda
