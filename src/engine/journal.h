// Journal: what the engine must not forget. An accepted job is in it before the client is told, a proof before it is reported.
//
// The engine knows this interface; sqlite_journal.h has the one that lasts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/job.h"
#include "engine/proof_request.h"

namespace cuzk {

struct JournalEntry {
  std::string job_id;
  std::int64_t accepted_at_ms = 0;
  ProofRequest request;
};

// Thread-safe. Failures are unavailable and name the file (a full disk: resource_exhausted); after a failure the call may be tried again.
class Journal {
 public:
  virtual ~Journal() = default;

  // Durable on return. A request id that a failed or cancelled job had passes to this one.
  virtual Status accept(const JournalEntry& entry) = 0;
  // The final snapshot of an accepted job, proof or error included; its vanilla proofs are dropped. Durable on return.
  virtual Status finish(const JobSnapshot& job) = 0;

  // Jobs accepted and not finished, oldest first.
  virtual Result<std::vector<JournalEntry>> recover() = 0;
  // A finished job; nothing if there is none of this id.
  virtual Result<std::optional<JobSnapshot>> find(const std::string& job_id) = 0;
  // The last job accepted with an idempotency key, running or finished, and the content digest it was accepted with.
  struct Known {
    std::string job_id;
    Bytes32 content_digest;
  };
  virtual Result<std::optional<Known>> find_request(const std::string& request_id) = 0;
  // The last `limit` finished jobs, newest first, without proofs and spans.
  virtual Result<std::vector<JobSnapshot>> recent(std::size_t limit) = 0;
  // Forgets jobs that finished before this Unix time; the number forgotten.
  virtual Result<std::uint64_t> forget_before(std::int64_t unix_ms) = 0;
};

}  // namespace cuzk
