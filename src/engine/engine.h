// Engine: takes requests for proofs, and proves them on its workers until all are done.
//
//   request -> parse -> journal -> queue -> validate -> synthesize -> prove -> verify -> journal -> answer
//
// A worker is one backend: a GPU, or the processor. Each partition of a job is scheduled on its own: the synthesis of the next runs
// while a backend works, a job of higher priority goes first at the next partition, and jobs of the circuit that a worker has loaded
// are preferred among equals. Everything large is asked of a memory budget first. A proof is verified before anybody sees it.
//
// All methods are thread-safe. Errors are those of the Status codes, with one sentence each.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/engine_status.h"
#include "engine/job.h"
#include "engine/journal.h"
#include "engine/message_memory.h"
#include "engine/metrics.h"
#include "engine/proof_request.h"
#include "groth16/backend.h"

namespace cuzk {

struct EngineConfig {
  std::filesystem::path params_dir;
  std::filesystem::path circuit_cache_dir;  // empty: circuits are recorded each time
  std::uint64_t host_memory_limit_bytes =
      0;  // 0: nine tenths of what the machine or the control group allows
  std::uint64_t device_memory_reserve_bytes = 0;  // of each device, left to others
  std::uint32_t max_jobs = 256;                   // queued and running; more are refused
  std::uint32_t max_circuits = 30;                // witnesses in memory at once, at most
  std::chrono::milliseconds age_step{60'000};     // a waiting job gains one priority level each such time
  // A partition that will hold its backend for longer than this gives way to a critical job at the next phase boundary.
  std::chrono::milliseconds preempt_above{5'000};
  std::chrono::hours keep_results{168};
  std::vector<std::string> preload;  // circuit ids
  std::vector<std::string> pin;  // circuit ids that no load of another circuit evicts; winning ones never are
  bool warm_up = true;           // make one throw-away step on each backend before readiness
};

// In-process only; a daemon's client cannot ask for these.
struct JobOptions {
  bool test_blinding = false;  // the fixed r and s of test vectors (docs/formats/proof.md)
};

struct Submitted {
  std::string job_id;
  std::uint32_t queue_position = 0;
  bool is_known = false;  // the request id was there already with the same content
};

// Told of what happens, from the engine's threads; must not block and must not call the engine.
class EngineObserver {
 public:
  virtual ~EngineObserver() = default;
  // A stretch of work has ended.
  virtual void span_ended(const JobSnapshot& job, const PhaseSpan& span) = 0;
  // A job changed its state. The snapshot has no spans and no proof.
  virtual void job_changed(const JobSnapshot& job) = 0;
  // Everything else that an operator wants to read: loads, evictions, a retired GPU, a retry.
  enum class Level { info, warning, error };
  virtual void note(Level level, const std::string& text) = 0;
  // How far a load has come, as ProgressObserver says it.
  virtual void load_progress(const std::string& /*circuit_id*/, std::string_view /*step*/,
                             std::uint64_t /*done*/, std::uint64_t /*total*/) {}
};

enum class JobEvent { changed, ended, abandoned };  // the last two at most once, and nothing after them

// Ends when destroyed, which must be before the engine is; `told` is not running and not called any more when the destructor returns, so it is not to be destroyed from
// within `told`. `told` is called from the engine's threads, perhaps under a lock: it must not block and must not call the engine.
class Subscription {
 public:
  virtual ~Subscription() = default;
};

class Engine {
 public:
  // `backends` become the workers, in this order; at least one. `journal` may be null: nothing is durable then. `observer` may be
  // null and must outlive the engine. Recovers the journal's unfinished jobs and starts to work; preloading goes on in the background.
  static Result<std::unique_ptr<Engine>> create(EngineConfig config,
                                                std::vector<std::unique_ptr<Backend>> backends,
                                                std::unique_ptr<Journal> journal, EngineObserver* observer);
  // Stops at the next phase boundary; unfinished jobs stay in the journal.
  virtual ~Engine() = default;

  // Host memory for a message that was received and not read yet: `bytes` for what its ProofRequest will hold, and as much again. At
  // once or not at all: resource_exhausted, with needed, free and limit. Evicts idle circuits for it, which may take a second, but only
  // if that makes room. Goes to submit() or validate(), or is dropped; must not outlive the engine.
  virtual Result<MessageMemory> reserve_message(std::uint64_t bytes) = 0;
  // A submission that got no further than its server: counts among those refused.
  virtual void count_refused(ProofKind kind, StatusCode code) = 0;

  //   invalid_argument    parse_request's
  //   already_exists      the request id with other content
  //   resource_exhausted  the queue or the memory is full (needed, free and limit); retry_after_ms() says when to try again
  //   unavailable         the kind's parameters are missing or bad (path and reason), or the engine drains
  // A request id that is known gives its job again. Only the id of a failed or cancelled job may be used for another one. What `memory`
  // lacks for the request is reserved here.
  virtual Result<Submitted> submit(ProofRequest request, MessageMemory memory) = 0;
  Result<Submitted> submit(ProofRequest request) { return submit(std::move(request), MessageMemory()); }
  // An input of this process; not in the journal.
  virtual Result<Submitted> submit(std::shared_ptr<const ProofInput> input, Priority priority,
                                   JobOptions options) = 0;
  // A hint for a client that was refused with resource_exhausted or unavailable.
  virtual std::uint32_t retry_after_ms() const = 0;

  // The job when it is final, or as it is when the time is up or `stop_waiting` (polled; may be empty) says so. No timeout: waits for
  // ever. not_found: an id that is unknown, or forgotten.
  virtual Result<JobSnapshot> await(const std::string& job_id,
                                    std::optional<std::chrono::milliseconds> timeout,
                                    const std::function<bool()>& stop_waiting = {}) = 0;
  virtual Result<JobSnapshot> find(const std::string& job_id) = 0;
  // Unfinished jobs in the order of the queue, then the last `limit` finished ones, newest first. Without proofs.
  virtual std::vector<JobSnapshot> list(std::size_t limit) = 0;
  // Called with each new snapshot (state or phase) of a job until it is final, or until false is returned. Blocks. Snapshots are merged
  // when the receiver is slow, never queued.
  virtual Status watch(const std::string& job_id, const std::function<bool(const JobSnapshot&)>& receive) = 0;

  // The same without a thread that waits: `told` is called after each change of the job (find() then has it) until its end, once more
  // with `ended`, or with `abandoned` if the engine shuts down before that. An `ended` may come before this returns, from the calling
  // thread. not_found as in find().
  virtual Result<std::unique_ptr<Subscription>> subscribe(const std::string& job_id,
                                                          std::function<void(JobEvent)> told) = 0;

  // Queued: gone at once. Running: after the phase in progress. True if it was running; not_found; a final job is invalid_argument,
  // naming its state.
  virtual Result<bool> cancel(const std::string& job_id) = 0;
  // All faults of an input, without proving. invalid_argument if it cannot even be parsed. `memory` as in submit().
  virtual Result<std::vector<InputFinding>> validate(const ProofRequest& request, MessageMemory memory) = 0;
  Result<std::vector<InputFinding>> validate(const ProofRequest& request) {
    return validate(request, MessageMemory());
  }

  // Loads on every worker where it fits. True if it was resident already. not_found for an unknown circuit id.
  virtual Result<bool> preload(const std::string& circuit_id) = 0;
  // The bytes that it gave back; nothing if it was not resident. unavailable while proofs use it (they finish, then it is evicted).
  virtual Result<std::optional<std::uint64_t>> evict(const std::string& circuit_id) = 0;

  // drain: no new job is accepted, queued and running ones finish.
  virtual void drain() = 0;
  virtual void undrain() = 0;
  // True when no job is left within this time.
  virtual bool wait_idle(std::chrono::milliseconds timeout) = 0;
  // Accepts nothing, lets partitions that run finish, leaves queued jobs in the journal; waiters get unavailable. Returns within
  // `grace`, or at once at a second call, with what still runs cut off at the next phase boundary.
  virtual void shut_down(std::chrono::milliseconds grace) = 0;

  virtual EngineStatus status() const = 0;
  virtual MetricsSnapshot metrics() const = 0;
};

}  // namespace cuzk
