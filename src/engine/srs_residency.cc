// What of SrsManager is about circuits that are resident: making room, eviction, and the views that the scheduler and a status
// page have.
#include <algorithm>

#include "engine/circuit_id.h"
#include "engine/srs_manager.h"

namespace cuzk {

bool SrsManager::is_kept(const Circuit& circuit) const {
  return circuit.parameters->kind == ProofKind::winning || pinned_.contains(circuit.parameters);
}

std::uint64_t SrsManager::kept_bytes(const MemoryBudget& budget, const Circuit& except) const {
  std::uint64_t sum = 0;
  for (const auto& [parameters, circuit] : circuits_) {
    if (circuit.get() == &except || !is_kept(*circuit)) continue;
    if (&budget == &host_ && circuit->constraints != nullptr) sum += circuit->constraints->memory.bytes();
    for (std::size_t worker = 0; worker < devices_.size(); ++worker) {
      if (&budget == &host_) sum += circuit->slots[worker].host.bytes();
      if (&budget == devices_[worker].memory) sum += circuit->slots[worker].device.bytes();
    }
  }
  return sum;
}

std::optional<SrsManager::Victim> SrsManager::find_victim(const MemoryBudget& budget,
                                                          const Circuit* keep) const {
  Victim victim;
  std::uint64_t oldest = ~std::uint64_t{0};
  for (const auto& [parameters, circuit] : circuits_) {
    if (circuit.get() == keep || is_kept(*circuit)) continue;
    for (std::size_t worker = 0; worker < devices_.size(); ++worker) {
      const Slot& slot = circuit->slots[worker];
      const bool holds = &budget == &host_ ? slot.host.bytes() > 0 : &budget == devices_[worker].memory;
      if (slot.state != SlotState::resident || slot.users > 0 || !holds || slot.last_used >= oldest) continue;
      oldest = slot.last_used;
      victim = {circuit.get(), worker};
    }
  }
  if (victim.circuit == nullptr) return std::nullopt;
  return victim;
}

std::uint64_t SrsManager::evict_slot(std::unique_lock<std::mutex>& lock, Circuit& circuit,
                                     std::size_t worker) {
  Slot gone = std::move(circuit.slots[worker]);
  circuit.slots[worker] = Slot();
  ++circuit.evictions;
  std::uint64_t bytes = gone.host.bytes() + gone.device.bytes();
  std::shared_ptr<const Constraints> constraints;
  const bool is_used = std::any_of(circuit.slots.begin(), circuit.slots.end(),
                                   [](const Slot& slot) { return slot.state != SlotState::none; });
  if (!is_used) constraints = std::move(circuit.constraints);
  lock.unlock();
  if (constraints != nullptr) bytes += constraints->memory.bytes();
  gone.circuit.reset();
  constraints.reset();
  gone = Slot();
  note_(false, circuit_id(*circuit.parameters) + " is evicted from worker " + std::to_string(worker));
  changed_.notify_all();
  lock.lock();
  return bytes;
}

Result<Reservation> SrsManager::reserve(MemoryBudget& budget, const std::string& what, std::uint64_t bytes,
                                        const Circuit* keep) {
  for (;;) {
    Result<Reservation> reservation = budget.try_reserve(what, bytes);
    if (reservation.is_ok() || bytes > budget.limit_bytes()) return reservation;
    std::unique_lock lock(mutex_);
    const auto victim = find_victim(budget, keep);
    if (!victim) return reservation;
    evict_slot(lock, *victim->circuit, victim->worker);
  }
}

std::uint64_t SrsManager::idle_host_bytes(const Circuit* keep) const {
  std::uint64_t sum = 0;
  for (const auto& [parameters, circuit] : circuits_) {
    if (circuit.get() == keep || is_kept(*circuit)) continue;
    bool is_all_idle = true;
    for (const Slot& slot : circuit->slots) {
      const bool is_idle = slot.state == SlotState::resident && slot.users == 0;
      if (is_idle) sum += slot.host.bytes();
      is_all_idle = is_all_idle && (is_idle || slot.state == SlotState::none);
    }
    if (is_all_idle && circuit->constraints != nullptr) sum += circuit->constraints->memory.bytes();
  }
  return sum;
}

bool SrsManager::make_host_room(std::uint64_t bytes, const CircuitParameters* keep) {
  std::unique_lock lock(mutex_);
  const Circuit* const kept = keep == nullptr ? nullptr : &entry(*keep);
  const std::uint64_t free = host_.free_bytes();
  if (bytes > free && bytes - free > idle_host_bytes(kept)) return false;
  while (host_.free_bytes() < bytes) {
    const auto victim = find_victim(host_, kept);
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

// The shape is known.
bool SrsManager::fits(std::size_t worker, const Circuit& circuit) const {
  const Need need = need_of(worker, *circuit.shape);
  const std::uint64_t host = need.host + need.load + (circuit.constraints ? 0 : circuit.shape->r1cs_bytes);
  const MemoryBudget* const memory = devices_[worker].memory;
  return host <= host_.free_bytes() && (memory == nullptr || need.device <= memory->free_bytes());
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
  const std::lock_guard lock(mutex_);
  const Circuit& circuit = entry(parameters);
  status.pinned = is_kept(circuit);
  status.loads = circuit.loads;
  status.evictions = circuit.evictions;
  status.last_load_ms = circuit.last_load_ms;
  if (verdict.is_ok() && !circuit.last_refusal.is_ok()) {
    status.state = SrsState::refused;
    status.reason = circuit.last_refusal.message();
  }
  std::uint64_t held = circuit.constraints == nullptr ? 0 : circuit.constraints->memory.bytes();
  for (const Slot& slot : circuit.slots) {
    held += slot.host.bytes() + slot.device.bytes();
    status.users += slot.users;
    if (slot.state == SlotState::resident) status.tier = SrsTier::hot;
    if (slot.state == SlotState::loading && status.tier != SrsTier::hot) status.state = SrsState::loading;
  }
  if (status.tier == SrsTier::hot) {
    status.state = SrsState::ready;
    status.reason.clear();
    status.size_bytes = held;
  } else if (identity && is_in_page_cache(path)) {
    status.tier = SrsTier::warm;
  }
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
