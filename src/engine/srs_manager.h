// SrsManager: which circuits are resident on which worker, and the memory that they take.
//
// A circuit is loaded once however many ask for it at the same time. To make room, circuits that no proof uses are evicted, least
// recently used first; those of WinningPoSt and pinned ones never; none if that would not make room enough. All memory of a circuit is
// reserved before it is allocated, what its proofs need on top included, so a loaded circuit can always prove. A load that fails leaves
// nothing behind and counts nowhere.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

#include "circuit/circuit_cache.h"
#include "engine/device_memory.h"
#include "engine/engine_status.h"
#include "engine/memory_budget.h"
#include "engine/parameter_probe.h"
#include "engine/scheduler.h"
#include "groth16/backend.h"
#include "groth16/verify.h"

namespace cuzk {

// The constraints of a circuit, shared by its synthesis and by the workers.
struct Constraints {
  explicit Constraints(R1cs recorded) : r1cs(std::move(recorded)), shape(CircuitShape::of(r1cs)) {}

  const R1cs r1cs;
  const CircuitShape shape;
  std::shared_ptr<const PreparedVerifyingKey> key;
  Reservation memory;

  std::uint64_t witness_bytes() const noexcept;
};

class ParameterFile;
class SrsManager;

// Keeps a resident circuit from being evicted. Movable; must not outlive the manager.
class SrsLease {
 public:
  SrsLease(SrsLease&& other) noexcept;
  SrsLease& operator=(SrsLease&&) = delete;
  ~SrsLease();
  ResidentCircuit& circuit() const noexcept { return *circuit_; }

 private:
  friend class SrsManager;
  SrsLease(SrsManager* manager, const CircuitParameters* parameters, int worker, ResidentCircuit* circuit)
      : manager_(manager), parameters_(parameters), worker_(worker), circuit_(circuit) {}

  SrsManager* manager_;
  const CircuitParameters* parameters_;
  int worker_;
  ResidentCircuit* circuit_;
};

// How a load ended.
struct SrsLoad {
  enum class Outcome {
    resident,     // loaded, now or before
    parameters,   // the file cannot be used; stays so until it changes
    never_fits,   // not on this worker, whatever else goes
    no_memory,    // not at the moment
    device_full,  // not at the moment: the device has less than its budget, for other programs use it too
    device_lost,  // the worker is of no use any more
    device_error  // anything else that a device may say
  };
  Outcome outcome = Outcome::resident;
  Status status;
  bool was_resident = false;
  double record_ms = 0;  // constraints
  double load_ms = 0;    // parameters
};

// Thread-safe.
class SrsManager {
 public:
  struct Device {
    Backend* backend;
    MemoryBudget* memory;  // null for the processor
  };
  // All must outlive the manager. `note` is told of loads, evictions and of what the circuit cache says.
  using Note = std::function<void(bool is_warning, const std::string& text)>;
  // Of a load; may be empty.
  using Progress = std::function<void(const std::string& circuit_id, std::string_view step,
                                      std::uint64_t done, std::uint64_t total)>;

  SrsManager(std::filesystem::path params_dir, std::filesystem::path cache_dir, MemoryBudget& host,
             std::vector<Device> devices, CircuitSet pinned, Note note, Progress progress);
  ~SrsManager();

  // Whether a job for this circuit makes sense, without loading: the parameters (unavailable, with path and reason), and that they
  // and one witness fit on some worker beside what is never evicted and `beside_bytes` of host memory (resource_exhausted, needed
  // and limit). Before the first load the need is a lower bound.
  Status check(const CircuitParameters& circuit, std::uint64_t beside_bytes = 0);

  SrsLoad load(int worker, const CircuitParameters& circuit);
  // Nothing if it is not resident there.
  std::optional<SrsLease> lease(int worker, const CircuitParameters& circuit);
  // Null unless the circuit is resident or being loaded somewhere.
  std::shared_ptr<const Constraints> constraints(const CircuitParameters& circuit);
  // Evicts idle circuits, but not `keep`, until `bytes` of host memory are free. False, and none is evicted, if that would not be enough.
  bool make_host_room(std::uint64_t bytes, const CircuitParameters* keep);
  // engine.h, evict.
  Result<std::optional<std::uint64_t>> evict(const CircuitParameters& circuit);
  // Drops what a worker has, which has no leases. Nothing is loaded on it from here on: device_lost.
  void forget_worker(int worker);

  CircuitSet loaded() const;  // constraints() would give some
  // All but `blocked`, `served_elsewhere` and `is_alone`, for those of `circuits`.
  Scheduler::WorkerView view(int worker, const CircuitSet& circuits);
  bool is_resident(int worker, const CircuitParameters& circuit) const;
  // Whether it could be loaded without evicting anything, as far as that is known before its first load.
  bool may_fit(int worker, const CircuitParameters& circuit);
  // Resident or being loaded on this worker.
  bool serves(int worker, const CircuitParameters& circuit) const;
  // Of the device of this worker: the work space that its circuits share, which is in none of their rows.
  std::uint64_t work_space_bytes(int worker) const;
  // One row for each circuit of a registered sector size for which a file is there or has been asked for.
  std::vector<CircuitStatus> status();

