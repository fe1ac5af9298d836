// What others see of a job: its state, its times, its error. Plain values; a snapshot does not change.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/proof_request.h"

namespace cuzk {

// A job walks down this list; it ends in exactly one of the last three. After a restart an unfinished job is queued again.
enum class JobState { queued, synthesizing, proving, verifying, completed, failed, cancelled };

// "queued" and so on: stable names in logs, JSON and the journal.
const char* job_state_name(JobState state) noexcept;
constexpr bool is_final(JobState state) noexcept {
  return state >= JobState::completed;
}

// Milliseconds. Stages of different partitions overlap, so the parts may add up to more than the total.
struct JobTimings {
  double queue = 0;  // from acceptance until the first stage began
  double srs = 0;    // waiting for parameters and constraints to be resident
  double synth = 0;  // sum over partitions
  double prove = 0;  // sum over partitions, time on a backend
  double total = 0;  // from acceptance to the end
};

// One stretch of work for a job: what a CUZK_TIMING line says and the timeline draws.
struct PhaseSpan {
  std::string phase;  // parse, validate, srs_load, synth, prep_msm, r1cs_eval, ..., verify, release, overhead
  int partition = -1;   // -1: of the whole job
  int worker = -1;      // -1: of no backend
  double start_ms = 0;  // since the job was accepted
  double ms = 0;
};

struct JobError {
  StatusCode code = StatusCode::internal;  // its class: status_code_name
  std::string phase;                       // in which phase it showed
  std::string message;                     // one sentence with names and numbers
  bool retryable = false;                  // whether trying again can help
  std::vector<InputFinding> findings;      // every fault of the input, if the input was at fault
};

struct JobSnapshot {
  std::string job_id;  // UUID, version 4
  std::string request_id;
  ProofKind kind = ProofKind::porep;
  std::uint64_t sector_size = 0;
  std::uint64_t miner_id = 0;
  std::uint64_t sector_number = 0;
  Priority priority = Priority::normal;
  JobState state = JobState::queued;
  unsigned partitions = 0;
  unsigned partitions_done = 0;
  std::uint32_t queue_position = 0;  // jobs ahead of it while queued, else 0
  std::int64_t accepted_at_ms = 0;   // Unix time
  std::int64_t finished_at_ms = 0;   // 0: not finished
  JobTimings timings;
  std::vector<PhaseSpan> spans;   // of a running job those so far, the running ones among them with ms so far
  std::optional<JobError> error;  // of a failed job
  std::vector<std::uint8_t> proof;  // of a completed job: 192 bytes a partition, in order
};

}  // namespace cuzk
