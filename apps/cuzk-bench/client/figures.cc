#include "client/figures.h"

#include <cstdio>

namespace cuzk {

v1::SubmitProofRequest request_to_proto(const ProofRequest& request) {
  v1::SubmitProofRequest message;
  message.set_request_id(request.request_id);
  switch (request.kind) {
    case ProofKind::porep:
      message.set_proof_kind(v1::POREP_SEAL_COMMIT);
      break;
    case ProofKind::winning:
      message.set_proof_kind(v1::WINNING_POST);
      break;
    case ProofKind::window:
      message.set_proof_kind(v1::WINDOW_POST_PARTITION);
      break;
    default:
      message.set_proof_kind(v1::SNAP_DEALS_UPDATE);
  }
  message.set_sector_size(request.sector_size);
  message.set_registered_proof(request.registered_proof);
  if (request.priority)
    message.set_priority(static_cast<v1::Priority>(*request.priority));  // the same numbers
  message.set_vanilla_proof(request.vanilla_proof);
  for (const std::string& proof : request.vanilla_proofs) message.add_vanilla_proofs(proof);
  message.set_sector_number(request.sector_number);
  message.set_miner_id(request.miner_id);
  message.set_randomness(request.randomness);
  message.set_partition_index(request.partition_index);
  message.set_comm_r_old(request.comm_r_old);
  message.set_comm_r_new(request.comm_r_new);
  message.set_comm_d_new(request.comm_d_new);
  return message;
}

std::vector<PhaseSpan> spans_from_proto(const v1::JobInfo& job) {
  std::vector<PhaseSpan> spans;
  for (const v1::PhaseSpan& span : job.spans()) {
    spans.push_back({span.phase(), span.partition(), span.worker(), span.start_ms(), span.duration_ms()});
  }
  return spans;
}

StatusCode code_from_name(const std::string& name) {
  for (int code = 1; code <= 15; ++code) {
    if (name == status_code_name(static_cast<StatusCode>(code))) return static_cast<StatusCode>(code);
  }
  return StatusCode::internal;
}

Report job_report(const v1::JobInfo& job) {
  Report report = {{"job_id", job.job_id()},
                   {"request_id", job.request_id()},
                   {"kind", job.proof_kind()},
                   {"sector_size", job.sector_size()},
                   {"miner_id", job.miner_id()},
                   {"sector_number", job.sector_number()},
                   {"priority", v1::Priority_Name(job.priority())},
                   {"state", job.state()},
                   {"partitions", job.partitions()},
                   {"partitions_done", job.partitions_done()},
                   {"queue_position", job.queue_position()},
                   {"accepted_at_ms", job.accepted_at_ms()},
                   {"finished_at_ms", job.finished_at_ms()},
                   {"timings_ms",
                    {{"total", job.total_ms()},
                     {"queue", job.queue_ms()},
                     {"srs", job.srs_ms()},
                     {"synth", job.synth_ms()},
                     {"prove", job.prove_ms()}}}};
  if (job.has_error()) {
    report["error"] = {{"class", job.error().error_class()},
                       {"phase", job.error().phase()},
                       {"message", job.error().message()},
                       {"retryable", job.error().retryable()}};
  }
  return report;
}

Report status_report(const v1::GetStatusResponse& status) {
  Report report = {{"version", status.version()}, {"ready", status.ready()}};
  if (!status.ready()) report["not_ready_because"] = status.not_ready_because();
  report.update({{"draining", status.draining()},
                 {"uptime_seconds", status.uptime_seconds()},
                 {"proofs_completed", status.total_proofs_completed()},
                 {"proofs_failed", status.total_proofs_failed()},
                 {"host_memory_reserved_bytes", status.pinned_memory_bytes()},
                 {"host_memory_limit_bytes", status.pinned_memory_limit_bytes()},
                 {"resident_set_bytes", status.resident_set_bytes()}});
  Report queues = Report::array(), gpus = Report::array(), workers = Report::array(),
         circuits = Report::array();
  for (const v1::QueueStatus& queue : status.queues()) {
    queues.push_back(
        {{"kind", queue.proof_kind()}, {"pending", queue.pending()}, {"in_progress", queue.in_progress()}});
  }
  for (const v1::GPUStatus& gpu : status.gpus()) {
    gpus.push_back({{"ordinal", gpu.ordinal()},
                    {"name", gpu.name()},
                    {"usable", gpu.usable()},
                    {"unusable_because", gpu.unusable_because()},
                    {"vram_total_bytes", gpu.vram_total_bytes()},
                    {"vram_free_bytes", gpu.vram_free_bytes()},
                    {"vram_reserved_bytes", gpu.vram_reserved_bytes()},
                    {"job_id", gpu.current_job_id()}});
  }
  for (const v1::WorkerInfo& worker : status.workers()) {
    workers.push_back({{"index", worker.index()},
                       {"backend", worker.backend()},
                       {"name", worker.name()},
                       {"uuid", worker.uuid()},
                       {"usable", worker.usable()},
                       {"unusable_because", worker.unusable_because()},
                       {"job_id", worker.job_id()},
                       {"phase", worker.phase()},
                       {"proofs", worker.proofs()},
                       {"faults", worker.faults()},
                       {"busy_ms", worker.busy_ms()}});
    if (worker.partition() >= 0) workers.back()["partition"] = worker.partition();
  }
  for (const v1::CircuitInfo& circuit : status.circuits()) {
    circuits.push_back({{"circuit_id", circuit.circuit_id()},
                        {"state", circuit.state()},
                        {"reason", circuit.reason()},
                        {"tier", circuit.tier()},
                        {"size_bytes", circuit.size_bytes()},
                        {"users", circuit.users()},
                        {"pinned", circuit.pinned()}});
  }
  report["queues"] = std::move(queues);
  report["gpus"] = std::move(gpus);
  report["workers"] = std::move(workers);
  report["circuits"] = std::move(circuits);
  return report;
}

InputFinding finding_from_proto(const v1::Finding& finding) {
  InputFinding result;
  result.field = finding.field();
  result.expected = finding.expected();
  result.found = finding.found();
  result.text = finding.text();
  if (finding.has_sector_id()) result.sector_id = finding.sector_id();
  if (finding.has_partition()) result.partition = finding.partition();
  if (finding.has_challenge()) result.challenge = finding.challenge();
  return result;
}

std::string job_line(const v1::JobInfo& job) {
  char text[256];
  std::snprintf(text, sizeof text, "%s  %-7s %-13s %u/%u partitions, %.1f s", job.job_id().c_str(),
                job.proof_kind().c_str(), job.state().c_str(), job.partitions_done(), job.partitions(),
                job.total_ms() / 1000);
  std::string line = text;
  if (job.state() == "queued") line += ", " + std::to_string(job.queue_position()) + " before it";
  if (!job.spans().empty() && job.finished_at_ms() == 0)
    line += ", " + job.spans(job.spans_size() - 1).phase();
  if (job.has_error()) line += ": " + job.error().message();
  return line;
}

}  // namespace cuzk
