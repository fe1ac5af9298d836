// What the engine says of itself: true figures, taken without waiting for any work. Plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/job.h"

namespace cuzk {

struct BudgetStatus {
  std::uint64_t used_bytes = 0;  // reserved
  std::uint64_t limit_bytes = 0;
};

struct WorkerStatus {
  int index = 0;
  std::string backend;  // "cpu", "cuda"
  std::string name;     // of the device: "NVIDIA H200"; of the processor for cpu
  std::string uuid;     // of the device, empty for cpu
  bool usable = true;
  std::string unusable_because;
  BudgetStatus memory;                   // of the device; zero for cpu
  std::uint64_t work_space_bytes = 0;    // of memory.used_bytes: what the proofs of all its circuits share
  std::uint64_t memory_total_bytes = 0;  // as the driver says; zero for cpu
  std::uint64_t memory_free_bytes = 0;
  std::string job_id;                     // in progress, or empty
  ProofKind job_kind = ProofKind::porep;  // of job_id
  int partition = -1;
  std::string phase;         // in progress, or empty
  std::uint64_t proofs = 0;  // made since start
  std::uint64_t faults =
      0;               // proofs that did not verify or failed half-way: above zero the device is suspect
  double busy_ms = 0;  // spent proving since start
};

enum class SrsTier { hot, warm, cold };  // resident on a worker; mapped or in the page cache; on disk
enum class SrsState { ready, loading, missing, invalid, refused };

// "hot", "warm", "cold"; "ready", "loading", "missing", "invalid", "refused": stable names in logs, JSON and metrics.
const char* srs_tier_name(SrsTier tier) noexcept;
const char* srs_state_name(SrsState state) noexcept;

// One circuit of those that this engine was asked to serve.
struct CircuitStatus {
  std::string circuit_id;  // "porep-32g", "wpost-32g", "winning-32g", "snap-32g", ... (docs/formats/grpc.md)
  ProofKind kind = ProofKind::porep;
  std::uint64_t sector_size = 0;
  SrsState state = SrsState::missing;
  std::string reason;  // why not ready: path, found, wanted; needed and free
  SrsTier tier = SrsTier::cold;
  // Held while resident, host and devices together, without the work spaces (WorkerStatus); of the file otherwise.
  std::uint64_t size_bytes = 0;
  std::uint32_t users = 0;  // proofs in progress that use it
  bool pinned = false;
  std::uint64_t loads = 0;
  std::uint64_t evictions = 0;
  double last_load_ms = 0;
};

struct KindCounts {
  ProofKind kind = ProofKind::porep;
  std::uint32_t pending = 0;
  std::uint32_t in_progress = 0;
  std::uint64_t submitted = 0, completed = 0, failed = 0, cancelled = 0;  // since start
};

struct EngineStatus {
  std::int64_t started_at_ms = 0;  // Unix time
  double uptime_ms = 0;
  // Every circuit to be preloaded has been resident, a worker is warm, and one is usable. Jobs are accepted before that.
  bool ready = false;
  std::string not_ready_because;  // empty if ready
  bool draining = false;
  BudgetStatus host_memory;
  std::uint64_t resident_set_bytes = 0;  // of the process, from the kernel
  std::uint32_t max_jobs = 0;            // queue limit
  std::vector<WorkerStatus> workers;
  std::vector<CircuitStatus> circuits;
  std::vector<KindCounts> kinds;          // one a kind, always all five
  std::uint64_t self_check_failures = 0;  // proofs made that did not verify
  std::uint64_t retries = 0;
  std::uint64_t recovered_jobs = 0;  // from the journal at start
};

}  // namespace cuzk
