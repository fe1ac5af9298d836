// What of SrsManager is about circuits that are resident: making room, eviction, and the views that the scheduler and a status
// page have.
#include <algorithm>

#include "engine/circuit_id.h"
#include "engine/srs_manager.h"

namespace cuzk {

bool SrsManager::is_kept(const Circuit& circuit) const {
  return circuit.parameters->kind == ProofKind::winning || pinned_.contains(circuit.parameters);
}

std::uint64_t SrsManager::kept_host_bytes(const Circuit& except) const {
  std::uint64_t sum = 0;
  for (const auto& [parameters, circuit] : circuits_) {
    if (circuit.get() == &except || !is_kept(*circuit)) continue;
    if (circuit->constraints != nullptr) sum += circuit->constraints->memory.bytes();
    for (const Slot& slot : circuit->slots) sum += slot.host.bytes();
  }
  return sum;
}

std::vector<const DeviceShare*> SrsManager::kept_shares(std::size_t worker, const Circuit& except) const {
  std::vector<const DeviceShare*> shares;
  for (const auto& [parameters, circuit] : circuits_) {
    if (circuit.get() != &except && is_kept(*circuit)) shares.push_back(&circuit->slots[worker].device);
  }
  return shares;
}

bool SrsManager::is_all_idle(const Circuit& circuit) const {
  return std::all_of(circuit.slots.begin(), circuit.slots.end(),
                     [](const Slot& slot) { return slot.state == SlotState::none || is_idle(slot); });
}

template <typename Holds>
std::optional<SrsManager::Victim> SrsManager::find_victim(const Circuit* keep, Holds holds) const {
  Victim victim;
  std::uint64_t oldest = ~std::uint64_t{0};
  for (const auto& [parameters, circuit] : circuits_) {
    if (circuit.get() == keep || is_kept(*circuit)) continue;
    for (std::size_t worker = 0; worker < devices_.size(); ++worker) {
      const Slot& slot = circuit->slots[worker];
      if (!is_idle(slot) || !holds(*circuit, worker) || slot.last_used >= oldest) continue;
      oldest = slot.last_used;
      victim = {circuit.get(), worker};
    }
  }
  if (victim.circuit == nullptr) return std::nullopt;
  return victim;
}

std::optional<SrsManager::Victim> SrsManager::host_victim(const Circuit* keep) const {
  return find_victim(keep, [this](const Circuit& circuit, std::size_t worker) {
    const bool holds_constraints = circuit.constraints != nullptr && is_all_idle(circuit);
    return circuit.slots[worker].host.bytes() > 0 || holds_constraints;
  });
}

std::optional<SrsManager::Victim> SrsManager::device_victim(std::size_t worker, const Circuit& keep) const {
  return find_victim(&keep, [worker](const Circuit&, std::size_t other) { return other == worker; });
}

std::uint64_t SrsManager::evict_slot(std::unique_lock<std::mutex>& lock, Circuit& circuit,
                                     std::size_t worker) {
  Slot gone = std::move(circuit.slots[worker]);
  circuit.slots[worker] = Slot();
  ++circuit.evictions;
  std::uint64_t bytes = gone.host.bytes();
  std::shared_ptr<const Constraints> constraints;
  const bool is_used = std::any_of(circuit.slots.begin(), circuit.slots.end(),
                                   [](const Slot& slot) { return slot.state != SlotState::none; });
  if (!is_used) constraints = std::move(circuit.constraints);
  lock.unlock();
  if (constraints != nullptr) bytes += constraints->memory.bytes();
  gone.circuit.reset();
  bytes += gone.device.release();
  constraints.reset();
  gone = Slot();
  note_(false, circuit_id(*circuit.parameters) + " is evicted from worker " + std::to_string(worker));
  changed_.notify_all();
  lock.lock();
  return bytes;
}

Result<Reservation> SrsManager::reserve_host(const std::string& what, std::uint64_t bytes,
                                             const Circuit& keep) {
  for (;;) {
    Result<Reservation> reservation = host_.try_reserve(what, bytes);
    if (reservation.is_ok()) return reservation;
    std::unique_lock lock(mutex_);
    const std::uint64_t idle = idle_host_bytes(&keep);
    const bool is_enough = bytes <= idle || host_.check_free(what, bytes - idle).is_ok();
    const auto victim = is_enough ? host_victim(&keep) : std::nullopt;
    if (!victim) return reservation;
    evict_slot(lock, *victim->circuit, victim->worker);
  }
}

Result<DeviceShare> SrsManager::take_device(std::size_t worker, const std::string& what,
                                            const DeviceNeed& need, const Circuit& keep) {
  for (;;) {
    Result<DeviceShare> share = device_memory_[worker].try_take(what, need);
    if (share.is_ok()) return share;
    std::unique_lock lock(mutex_);
    const bool is_enough = device_memory_[worker].check_free(what, need, idle_shares(worker, keep)).is_ok();
    const auto victim = is_enough ? device_victim(worker, keep) : std::nullopt;
    if (!victim) return share;
    evict_slot(lock, *victim->circuit, victim->worker);
  }
}

bool SrsManager::make_device_room(std::size_t worker, const Circuit& circuit) {
  const std::uint64_t free = devices_[worker].backend->device_status().free_bytes;
  std::unique_lock lock(mutex_);
  const DeviceMemory& memory = device_memory_[worker];
  const DeviceNeed need = need_of(worker, *circuit.shape).device;
  const bool lacks_memory = memory.missing_bytes(need) > free;
  const bool is_enough = memory.missing_bytes(need, idle_shares(worker, circuit)) <= free;
  const auto victim = lacks_memory && is_enough ? device_victim(worker, circuit) : std::nullopt;
  if (victim) evict_slot(lock, *victim->circuit, victim->worker);
  return victim.has_value();
}

std::uint64_t SrsManager::idle_host_bytes(const Circuit* keep) const {
  std::uint64_t sum = 0;
  for (const auto& [parameters, circuit] : circuits_) {
    if (circuit.get() == keep || is_kept(*circuit)) continue;
    for (const Slot& slot : circuit->slots) {
      if (is_idle(slot)) sum += slot.host.bytes();
    }
    if (circuit->constraints != nullptr && is_all_idle(*circuit)) sum += circuit->constraints->memory.bytes();
  }
  return sum;
}

std::vector<const DeviceShare*> SrsManager::idle_shares(std::size_t worker, const Circuit& keep) const {
  std::vector<const DeviceShare*> shares;
  for (const auto& [parameters, circuit] : circuits_) {
    const Slot& slot = circuit->slots[worker];
    if (circuit.get() != &keep && !is_kept(*circuit) && is_idle(slot)) shares.push_back(&slot.device);
  }
  return shares;
}

bool SrsManager::make_host_room(std::uint64_t bytes, const CircuitParameters* keep) {
  std::unique_lock lock(mutex_);
  const Circuit* const kept = keep == nullptr ? nullptr : &entry(*keep);
  const std::uint64_t free = host_.free_bytes();
  if (bytes > free && bytes - free > idle_host_bytes(kept)) return false;
  while (host_.free_bytes() < bytes) {
    const auto victim = host_victim(kept);
    if (!victim) return false;
    evict_slot(lock, *victim->circuit, victim->worker);
  }
  return true;
}

Result<std::optional<std::uint64_t>> SrsManager::evict(const CircuitParameters& parameters) {
  std::unique_lock lock(mutex_);
  Circuit& circuit = entry(parameters);
  std::uint64_t bytes = 0;
  unsigned users = 0;
  bool was_resident = false;
  for (std::size_t worker = 0; worker < devices_.size(); ++worker) {
    Slot& slot = circuit.slots[worker];
    if (slot.state != SlotState::resident) continue;
    was_resident = true;
    users += slot.users;
    if (slot.users > 0) {
      slot.evict_when_idle = true;
    } else {
      bytes += evict_slot(lock, circuit, worker);
    }
  }
  if (users > 0) {
    return unavailable(circuit_id(parameters) + " is in use by " + std::to_string(users) +
                       " proofs and is evicted when they are done");
  }
  return was_resident ? std::optional<std::uint64_t>(bytes) : std::nullopt;
}

void SrsManager::forget_worker(int worker) {
  std::unique_lock lock(mutex_);
  has_left_[static_cast<std::size_t>(worker)] = true;
  for (auto& [parameters, circuit] : circuits_) {
    if (circuit->slots[static_cast<std::size_t>(worker)].state == SlotState::resident)
      evict_slot(lock, *circuit, static_cast<std::size_t>(worker));
  }
}

CircuitSet SrsManager::loaded() const {
  const std::lock_guard lock(mutex_);
  CircuitSet loaded;
  for (const auto& [parameters, circuit] : circuits_) {
    if (circuit->constraints != nullptr) loaded.insert(parameters);
  }
  return loaded;
}

bool SrsManager::serves(int worker, const CircuitParameters& circuit) const {
  const std::lock_guard lock(mutex_);
  const auto found = circuits_.find(&circuit);
  return found != circuits_.end() &&
         found->second->slots[static_cast<std::size_t>(worker)].state != SlotState::none;
}

bool SrsManager::is_resident(int worker, const CircuitParameters& circuit) const {
  const std::lock_guard lock(mutex_);
  const auto found = circuits_.find(&circuit);
  if (found == circuits_.end()) return false;
  const Slot& slot = found->second->slots[static_cast<std::size_t>(worker)];
  return slot.state == SlotState::resident && !slot.evict_when_idle;
}

// The shape is known, here and in fits.
std::uint64_t SrsManager::host_bytes_to_load(std::size_t worker, const Circuit& circuit) const {
  const Need need = need_of(worker, *circuit.shape);
  return need.host + need.load + (circuit.constraints ? 0 : circuit.shape->r1cs_bytes);
}

bool SrsManager::fits(std::size_t worker, const Circuit& circuit) const {
  return host_bytes_to_load(worker, circuit) <= host_.free_bytes() &&
         device_memory_[worker].check_free("", need_of(worker, *circuit.shape).device).is_ok();
}

bool SrsManager::may_fit(int worker, const CircuitParameters& parameters) {
  const std::lock_guard lock(mutex_);
  const Circuit& circuit = entry(parameters);
  return !circuit.shape || fits(static_cast<std::size_t>(worker), circuit);
}

Scheduler::WorkerView SrsManager::view(int worker, const CircuitSet& circuits) {
  const std::lock_guard lock(mutex_);
  const auto index = static_cast<std::size_t>(worker);
  Scheduler::WorkerView view;
  view.index = worker;
  for (const auto& [parameters, circuit] : circuits_) {
    const Slot& slot = circuit->slots[index];
    if (slot.state == SlotState::resident && !slot.evict_when_idle) view.resident.insert(parameters);
  }
  for (const CircuitParameters* parameters : circuits) {
    const Circuit& circuit = entry(*parameters);
    if (!circuit.shape || circuit.slots[index].state != SlotState::none) continue;
    if (!check_worker(index, circuit, *circuit.shape).is_ok()) view.refused.insert(parameters);
    if (fits(index, circuit)) view.fits.insert(parameters);
  }
  return view;
}

std::uint64_t SrsManager::work_space_bytes(int worker) const {
  return device_memory_[static_cast<std::size_t>(worker)].work_bytes();
}

void SrsManager::fill_status(const Circuit& circuit, const Result<SrsCounts>& verdict,
                             CircuitStatus& status) const {
  status.pinned = is_kept(circuit);
  status.loads = circuit.loads;
  status.evictions = circuit.evictions;
  status.last_load_ms = circuit.last_load_ms;
  std::uint64_t held = circuit.constraints == nullptr ? 0 : circuit.constraints->memory.bytes();
  bool is_loading = false;
  for (const Slot& slot : circuit.slots) {
    held += slot.host.bytes() + slot.device.own_bytes();
    status.users += slot.users;
    if (slot.state == SlotState::resident) status.tier = SrsTier::hot;
    is_loading = is_loading || slot.state == SlotState::loading;
  }
  if (status.tier == SrsTier::hot) {
    status.state = SrsState::ready;
    status.reason.clear();
    status.size_bytes = held;
  } else if (is_loading) {
    status.state = SrsState::loading;
  } else if (verdict.is_ok() && circuit.asked_for) {
    const Status fit = check_workers(circuit, shape_of(circuit, verdict.value()), 0);
    if (fit.code() != StatusCode::resource_exhausted) return;
    status.state = SrsState::refused;
    status.reason = fit.message();
  }
}

CircuitStatus SrsManager::status_of(const CircuitParameters& parameters, const Result<SrsCounts>& verdict) {
  CircuitStatus status;
  status.circuit_id = circuit_id(parameters);
  status.kind = parameters.kind;
  status.sector_size = parameters.shape->size_bytes;
  const std::filesystem::path path = probe_.path_of(parameters);
  const auto identity = FileIdentity::of(path);
  status.size_bytes = identity ? identity->size : 0;
  status.state = verdict.is_ok() ? SrsState::ready : identity ? SrsState::invalid : SrsState::missing;
  status.reason = verdict.status().message();
  {
    const std::lock_guard lock(mutex_);
    fill_status(entry(parameters), verdict, status);
  }
  // Reads the file: not with the mutex, for which every decision waits.
  if (status.tier != SrsTier::hot && identity && is_in_page_cache(path)) status.tier = SrsTier::warm;
  return status;
}

std::vector<CircuitStatus> SrsManager::status() {
  struct Row {
    const CircuitParameters* parameters;
    bool is_known;
  };
  std::vector<Row> rows;
  std::set<std::uint64_t> sizes;
  for (const CircuitParameters& parameters : all_circuit_parameters()) {
    const bool has_file = FileIdentity::of(probe_.path_of(parameters)).has_value();
    const std::lock_guard lock(mutex_);
    const auto found = circuits_.find(&parameters);
    const bool is_known = has_file || (found != circuits_.end() && found->second->asked_for);
    if (is_known) sizes.insert(parameters.shape->size_bytes);
    rows.push_back({&parameters, is_known});
  }
  std::vector<CircuitStatus> result;
  for (const Row& row : rows) {
    const bool is_sibling = sizes.contains(row.parameters->shape->size_bytes) &&
                            row.parameters->kind != ProofKind::update_poseidon;
    if (row.is_known || is_sibling)
      result.push_back(status_of(*row.parameters, probe_.check(*row.parameters)));
  }
  return result;
}

}  // namespace cuzk
