// The ways in: what is known before a load, loads, leases. What is resident and how it goes: srs_residency.cc.
#include "engine/srs_manager.h"

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "base/stopwatch.h"
#include "engine/circuit_id.h"
#include "engine/guarded.h"
#include "srs/parameter_file.h"

namespace cuzk {
namespace {

constexpr std::uint64_t witness_bytes_of(const CircuitShape& shape) noexcept {
  return shape.num_aux / 8 + 8 + sizeof(Fr) * (shape.num_full + shape.num_inputs);
}

class LoadProgress final : public ProgressObserver {
 public:
  LoadProgress(const std::string& circuit, const SrsManager::Progress& told)
      : circuit_(circuit), told_(told) {}
  void progress(std::string_view step, std::uint64_t done, std::uint64_t total) override {
    if (told_) told_(circuit_, step, done, total);
  }

 private:
  const std::string& circuit_;
  const SrsManager::Progress& told_;
};

}  // namespace

std::uint64_t Constraints::witness_bytes() const noexcept {
  return witness_bytes_of(shape);
}

SrsLease::SrsLease(SrsLease&& other) noexcept
    : manager_(std::exchange(other.manager_, nullptr)),
      parameters_(other.parameters_),
      worker_(other.worker_),
      circuit_(other.circuit_) {}

SrsLease::~SrsLease() {
  if (manager_ != nullptr) manager_->give_back_lease(*parameters_, worker_);
}

SrsManager::SrsManager(std::filesystem::path params_dir, std::filesystem::path cache_dir, MemoryBudget& host,
                       std::vector<Device> devices, CircuitSet pinned, Note note, Progress progress)
    : cache_(std::move(cache_dir)),
      probe_(std::move(params_dir), cache_),
      host_(host),
      devices_(std::move(devices)),
      pinned_(std::move(pinned)),
      note_(std::move(note)),
      progress_(std::move(progress)),
      has_left_(devices_.size(), false) {
  for (const Device& device : devices_) device_memory_.emplace_back(device.memory);
}

SrsManager::~SrsManager() = default;

SrsManager::Circuit& SrsManager::entry(const CircuitParameters& parameters) {
  auto& circuit = circuits_[&parameters];
  if (circuit == nullptr) {
    circuit = std::make_unique<Circuit>();
    circuit->parameters = &parameters;
    circuit->slots.resize(devices_.size());
  }
  return *circuit;
}

SrsManager::Need SrsManager::need_of(std::size_t worker, const CircuitShape& shape) const {
  const auto key = std::make_tuple(worker, shape.num_aux, shape.r1cs_bytes);
  {
    const std::lock_guard lock(needs_mutex_);
    if (const auto known = needs_.find(key); known != needs_.end()) return known->second;
  }
  const MemoryPlan plan = devices_[worker].backend->plan(shape);
  const std::uint64_t work = std::min(plan.shared_device, plan.resident_device);
  const Need need{.host = plan.resident_host + plan.prove_host,
                  .load = plan.load_host,
                  .device = {.own = plan.resident_device - work, .work = work, .load = plan.load_device}};
  const std::lock_guard lock(needs_mutex_);
  needs_.emplace(key, need);
  return need;
}

CircuitShape SrsManager::shape_of(const Circuit& circuit, const SrsCounts& counts) {
  if (circuit.shape) return *circuit.shape;
  CircuitShape shape;
  shape.num_inputs = counts.ic;
  shape.num_aux = counts[Query::l];
  shape.log_domain = static_cast<unsigned>(std::bit_width(counts[Query::h]));
  shape.srs = counts;
  return shape;
}

Result<CircuitShape> SrsManager::known_shape(const CircuitParameters& circuit) {
  CUZK_ASSIGN(const SrsCounts counts, probe_.check(circuit));
  const std::lock_guard lock(mutex_);
  Circuit& known = entry(circuit);
  known.asked_for = true;
  return shape_of(known, counts);
}

Status SrsManager::check_worker(std::size_t worker, const Circuit& circuit, const CircuitShape& shape,
                                std::uint64_t beside_bytes) const {
  const std::string what = circuit_id(*circuit.parameters);
  const Need need = need_of(worker, shape);
  const std::uint64_t host =
      need.host + need.load + shape.r1cs_bytes + witness_bytes_of(shape) + beside_bytes;
  CUZK_TRY(host_.check_fits(what, host, kept_host_bytes(circuit)));
  return device_memory_[worker].check_fits(what, need.device, kept_shares(worker, circuit));
}

Status SrsManager::check_workers(const Circuit& circuit, const CircuitShape& shape,
                                 std::uint64_t beside_bytes) const {
  Status status = unavailable("there is no worker");
  for (std::size_t worker = 0; worker < devices_.size() && !status.is_ok(); ++worker) {
    if (!has_left_[worker]) status = check_worker(worker, circuit, shape, beside_bytes);
  }
  return status;
}

Status SrsManager::check(const CircuitParameters& circuit, std::uint64_t beside_bytes) {
  CUZK_ASSIGN(const CircuitShape shape, known_shape(circuit));
  const std::lock_guard lock(mutex_);
  return check_workers(entry(circuit), shape, beside_bytes);
}

SrsLoad SrsManager::load(int worker, const CircuitParameters& parameters) {
  const auto index = static_cast<std::size_t>(worker);
  std::unique_lock lock(mutex_);
  Circuit& circuit = entry(parameters);
  circuit.asked_for = true;
  changed_.wait(lock, [&] { return circuit.slots[index].state != SlotState::loading; });
  Slot& slot = circuit.slots[index];
  if (slot.state == SlotState::resident) {
    slot.evict_when_idle = false;
    return {.outcome = SrsLoad::Outcome::resident, .status = Status::ok(), .was_resident = true};
  }
  const SrsLoad lost{.outcome = SrsLoad::Outcome::device_lost,
                     .status = unavailable("worker " + std::to_string(worker) + " has left")};
  if (has_left_[index]) return lost;
  slot.state = SlotState::loading;
  lock.unlock();
  SrsLoad result = load_slot_guarded(index, circuit);
  lock.lock();
  if (result.outcome != SrsLoad::Outcome::resident) {
    slot.state = SlotState::none;
    const bool is_used = std::any_of(circuit.slots.begin(), circuit.slots.end(),
                                     [](const Slot& s) { return s.state != SlotState::none; });
    if (!is_used) circuit.constraints.reset();
  } else if (has_left_[index]) {
    evict_slot(lock, circuit, index);
    result = lost;
  }
  lock.unlock();
  changed_.notify_all();
  return result;
}

Result<std::shared_ptr<const Constraints>> SrsManager::record(Circuit& circuit, const ParameterFile& file) {
  const std::lock_guard recording(circuit.recording);
  {
    const std::lock_guard lock(mutex_);
    if (circuit.constraints != nullptr) return circuit.constraints;
  }
  CachedCircuit cached = cache_.get(*circuit.parameters);
  if (!cached.note.empty()) note_(true, "circuit cache: " + cached.note);
  auto constraints = std::make_shared<Constraints>(std::move(cached.r1cs));
  const Status counts = file.counts().check_equal(constraints->shape.srs);
  if (!counts.is_ok())
    return unavailable(probe_.path_of(*circuit.parameters).string() + ": " + counts.message());
  {
    const std::lock_guard lock(mutex_);
    circuit.shape = constraints->shape;
  }
  CUZK_ASSIGN(constraints->memory, reserve_host(circuit_id(*circuit.parameters) + " constraints",
                                                constraints->shape.r1cs_bytes, circuit));
  constraints->key = std::make_shared<const PreparedVerifyingKey>(file.vk());
  const std::lock_guard lock(mutex_);
  circuit.constraints = constraints;
  return circuit.constraints;
}

SrsLoad SrsManager::load_slot_guarded(std::size_t worker, Circuit& circuit) {
  SrsLoad result;
  const Status thrown = guarded(circuit_id(*circuit.parameters), [&] {
    result = load_slot(worker, circuit);
    return Status::ok();
  });
  if (thrown.is_ok()) return result;
  const bool is_memory = thrown.code() == StatusCode::resource_exhausted;
  return {.outcome = is_memory ? SrsLoad::Outcome::no_memory : SrsLoad::Outcome::device_error,
          .status = thrown};
}

SrsLoad SrsManager::check_load(std::size_t worker, const Circuit& circuit) {
  using Outcome = SrsLoad::Outcome;
  if (const DeviceStatus device = devices_[worker].backend->device_status(); !device.usable)
    return {.outcome = Outcome::device_lost, .status = unavailable(device.unusable_because)};
  const std::lock_guard lock(mutex_);
  if (!circuit.shape) return {};
  const Status ever = check_worker(worker, circuit, *circuit.shape);
  if (!ever.is_ok()) return {.outcome = Outcome::never_fits, .status = ever};
  const std::string name = circuit_id(*circuit.parameters);
  const std::uint64_t idle = idle_host_bytes(&circuit);
  const std::uint64_t host = host_bytes_to_load(worker, circuit);
  Status now = host <= idle || host_.check_free(name, host - idle).is_ok() ? Status::ok()
                                                                           : host_.check_free(name, host);
  if (now.is_ok()) {
    now = device_memory_[worker].check_free(name, need_of(worker, *circuit.shape).device,
                                            idle_shares(worker, circuit));
  }
  return {.outcome = now.is_ok() ? Outcome::resident : Outcome::no_memory, .status = now};
}

SrsLoad SrsManager::load_slot(std::size_t worker, Circuit& circuit) {
  using Outcome = SrsLoad::Outcome;
  // A failure that is remembered is given again without reading the file.
  Status status = probe_.check(*circuit.parameters).status();
  if (!status.is_ok()) return {.outcome = Outcome::parameters, .status = status};
  // Before it is opened: a file that takes its place meanwhile is not to blame.
  const auto identity = FileIdentity::of(probe_.path_of(*circuit.parameters));
  const Result<ParameterFile> file = ParameterFile::open(probe_.path_of(*circuit.parameters));
  if (!file.is_ok()) return {.outcome = Outcome::parameters, .status = file.status()};
  // A load that waits for memory comes again and again, and recording takes seconds.
  SrsLoad result = check_load(worker, circuit);
  if (result.outcome != Outcome::resident) return result;

  Stopwatch watch;
  const Result<std::shared_ptr<const Constraints>> constraints = record(circuit, file.value());
  const double record_ms = watch.elapsed_ms();
  if (constraints.is_ok()) {
    result = check_load(worker, circuit);
  } else {
    result.status = constraints.status();
    result.outcome =
        result.status.code() == StatusCode::resource_exhausted ? Outcome::no_memory : Outcome::parameters;
  }
  Slot loaded;
  watch.restart();
  if (result.outcome == Outcome::resident) result = load_on_backend(worker, circuit, file.value(), loaded);
  while (result.outcome == Outcome::device_full) {
    loaded = Slot();
    if (!make_device_room(worker, circuit)) break;
    result = load_on_backend(worker, circuit, file.value(), loaded);
  }
  result.record_ms = record_ms;
  result.load_ms = watch.elapsed_ms();
  if (result.outcome == Outcome::parameters)
    probe_.remember_failure(*circuit.parameters, identity, result.status);
  if (result.outcome != Outcome::resident) return result;
  const std::lock_guard lock(mutex_);
  loaded.state = SlotState::resident;
  loaded.last_used = ++clock_;
  circuit.slots[worker] = std::move(loaded);
  ++circuit.loads;
  circuit.last_load_ms = result.load_ms;
  return result;
}

SrsLoad SrsManager::load_on_backend(std::size_t worker, Circuit& circuit, const ParameterFile& file,
                                    Slot& loaded) {
  using Outcome = SrsLoad::Outcome;
  const std::string name = circuit_id(*circuit.parameters);
  std::shared_ptr<const Constraints> constraints;
  {
    const std::lock_guard lock(mutex_);
    constraints = circuit.constraints;
  }
  const Need need = need_of(worker, constraints->shape);
  Result<Reservation> host = reserve_host(name, need.host + need.load, circuit);
  if (!host.is_ok()) return {.outcome = Outcome::no_memory, .status = host.status()};
  loaded.host = std::move(host).value();
  Result<DeviceShare> device = take_device(worker, name, need.device, circuit);
  if (!device.is_ok()) return {.outcome = Outcome::no_memory, .status = device.status()};
  loaded.device = std::move(device).value();
  const std::shared_ptr<const R1cs> r1cs(constraints, &constraints->r1cs);
  LoadProgress progress(name, progress_);
  Result<std::unique_ptr<ResidentCircuit>> resident =
      devices_[worker].backend->load(file.view(), r1cs, &progress);
  if (resident.is_ok()) {
    loaded.circuit = std::move(resident).value();
    loaded.host.shrink_to(need.host);
    loaded.device.end_load();
    note_(false, name + " is resident on worker " + std::to_string(worker));
    return {};
  }
  const Status& status = resident.status();
  switch (status.code()) {
    case StatusCode::invalid_argument: {
      // The counts fit: a point of the file is damaged.
      const std::string path = probe_.path_of(*circuit.parameters).string();
      return {.outcome = Outcome::parameters, .status = unavailable(path + ": " + status.message())};
    }
    case StatusCode::resource_exhausted: {
      const bool has_device = devices_[worker].memory != nullptr;
      return {.outcome = has_device ? Outcome::device_full : Outcome::no_memory, .status = status};
    }
    case StatusCode::unavailable:
      return {.outcome = Outcome::device_lost, .status = status};
    default:
      return {.outcome = Outcome::device_error, .status = status};
  }
}

std::optional<SrsLease> SrsManager::lease(int worker, const CircuitParameters& parameters) {
  const std::lock_guard lock(mutex_);
  Slot& slot = entry(parameters).slots[static_cast<std::size_t>(worker)];
  if (slot.state != SlotState::resident || slot.evict_when_idle) return std::nullopt;
  ++slot.users;
  slot.last_used = ++clock_;
  return SrsLease(this, &parameters, worker, slot.circuit.get());
}

void SrsManager::give_back_lease(const CircuitParameters& parameters, int worker) {
  std::unique_lock lock(mutex_);
  Circuit& circuit = entry(parameters);
  Slot& slot = circuit.slots[static_cast<std::size_t>(worker)];
  CUZK_CHECK(slot.users > 0, "a lease is counted");
  --slot.users;
  slot.last_used = ++clock_;
  if (slot.users == 0 && slot.evict_when_idle) evict_slot(lock, circuit, static_cast<std::size_t>(worker));
}

std::shared_ptr<const Constraints> SrsManager::constraints(const CircuitParameters& circuit) {
  const std::lock_guard lock(mutex_);
  return entry(circuit).constraints;
}

}  // namespace cuzk
