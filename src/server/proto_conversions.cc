#include "server/proto_conversions.h"

#include <cuzk/v1/proving.pb.h>

#include <cmath>
#include <utility>

#include "server/text.h"

namespace cuzk {
namespace {

Result<std::optional<Priority>> priority_from_proto(v1::Priority priority) {
  switch (priority) {
    case v1::PRIORITY_UNSPECIFIED:
      return std::optional<Priority>();
    case v1::LOW:
      return std::optional(Priority::low);
    case v1::NORMAL:
      return std::optional(Priority::normal);
    case v1::HIGH:
      return std::optional(Priority::high);
    case v1::CRITICAL:
      return std::optional(Priority::critical);
    default:
      return invalid_argument("priority is " + std::to_string(priority) +
                              "; wanted 0 (by kind) to 4 (CRITICAL)");
  }
}

v1::Priority priority_to_proto(Priority priority) {
  switch (priority) {
    case Priority::low:
      return v1::LOW;
    case Priority::normal:
      return v1::NORMAL;
    case Priority::high:
      return v1::HIGH;
    case Priority::critical:
      return v1::CRITICAL;
  }
  return v1::PRIORITY_UNSPECIFIED;
}

v1::SRSStatus::Tier tier_to_proto(SrsTier tier) {
  switch (tier) {
    case SrsTier::hot:
      return v1::SRSStatus::HOT;
    case SrsTier::warm:
      return v1::SRSStatus::WARM;
    case SrsTier::cold:
      break;
  }
  return v1::SRSStatus::COLD;
}

std::uint64_t whole_ms(double ms) {
  return ms > 0 ? static_cast<std::uint64_t>(std::llround(ms)) : 0;
}

void fill_timings(const JobSnapshot& job, v1::AwaitProofResponse& message) {
  message.set_job_id(clean_utf8(job.job_id));
  message.set_queue_wait_ms(whole_ms(job.timings.queue));
  message.set_srs_load_ms(whole_ms(job.timings.srs));
  message.set_synthesis_ms(whole_ms(job.timings.synth));
  message.set_gpu_compute_ms(whole_ms(job.timings.prove));
  message.set_total_ms(whole_ms(job.timings.total));
}

void fill_error(const JobError& error, v1::JobError& message) {
  message.set_error_class(status_code_name(error.code));
  message.set_phase(clean_utf8(error.phase));
  message.set_message(clean_utf8(error.message));
  message.set_retryable(error.retryable);
  for (const InputFinding& finding : error.findings) *message.add_findings() = finding_to_proto(finding);
}

v1::GPUStatus gpu_to_proto(const WorkerStatus& worker, std::uint32_t ordinal) {
  v1::GPUStatus message;
  message.set_ordinal(ordinal);
  message.set_name(clean_utf8(worker.name));
  message.set_vram_total_bytes(worker.memory_total_bytes);
  message.set_vram_free_bytes(worker.memory_free_bytes);
  if (!worker.job_id.empty()) {
    message.set_current_job_id(clean_utf8(worker.job_id));
    message.set_current_proof_kind(proof_kind_name(worker.job_kind));
  }
  message.set_uuid(clean_utf8(worker.uuid));
  message.set_usable(worker.usable);
  message.set_unusable_because(clean_utf8(worker.unusable_because));
  message.set_vram_reserved_bytes(worker.memory.used_bytes);
  return message;
}

v1::WorkerInfo worker_to_proto(const WorkerStatus& worker) {
  v1::WorkerInfo message;
  message.set_index(worker.index);
  message.set_backend(worker.backend);
  message.set_name(clean_utf8(worker.name));
  message.set_uuid(clean_utf8(worker.uuid));
  message.set_usable(worker.usable);
  message.set_unusable_because(clean_utf8(worker.unusable_because));
  message.set_memory_total_bytes(worker.memory_total_bytes);
  message.set_memory_free_bytes(worker.memory_free_bytes);
  message.set_memory_reserved_bytes(worker.memory.used_bytes);
  message.set_job_id(clean_utf8(worker.job_id));
  message.set_partition(worker.partition);
  message.set_phase(clean_utf8(worker.phase));
  message.set_proofs(worker.proofs);
  message.set_busy_ms(worker.busy_ms);
  message.set_faults(worker.faults);
  message.set_work_space_bytes(worker.work_space_bytes);
  return message;
}

v1::CircuitInfo circuit_to_proto(const CircuitStatus& circuit) {
  v1::CircuitInfo message;
  message.set_circuit_id(clean_utf8(circuit.circuit_id));
  message.set_proof_kind(proof_kind_name(circuit.kind));
  message.set_sector_size(circuit.sector_size);
  message.set_state(srs_state_name(circuit.state));
  message.set_reason(clean_utf8(circuit.reason));
  message.set_tier(srs_tier_name(circuit.tier));
  message.set_size_bytes(circuit.size_bytes);
  message.set_users(circuit.users);
  message.set_pinned(circuit.pinned);
  message.set_loads(circuit.loads);
  message.set_evictions(circuit.evictions);
  message.set_last_load_ms(circuit.last_load_ms);
  return message;
}

void fill_circuits(const EngineStatus& status, v1::GetStatusResponse& message) {
  for (const CircuitStatus& circuit : status.circuits) {
    *message.add_circuits() = circuit_to_proto(circuit);
    if (circuit.tier == SrsTier::cold) continue;
    v1::SRSStatus& loaded = *message.add_loaded_srs();
    loaded.set_circuit_id(clean_utf8(circuit.circuit_id));
    loaded.set_tier(tier_to_proto(circuit.tier));
    loaded.set_size_bytes(circuit.size_bytes);
    loaded.set_ref_count(circuit.users);
  }
}

void fill_kinds(const EngineStatus& status, v1::GetStatusResponse& message) {
  std::uint64_t completed = 0;
  std::uint64_t failed = 0;
  for (const KindCounts& kind : status.kinds) {
    v1::QueueStatus& queue = *message.add_queues();
    queue.set_proof_kind(proof_kind_name(kind.kind));
    queue.set_pending(kind.pending);
    queue.set_in_progress(kind.in_progress);
    completed += kind.completed;
    failed += kind.failed;
  }
  message.set_total_proofs_completed(completed);
  message.set_total_proofs_failed(failed);
}

// Strings of many megabytes have grown by doubling while they were read.
void give_back_spare(std::string& text) {
  constexpr std::size_t kMuch = std::size_t{1} << 20;
  if (text.capacity() - text.size() > kMuch) text.shrink_to_fit();
}

}  // namespace

Result<ProofKind> kind_from_proto(std::int64_t number) {
  switch (number) {
    case v1::POREP_SEAL_COMMIT:
      return ProofKind::porep;
    case v1::SNAP_DEALS_UPDATE:
      return ProofKind::update;
    case v1::WINDOW_POST_PARTITION:
      return ProofKind::window;
    case v1::WINNING_POST:
      return ProofKind::winning;
    case v1::PROOF_KIND_UNSPECIFIED:
      return invalid_argument(
          "proof_kind is not given (0, PROOF_KIND_UNSPECIFIED); wanted 1 POREP_SEAL_COMMIT, 2 "
          "SNAP_DEALS_UPDATE, "
          "3 WINDOW_POST_PARTITION or 4 WINNING_POST");
    default:
      return invalid_argument("proof_kind is " + std::to_string(number) + "; wanted 1 to 4");
  }
}

Result<ProofRequest> request_from_proto(v1::SubmitProofRequest&& message) {
  ProofRequest request;
  CUZK_ASSIGN(request.kind, kind_from_proto(message.proof_kind()));
  CUZK_ASSIGN(request.priority, priority_from_proto(message.priority()));
  request.request_id = std::move(*message.mutable_request_id());
  request.sector_size = message.sector_size();
  request.registered_proof = message.registered_proof();
  request.vanilla_proof = std::move(*message.mutable_vanilla_proof());
  request.vanilla_proofs.reserve(static_cast<std::size_t>(message.vanilla_proofs_size()));
  for (std::string& proof : *message.mutable_vanilla_proofs())
    request.vanilla_proofs.push_back(std::move(proof));
  give_back_spare(request.request_id);
  give_back_spare(request.vanilla_proof);
  for (std::string& proof : request.vanilla_proofs) give_back_spare(proof);
  request.sector_number = message.sector_number();
  request.miner_id = message.miner_id();
  request.randomness = std::move(*message.mutable_randomness());
  request.partition_index = message.partition_index();
  request.comm_r_old = std::move(*message.mutable_comm_r_old());
  request.comm_r_new = std::move(*message.mutable_comm_r_new());
  request.comm_d_new = std::move(*message.mutable_comm_d_new());
  return request;
}

std::string error_sentence(const JobSnapshot& job) {
  if (!job.error) return "the job failed for a reason that was not recorded (job " + job.job_id + ")";
  const JobError& error = *job.error;
  return clean_utf8(error.message + " (" + status_code_name(error.code) + " in " + error.phase + ", job " +
                    job.job_id +
                    (error.retryable ? "; trying again may help)" : "; trying again will not help)"));
}

Result<v1::AwaitProofResponse> ended_job_to_proto(const JobSnapshot& job) {
  v1::AwaitProofResponse message;
  fill_timings(job, message);
  switch (job.state) {
    case JobState::completed:
      if (job.proof.empty())
        return internal_error("job " + job.job_id + " is completed but its proof is empty");
      message.set_status(v1::AwaitProofResponse::COMPLETED);
      message.set_proof(job.proof.data(), job.proof.size());
      return message;
    case JobState::failed:
      message.set_status(v1::AwaitProofResponse::FAILED);
      message.set_error_message(error_sentence(job));
      if (job.error) fill_error(*job.error, *message.mutable_error());
      return message;
    case JobState::cancelled:
      message.set_status(v1::AwaitProofResponse::CANCELLED);
      message.set_error_message("job " + clean_utf8(job.job_id) + " was cancelled");
      return message;
    default:
      return internal_error("job " + job.job_id + " was reported as ended while it is " +
                            job_state_name(job.state));
  }
}

v1::AwaitProofResponse waiting_job_to_proto(const JobSnapshot& job, std::uint64_t timeout_ms) {
  v1::AwaitProofResponse message;
  fill_timings(job, message);
  message.set_status(v1::AwaitProofResponse::TIMEOUT);
  message.set_error_message("after " + std::to_string(timeout_ms) + " ms job " + clean_utf8(job.job_id) +
                            " is " + job_state_name(job.state) + ", " + std::to_string(job.partitions_done) +
                            " of " + std::to_string(job.partitions) + " proofs done; it goes on, ask again");
  return message;
}

v1::Finding finding_to_proto(const InputFinding& finding) {
  v1::Finding message;
  if (finding.sector_id) message.set_sector_id(*finding.sector_id);
  if (finding.partition) message.set_partition(*finding.partition);
  if (finding.challenge) message.set_challenge(*finding.challenge);
  message.set_field(clean_utf8(finding.field));
  message.set_expected(clean_utf8(finding.expected));
  message.set_found(clean_utf8(finding.found));
  message.set_text(clean_utf8(finding.text));
  return message;
}

v1::JobInfo job_to_proto(const JobSnapshot& job) {
  v1::JobInfo message;
  message.set_job_id(clean_utf8(job.job_id));
  message.set_request_id(clean_utf8(job.request_id));
  message.set_proof_kind(proof_kind_name(job.kind));
  message.set_sector_size(job.sector_size);
  message.set_miner_id(job.miner_id);
  message.set_sector_number(job.sector_number);
  message.set_priority(priority_to_proto(job.priority));
  message.set_state(job_state_name(job.state));
  message.set_partitions(job.partitions);
  message.set_partitions_done(job.partitions_done);
  message.set_queue_position(job.queue_position);
  message.set_accepted_at_ms(job.accepted_at_ms);
  message.set_finished_at_ms(job.finished_at_ms);
  message.set_queue_ms(job.timings.queue);
  message.set_srs_ms(job.timings.srs);
  message.set_synth_ms(job.timings.synth);
  message.set_prove_ms(job.timings.prove);
  message.set_total_ms(job.timings.total);
  for (const PhaseSpan& span : job.spans) {
    v1::PhaseSpan& to = *message.add_spans();
    to.set_phase(clean_utf8(span.phase));
    to.set_partition(span.partition);
    to.set_worker(span.worker);
    to.set_start_ms(span.start_ms);
    to.set_duration_ms(span.ms);
  }
  if (job.error) fill_error(*job.error, *message.mutable_error());
  return message;
}

v1::GetStatusResponse status_to_proto(const EngineStatus& status, const std::string& version) {
  v1::GetStatusResponse message;
  for (const WorkerStatus& worker : status.workers) {
    *message.add_workers() = worker_to_proto(worker);
    if (worker.backend == "cuda")
      *message.add_gpus() = gpu_to_proto(worker, static_cast<std::uint32_t>(message.gpus_size()));
  }
  fill_circuits(status, message);
  fill_kinds(status, message);
  message.set_uptime_seconds(whole_ms(status.uptime_ms) / 1000);
  message.set_pinned_memory_bytes(status.host_memory.used_bytes);
  message.set_pinned_memory_limit_bytes(status.host_memory.limit_bytes);
  message.set_ready(status.ready);
  message.set_not_ready_because(clean_utf8(status.not_ready_because));
  message.set_draining(status.draining);
  message.set_resident_set_bytes(status.resident_set_bytes);
  message.set_version(version);
  return message;
}

}  // namespace cuzk