 private:
  friend class SrsLease;
  enum class SlotState { none, loading, resident };
  struct Slot {
    SlotState state = SlotState::none;
    Reservation host;
    DeviceShare device;
    std::unique_ptr<ResidentCircuit> circuit;  // goes before what is reserved for it
    unsigned users = 0;
    std::uint64_t last_used = 0;
    bool evict_when_idle = false;
  };
  struct Circuit {
    const CircuitParameters* parameters = nullptr;
    std::optional<CircuitShape> shape;  // known since it was recorded first
    std::shared_ptr<const Constraints> constraints;
    std::mutex recording;  // one thread records
    std::vector<Slot> slots;
    bool asked_for = false;
    std::uint64_t loads = 0, evictions = 0;
    double last_load_ms = 0;
  };
  struct Victim {
    Circuit* circuit = nullptr;
    std::size_t worker = 0;
  };
  struct Need {
    std::uint64_t host = 0;  // constraints, resident part, proof, one witness
    std::uint64_t load = 0;  // on top while loading
    DeviceNeed device;
  };

  Circuit& entry(const CircuitParameters& parameters);
  bool is_kept(const Circuit& circuit) const;
  Need need_of(std::size_t worker, const CircuitShape& shape) const;
  // As recorded, or what the counts of the file say: a lower bound of everything. The mutex is held.
  static CircuitShape shape_of(const Circuit& circuit, const SrsCounts& counts);
  Result<CircuitShape> known_shape(const CircuitParameters& circuit);
  Result<std::shared_ptr<const Constraints>> record(Circuit& circuit, const ParameterFile& file);
  SrsLoad load_slot_guarded(std::size_t worker, Circuit& circuit);
  SrsLoad load_slot(std::size_t worker, Circuit& circuit);
  // Whether a load on this worker makes sense at this moment, as far as that is known before the circuit is recorded; `resident` if so.
  SrsLoad check_load(std::size_t worker, const Circuit& circuit);
  SrsLoad load_on_backend(std::size_t worker, Circuit& circuit, const ParameterFile& file, Slot& loaded);
  void give_back_lease(const CircuitParameters& parameters, int worker);

  // Below, the mutex is held.

  // On one worker, or on any: resource_exhausted, needed and limit, if it can never fit.
  Status check_worker(std::size_t worker, const Circuit& circuit, const CircuitShape& shape,
                      std::uint64_t beside_bytes = 0) const;
  Status check_workers(const Circuit& circuit, const CircuitShape& shape, std::uint64_t beside_bytes) const;
  bool fits(std::size_t worker, const Circuit& circuit) const;
  // Without its constraints if they are there; to be loaded on this worker.
  std::uint64_t host_bytes_to_load(std::size_t worker, const Circuit& circuit) const;
  std::uint64_t kept_host_bytes(const Circuit& except) const;
  std::vector<const DeviceShare*> kept_shares(std::size_t worker, const Circuit& except) const;
  static bool is_idle(const Slot& slot) noexcept {
    return slot.state == SlotState::resident && slot.users == 0;
  }
  // Not in use, not being loaded, resident or not: its constraints go with it.
  bool is_all_idle(const Circuit& circuit) const;
  std::uint64_t idle_host_bytes(const Circuit* keep) const;
  std::vector<const DeviceShare*> idle_shares(std::size_t worker, const Circuit& keep) const;
  std::optional<Victim> host_victim(const Circuit* keep) const;
  std::optional<Victim> device_victim(std::size_t worker, const Circuit& keep) const;
  template <typename Holds>
  std::optional<Victim> find_victim(const Circuit* keep, Holds holds) const;
  // Empties the slot; unlocks while the memory is given back. The bytes that were held.
  std::uint64_t evict_slot(std::unique_lock<std::mutex>& lock, Circuit& circuit, std::size_t worker);
  void fill_status(const Circuit& circuit, const Result<SrsCounts>& verdict, CircuitStatus& status) const;

  // Below, it is not.

  Result<Reservation> reserve_host(const std::string& what, std::uint64_t bytes, const Circuit& keep);
  Result<DeviceShare> take_device(std::size_t worker, const std::string& what, const DeviceNeed& need,
                                  const Circuit& keep);
  // The device, which other programs may use too, lacks the memory that the budget has: evicts an idle circuit if all of them together
  // would make room. False if none was evicted.
  bool make_device_room(std::size_t worker, const Circuit& circuit);
  CircuitStatus status_of(const CircuitParameters& parameters, const Result<SrsCounts>& verdict);

  const CircuitCache cache_;
  ParameterProbe probe_;
  MemoryBudget& host_;
  const std::vector<Device> devices_;
  std::deque<DeviceMemory> device_memory_;  // of each worker
  const CircuitSet pinned_;
  const Note note_;
  const Progress progress_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<const CircuitParameters*, std::unique_ptr<Circuit>> circuits_;
  std::uint64_t clock_ = 0;     // of uses
  std::vector<bool> has_left_;  // workers

  // A plan may have to wait for a device; each is made once.
  mutable std::mutex needs_mutex_;
  mutable std::map<std::tuple<std::size_t, std::size_t, std::size_t>, Need> needs_;
};

}  // namespace cuzk
