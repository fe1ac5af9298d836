// SrsManager: which circuits are resident on which worker, and the memory that they take.
//
// A circuit is loaded once however many ask for it at the same time. To make room, circuits that no proof uses are evicted, least
// recently used first; those of WinningPoSt and pinned ones never. All memory of a circuit is reserved before it is allocated, what
// its proofs need on top included, so a loaded circuit can always prove. A load that fails leaves nothing behind and counts nowhere.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

#include "circuit/circuit_cache.h"
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
  // Drops what a worker has. It has no leases.
  void forget_worker(int worker);

  CircuitSet loaded() const;  // constraints() would give some
  // All but `blocked`, `served_elsewhere` and `is_alone`, for those of `circuits`.
  Scheduler::WorkerView view(int worker, const CircuitSet& circuits);
  bool is_resident(int worker, const CircuitParameters& circuit) const;
  // Whether it could be loaded without evicting anything, as far as that is known before its first load.
  bool may_fit(int worker, const CircuitParameters& circuit);
  // Resident or being loaded on this worker.
  bool serves(int worker, const CircuitParameters& circuit) const;
  // One row for each circuit of a registered sector size for which a file is there or has been asked for.
  std::vector<CircuitStatus> status();

 private:
  friend class SrsLease;
  enum class SlotState { none, loading, resident };
  struct Slot {
    SlotState state = SlotState::none;
    std::unique_ptr<ResidentCircuit> circuit;
    Reservation host, device;
    unsigned users = 0;
    std::uint64_t last_used = 0;
    bool evict_when_idle = false;
  };
  struct Circuit {
    const CircuitParameters* parameters = nullptr;
    std::optional<CircuitShape> shape;  // known since the first load
    std::shared_ptr<const Constraints> constraints;
    std::mutex recording;  // one thread records
    std::vector<Slot> slots;
    bool asked_for = false;
    std::uint64_t loads = 0, evictions = 0;
    double last_load_ms = 0;
    Status last_refusal;  // never_fits
  };
  struct Victim {
    Circuit* circuit = nullptr;
    std::size_t worker = 0;
  };
  struct Need {
    std::uint64_t host = 0;  // constraints, resident part, proof, one witness
    std::uint64_t load = 0;  // on top while loading
    std::uint64_t device = 0;
  };

  Circuit& entry(const CircuitParameters& parameters);
  bool is_kept(const Circuit& circuit) const;
  Need need_of(std::size_t worker, const CircuitShape& shape) const;
  Result<CircuitShape> known_shape(const CircuitParameters& circuit);
  Status check_worker(std::size_t worker, const Circuit& circuit, const CircuitShape& shape,
                      std::uint64_t beside_bytes = 0) const;
  bool fits(std::size_t worker, const Circuit& circuit) const;
  std::uint64_t kept_bytes(const MemoryBudget& budget, const Circuit& except) const;
  Result<std::shared_ptr<const Constraints>> record(Circuit& circuit, const ParameterFile& file);
  SrsLoad load_slot_guarded(std::size_t worker, Circuit& circuit);
  SrsLoad load_slot(std::size_t worker, Circuit& circuit);
  SrsLoad load_on_backend(std::size_t worker, Circuit& circuit, const ParameterFile& file, Slot& loaded);
  Result<Reservation> reserve(MemoryBudget& budget, const std::string& what, std::uint64_t bytes,
                              const Circuit* keep);
  std::uint64_t idle_host_bytes(const Circuit* keep) const;
  std::optional<Victim> find_victim(const MemoryBudget& budget, const Circuit* keep) const;
  // Empties the slot; unlocks while the memory is given back. The bytes that were held.
  std::uint64_t evict_slot(std::unique_lock<std::mutex>& lock, Circuit& circuit, std::size_t worker);
  void give_back_lease(const CircuitParameters& parameters, int worker);
  CircuitStatus status_of(const CircuitParameters& parameters, const Result<SrsCounts>& verdict);

  const CircuitCache cache_;
  ParameterProbe probe_;
  MemoryBudget& host_;
  const std::vector<Device> devices_;
  const CircuitSet pinned_;
  const Note note_;
  const Progress progress_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<const CircuitParameters*, std::unique_ptr<Circuit>> circuits_;
  std::uint64_t clock_ = 0;  // of uses

  // A plan may have to wait for a device; each is made once.
  mutable std::mutex needs_mutex_;
  mutable std::map<std::tuple<std::size_t, std::size_t, std::size_t>, Need> needs_;
};

}  // namespace cuzk
