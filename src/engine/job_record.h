// JobRecord: one job as the engine's threads share it. EngineCore's mutex guards all but the atomics and what never changes.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/memory_budget.h"
#include "engine/scheduler.h"
#include "groth16/proof.h"
#include "groth16/verify.h"

namespace cuzk {

using EngineClock = std::chrono::steady_clock;
using EngineTime = EngineClock::time_point;

std::int64_t unix_time_ms();

// A witness and the memory that is reserved for it.
struct HeldWitness {
  Reservation memory;  // given back after the witness is gone
  Witness witness;
};

// An input and the memory that is reserved for it.
struct HeldInput {
  Reservation memory;
  std::shared_ptr<const ProofInput> input;
};

// What a partition's proof will be verified against, and the key under which that is so.
struct CommittedStatement {
  std::shared_ptr<const PreparedVerifyingKey> key;
  InputCommitment inputs;
};

struct PartitionRecord {
  std::shared_ptr<const HeldWitness> witness;
  std::optional<CommittedStatement> statement;
  std::optional<Proof> proof;  // verified
  EngineTime waits_since{};    // the end of its last stage
  unsigned faults = 0;         // proofs of it that were wrong or could not be finished
  unsigned shortages = 0;      // times that a device had no memory
  unsigned preemptions = 0;
};

struct RunningSpan {
  std::string phase;
  int partition = -1;
  int worker = -1;
  EngineTime start;
};

struct JobRecord {
  // Fixed once the job is accepted.
  JobKey key = 0;
  std::string id;
  std::string request_id;
  Bytes32 content_digest{};
  ProofKind kind = ProofKind::porep;
  std::uint64_t sector_size = 0, miner_id = 0, sector_number = 0;
  Priority priority = Priority::normal;
  bool is_journaled = false;
  bool test_blinding = false;
  const CircuitParameters* circuit = nullptr;
  EngineTime accepted;
  std::int64_t accepted_at_ms = 0;

  std::shared_ptr<const HeldInput> held;  // until the job ends
  JobState state = JobState::queued;
  std::vector<PartitionRecord> partitions;
  unsigned partitions_done = 0;
  JobTimings timings;
  std::vector<PhaseSpan> spans;
  std::vector<RunningSpan> running;
  EngineTime queued_since;
  bool has_begun = false;                 // validation apart
  bool is_closing = false;                // its outcome is settled and is being written
  std::optional<JobError> error;          // of a job that fails
  std::optional<EngineTime> last_return;  // a backend's last
  std::int64_t finished_at_ms = 0;
  std::uint64_t version = 0;  // goes up with each change
  std::condition_variable changed;
  std::map<std::uint64_t, std::function<void(JobEvent)>> listeners;

  std::atomic<bool> stop{false};  // in-hand work is to be given up: the job fails or is cancelled
  bool is_cancelled = false;

  const ProofInput& input() const noexcept { return *held->input; }
  // What a client calls the partition of this index.
  int partition_number(unsigned index) const {
    return held == nullptr ? static_cast<int>(index) : static_cast<int>(held->input->partition_of(index));
  }
  double ms_since_accepted(EngineTime time) const;
  // Adds a stretch of work; the caller tells the others.
  const PhaseSpan& add_span(const std::string& phase, int partition, int worker, EngineTime begin,
                            EngineTime end);
  // The milliseconds up to `end` in which no span but `finish` was open: what nothing accounts for.
  double unexplained_ms(EngineTime end) const;
  // All but queue_position; spans and proof only if asked for.
  JobSnapshot snapshot(bool with_spans, bool with_proof) const;
};

}  // namespace cuzk
