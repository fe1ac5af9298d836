#include "cuda/cuda_backend.h"

#include <mutex>
#include <new>
#include <set>
#include <string>

#include "cuda/cuda_circuit.h"
#include "cuda/msm/point_loader.h"
#include "cuda/runtime/memory_text.h"

namespace cuzk::cuda {

// All that a backend holds on its GPU besides the circuits. Its methods but status() and plan() are called within guarded().
class CudaBackend::State {
 public:
  explicit State(const DeviceInfo& device) : device_(device) {}

  const DeviceInfo& device() const noexcept { return device_; }
  cudaStream_t stream() const noexcept { return stream_->get(); }
  Arena& work() noexcept { return *work_; }
  Uploader& uploader() noexcept { return *uploader_; }

  void start() {
    stream_.emplace();
    uploader_.emplace();
  }

  // Runs `body` alone, with the device current, and turns exceptions into a Status.
  template <class Body>
  auto guarded(Body body) -> decltype(body());

  DeviceStatus status() const;
  MemoryPlan plan(const CircuitShape& shape) const;

  // Whether a circuit with `resident` bytes of its own and `work` bytes of work space fits beside the loaded ones.
  Status check_room(std::size_t resident, std::size_t work) const;
  // Makes the work space as large as the loaded circuits and `work` need. Throws CudaOutOfMemory; there is none then.
  void set_work(std::size_t work);
  // After a load() that failed; not within guarded().
  void give_back_work() {
    const std::lock_guard lock(mutex_);
    fit_work();
  }
  void add_circuit(std::size_t work) { work_needs_.insert(work); }
  // From the circuit's destructor, not within guarded(). `release` frees the circuit's memory.
  template <class Release>
  void remove_circuit(std::size_t work, Release release) {
    const std::lock_guard lock(mutex_);
    release();
    work_needs_.erase(work_needs_.find(work));
    fit_work();
  }

 private:
  std::size_t largest_need() const noexcept { return work_needs_.empty() ? 0 : *work_needs_.rbegin(); }
  std::string retired_because() const {
    const std::lock_guard lock(retired_mutex_);
    return retired_because_;
  }
  Status retired_status() const {
    return unavailable(device_.label() +
                       " is retired until the process is restarted, after: " + retired_because());
  }
  void retire(const std::string& because) {
    const std::lock_guard lock(retired_mutex_);
    if (retired_because_.empty()) retired_because_ = because;
  }
  // set_work() for the loaded circuits without a throw: what cannot be had now is asked for again by the next proof.
  void fit_work() noexcept;
  // After a failure: no work of it is left in the stream. Finds the sticky errors of such work.
  void settle() noexcept;

  const DeviceInfo device_;
  std::mutex mutex_;  // guards the members up to the next mutex, and the stream's work
  std::optional<Stream> stream_;
  std::optional<Uploader> uploader_;
  std::multiset<std::size_t> work_needs_;  // of the loaded circuits
  std::optional<Arena> work_;
  mutable std::mutex retired_mutex_;
  std::string retired_because_;
};

template <class Body>
auto CudaBackend::State::guarded(Body body) -> decltype(body()) {
  const std::lock_guard lock(mutex_);
  if (!retired_because().empty()) return retired_status();
  try {
    make_current(device_.index);
    return body();
  } catch (const CudaOutOfMemory& error) {
    settle();
    return resource_exhausted("GPU memory: " + shortage_text(error.bytes_asked(), error.bytes_free(),
                                                             device_.memory_bytes, device_.label()));
  } catch (const PinnedOutOfMemory& error) {
    settle();
    return resource_exhausted(std::string("pinned host memory: ") + error.what());
  } catch (const CudaError& error) {
    if (error.is_sticky()) {
      retire(error.what());
      return retired_status();
    }
    settle();
    return internal_error(device_.label() + ": " + error.what());
  } catch (const std::bad_alloc&) {
    settle();
    return resource_exhausted("not enough host memory");
  }
}

void CudaBackend::State::settle() noexcept {
  if (!stream_) return;
  const cudaError_t error = cudaStreamSynchronize(stream_->get());
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();
  if (CudaError::is_sticky(error)) retire(cudaGetErrorString(error));
}

DeviceStatus CudaBackend::State::status() const {
  DeviceStatus status;
  status.name = device_.name;
  status.uuid = device_.uuid;
  status.total_bytes = device_.memory_bytes;
  status.unusable_because = retired_because();
  status.usable = status.unusable_because.empty();
  if (!status.usable) return status;
  std::size_t free = 0, total = 0;
  if (cudaSetDevice(device_.index) == cudaSuccess && cudaMemGetInfo(&free, &total) == cudaSuccess) {
    status.free_bytes = free;
  } else {
    (void)cudaGetLastError();
  }
  return status;
}

MemoryPlan CudaBackend::State::plan(const CircuitShape& shape) const {
  constexpr std::size_t kTypicalBlocks = 16;
  MemoryPlan plan;
  plan.load_host = PointLoader::bytes();
  plan.load_device = PointLoader::bytes();
  try {
    make_current(device_.index);
    plan.shared_device = CudaCircuit::work_bytes(shape);
    plan.resident_device = CudaCircuit::resident_bytes(shape, kTypicalBlocks) + plan.shared_device;
  } catch (const CudaError&) {
    plan.resident_device = std::uint64_t{1} << 62;  // a GPU that fails has no room for anything
  }
  return plan;
}

Status CudaBackend::State::check_room(std::size_t resident, std::size_t work) const {
  std::size_t free = 0, total = 0;
  CUZK_CUDA_TRY(cudaMemGetInfo(&free, &total));
  const std::size_t given_back = work_ ? work_->capacity() : 0;  // before a larger one is taken
  const std::size_t needed = resident + PointLoader::bytes() + std::max(work, largest_need());
  if (needed <= free + given_back) return Status::ok();
  return resource_exhausted("GPU memory for a circuit: " +
                            shortage_text(needed, free + given_back, device_.memory_bytes, device_.label()));
}

void CudaBackend::State::set_work(std::size_t work) {
  const std::size_t wanted = std::max(work, largest_need());
  if (work_ && work_->capacity() == wanted) return;
  work_.reset();
  if (wanted != 0) work_.emplace(wanted);
}

void CudaBackend::State::fit_work() noexcept {
  try {
    make_current(device_.index);
    set_work(0);
  } catch (const CudaError&) {
  }
}

// A circuit that is counted in its backend's work space.
class CudaBackend::LoadedCircuit final : public ResidentCircuit {
 public:
  // Within guarded().
  LoadedCircuit(State& state, std::unique_ptr<CudaCircuit> circuit, std::size_t work)
      : state_(state), circuit_(std::move(circuit)), work_(work) {
    state_.add_circuit(work_);
  }
  ~LoadedCircuit() override {
    state_.remove_circuit(work_, [&] { circuit_.reset(); });
  }

