#include "cuda/cuda_backend.h"

#include <mutex>
#include <string>

#include "cuda/cuda_circuit.h"
#include "cuda/msm/point_loader.h"

namespace cuzk::cuda {

struct CudaBackend::State {
  DeviceInfo device;
  std::mutex mutex;              // guards all below, and the stream's work
  std::optional<Stream> stream;  // made with its device current
  std::optional<Arena> work;     // for the largest circuit loaded so far
  std::string retired_because;

  // Runs `body` with the device current and turns exceptions into a Status. Locks.
  template <class Body>
  auto guarded(Body body) -> decltype(body());

  void reserve_work(std::size_t bytes) {
    if (work && work->capacity() >= bytes) return;
    work.reset();
    work.emplace(bytes);
  }
};

template <class Body>
auto CudaBackend::State::guarded(Body body) -> decltype(body()) {
  const std::lock_guard lock(mutex);
  if (!retired_because.empty()) {
    return unavailable("GPU " + std::to_string(device.index) + " (" + device.name +
                       ") is retired after: " + retired_because);
  }
  try {
    CUZK_CUDA_TRY(cudaSetDevice(device.index));
    return body();
  } catch (const CudaOutOfMemory& error) {
    return resource_exhausted(std::string("GPU memory: ") + error.what());
  } catch (const CudaError& error) {
    if (error.is_sticky()) retired_because = error.what();
    return internal_error(std::string("GPU ") + std::to_string(device.index) + ": " + error.what());
  } catch (const std::bad_alloc&) {
    return resource_exhausted("not enough host memory");
  }
}

Result<std::unique_ptr<CudaBackend>> CudaBackend::create(int device) {
  CUZK_ASSIGN(const std::vector<DeviceInfo> devices, list_devices());
  if (device < 0 || static_cast<std::size_t>(device) >= devices.size()) {
    return unavailable("GPU " + std::to_string(device) + " of " + std::to_string(devices.size()) +
                       " does not exist");
  }
  const DeviceInfo& info = devices[static_cast<std::size_t>(device)];
  if (!info.usable()) {
    return unavailable("GPU " + std::to_string(device) + " (" + info.name + "): " + info.unusable_because);
  }
  auto state = std::make_unique<State>();
  state->device = info;
  const Status status = state->guarded([&] {
    state->stream.emplace();
    return Status::ok();
  });
  if (!status.is_ok()) return status;
  return std::unique_ptr<CudaBackend>(new CudaBackend(std::move(state)));
}

CudaBackend::CudaBackend(std::unique_ptr<State> state) : state_(std::move(state)) {}
CudaBackend::~CudaBackend() = default;

const DeviceInfo& CudaBackend::device() const noexcept {
  return state_->device;
}

MemoryPlan CudaBackend::plan(const CircuitShape& shape) const {
  constexpr std::size_t kTypicalBlocks = 16;
  MemoryPlan plan;
  const Status status = state_->guarded([&] {
    plan.resident_device = CudaCircuit::resident_bytes(shape, kTypicalBlocks) +
                           DeviceDomain::table_bytes(shape.log_domain) + CudaCircuit::work_bytes(shape);
    return Status::ok();
  });
  // A retired GPU has no room for anything.
  if (!status.is_ok()) plan.resident_device = ~std::uint64_t{0};
  plan.load_host = PointLoader::bytes();
  return plan;
}

Result<std::unique_ptr<ResidentCircuit>> CudaBackend::load(const SrsView& srs,
                                                           std::shared_ptr<const R1cs> r1cs,
                                                           ProgressObserver* progress) {
  CUZK_TRY(srs.counts().check_equal(SrsCounts::of(*r1cs, r1cs->densities())));
  return state_->guarded([&]() -> Result<std::unique_ptr<ResidentCircuit>> {
    const cudaStream_t stream = state_->stream->get();
    auto circuit = std::make_unique<CudaCircuit>(state_.get(), std::move(r1cs), srs.vk, stream);
    state_->reserve_work(CudaCircuit::work_bytes(circuit->shape()));
    CUZK_TRY(circuit->load_points(srs, progress, stream));
    return std::unique_ptr<ResidentCircuit>(std::move(circuit));
  });
}

Result<Proof> CudaBackend::prove(ResidentCircuit& circuit, const Witness& witness, const Blinding& blinding,
                                 ProveTimings& timings) {
  const auto* const loaded = dynamic_cast<const CudaCircuit*>(&circuit);
  if (loaded == nullptr || loaded->owner() != state_.get())
    return invalid_argument("the circuit was not loaded by the backend cuda");
  CUZK_TRY(check_dimensions(loaded->r1cs(), witness));
  timings.clear();
  CUZK_ASSIGN(const QuerySums sums, state_->guarded([&] {
    return loaded->prove(witness, *state_->work, timings, state_->stream->get());
  }));
  const PhaseTimer timer(timings, ProvePhase::assemble);
  return assemble(loaded->vk(), sums, blinding);
}

}  // namespace cuzk::cuda
