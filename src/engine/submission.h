// Submission: what happens to a request before it is a job. In this order: a known request id gives its job again; a place in the
// queue; memory for the message, unless it came with that; parsing; the parameters; the journal; the queue.
#pragma once

#include <atomic>
#include <mutex>

#include "engine/engine_core.h"
#include "engine/message_memory.h"

namespace cuzk {

class Submission {
 public:
  explicit Submission(EngineCore& core) : core_(core) {}

  // engine.h, reserve_message.
  Result<MessageMemory> reserve_message(std::uint64_t bytes);
  // Reserves for a message of `bytes` what `memory` lacks, and gives back what it has too much.
  Status fit_memory(MessageMemory& memory, std::uint64_t bytes);
  Result<Submitted> submit(ProofRequest request, MessageMemory memory);
  Result<Submitted> submit(std::shared_ptr<const ProofInput> input, Priority priority, JobOptions options);
  // Jobs of an earlier process, under their old ids. Those whose parameters are missing now fail as at submit.
  void recover(std::vector<JournalEntry> entries);
  // How long a client that was refused should wait.
  std::uint32_t retry_after_ms() const;

 private:
  class Place;
  class Claim;
  Result<std::optional<Submitted>> find_known(const ProofRequest& request, const Bytes32& digest);
  Result<std::optional<Submitted>> find_in_journal(const std::string& request_id, const Bytes32& digest);
  Status take_place();
  Result<MessageMemory> try_reserve(std::uint64_t bytes);
  Status check_room(const CircuitParameters* circuit, std::uint64_t bytes, std::uint64_t beside);
  std::uint64_t message_bytes() const;
  Result<Submitted> find_or_accept(ProofRequest request, MessageMemory memory, EngineTime begin);
  Result<Submitted> accept(ProofRequest request, MessageMemory memory, const Bytes32& digest,
                           EngineTime begin);
  Result<Submitted> accept(std::shared_ptr<const ProofInput> input, Priority priority, JobOptions options);
  JobPtr make_job(const ProofRequest& request, std::shared_ptr<const ProofInput> input, Reservation memory);
  // `place`: null for a job of the journal, which never took one.
  Submitted enqueue(const JobPtr& job, Place* place);
  Result<std::shared_ptr<const ProofInput>> parse_again(const ProofRequest& request);
  void recover_job(const JournalEntry& entry, std::shared_ptr<const ProofInput> input, EngineTime begin);
  void give_up(const JournalEntry& entry, const Status& status);

  EngineCore& core_;
  std::atomic<std::uint64_t> in_flight_{0};  // reserved for messages that are no jobs yet
  std::mutex making_room_;
};

}  // namespace cuzk