  const R1cs& r1cs() const noexcept override { return circuit_->r1cs(); }
  const VerifyingKey& vk() const noexcept override { return circuit_->vk(); }
  const State* owner() const noexcept { return &state_; }
  const CudaCircuit& circuit() const noexcept { return *circuit_; }
  std::size_t work() const noexcept { return work_; }

 private:
  State& state_;
  std::unique_ptr<CudaCircuit> circuit_;
  std::size_t work_;
};

Result<std::unique_ptr<CudaBackend>> CudaBackend::create(int device) {
  CUZK_ASSIGN(std::vector<DeviceInfo> devices, visible_devices());
  if (device < 0 || static_cast<std::size_t>(device) >= devices.size()) {
    return unavailable("GPU " + std::to_string(device) + " of " + std::to_string(devices.size()) +
                       " does not exist");
  }
  DeviceInfo& info = devices[static_cast<std::size_t>(device)];
  if (info.usable()) probe_device(info);
  return create(info);
}

Result<std::unique_ptr<CudaBackend>> CudaBackend::create(const DeviceInfo& device) {
  if (!device.usable()) return unavailable(device.label() + ": " + device.unusable_because);
  auto state = std::make_unique<State>(device);
  CUZK_TRY(state->guarded([&] {
    state->start();
    return Status::ok();
  }));
  return std::unique_ptr<CudaBackend>(new CudaBackend(std::move(state)));
}

CudaBackend::CudaBackend(std::unique_ptr<State> state) : state_(std::move(state)) {}
CudaBackend::~CudaBackend() = default;

const DeviceInfo& CudaBackend::device() const noexcept {
  return state_->device();
}

MemoryPlan CudaBackend::plan(const CircuitShape& shape) const {
  return state_->plan(shape);
}

DeviceStatus CudaBackend::device_status() const {
  return state_->status();
}

Result<std::unique_ptr<ResidentCircuit>> CudaBackend::load(const SrsView& srs,
                                                           std::shared_ptr<const R1cs> r1cs,
                                                           ProgressObserver* progress) {
  const CircuitShape shape = CircuitShape::of(*r1cs);
  CUZK_TRY(srs.counts().check_equal(shape.srs));
  auto loaded = state_->guarded([&]() -> Result<std::unique_ptr<ResidentCircuit>> {
    const std::size_t work = CudaCircuit::work_bytes(shape);
    CUZK_TRY(state_->check_room(CudaCircuit::resident_bytes(shape, r1cs->blocks().size()), work));
    auto circuit = std::make_unique<CudaCircuit>(std::move(r1cs), shape, srs.vk, state_->stream());
    state_->set_work(work);
    CUZK_TRY(circuit->load_points(srs, progress, state_->stream()));
    return std::unique_ptr<ResidentCircuit>(
        std::make_unique<LoadedCircuit>(*state_, std::move(circuit), work));
  });
  if (!loaded.is_ok()) state_->give_back_work();
  return loaded;
}

Result<Proof> CudaBackend::prove(ResidentCircuit& circuit, const Witness& witness, const Blinding& blinding,
                                 ProveTimings& timings) {
  const auto* const loaded = dynamic_cast<const LoadedCircuit*>(&circuit);
  if (loaded == nullptr || loaded->owner() != state_.get())
    return invalid_argument("the circuit was not loaded by the backend cuda");
  CUZK_TRY(check_dimensions(loaded->r1cs(), witness));
  timings.clear();
  CUZK_ASSIGN(const QuerySums sums, state_->guarded([&] {
    state_->set_work(loaded->work());
    return loaded->circuit().prove(witness, state_->work(), state_->uploader(), timings, state_->stream());
  }));
  const PhaseTimer timer(timings, ProvePhase::assemble);
  return assemble(loaded->vk(), sums, blinding);
}

}  // namespace cuzk::cuda
