#include "server/status_json.h"

#include <nlohmann/json.hpp>

#include "server/proto_conversions.h"

namespace cuzk {
namespace {

using Json = nlohmann::json;

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json budget_json(const BudgetStatus& budget) {
  return {{"used_bytes", budget.used_bytes}, {"limit_bytes", budget.limit_bytes}};
}

Json worker_json(const WorkerStatus& worker) {
  Json json = {{"index", worker.index},
               {"backend", worker.backend},
               {"name", worker.name},
               {"uuid", worker.uuid},
               {"usable", worker.usable},
               {"unusable_because", worker.unusable_because},
               {"memory", budget_json(worker.memory)},
               {"work_space_bytes", worker.work_space_bytes},
               {"memory_total_bytes", worker.memory_total_bytes},
               {"memory_free_bytes", worker.memory_free_bytes},
               {"job_id", worker.job_id},
               {"partition", worker.partition},
               {"phase", worker.phase},
               {"proofs", worker.proofs},
               {"faults", worker.faults},
               {"busy_ms", worker.busy_ms}};
  json["job_kind"] = worker.job_id.empty() ? "" : proof_kind_name(worker.job_kind);
  return json;
}

Json circuit_json(const CircuitStatus& circuit) {
  return {{"circuit_id", circuit.circuit_id},   {"kind", proof_kind_name(circuit.kind)},
          {"sector_size", circuit.sector_size}, {"state", srs_state_name(circuit.state)},
          {"reason", circuit.reason},           {"tier", srs_tier_name(circuit.tier)},
          {"size_bytes", circuit.size_bytes},   {"users", circuit.users},
          {"pinned", circuit.pinned},           {"loads", circuit.loads},
          {"evictions", circuit.evictions},     {"last_load_ms", circuit.last_load_ms}};
}

Json kind_json(const KindCounts& kind) {
  return {{"kind", proof_kind_name(kind.kind)}, {"pending", kind.pending},
          {"in_progress", kind.in_progress},    {"submitted", kind.submitted},
          {"completed", kind.completed},        {"failed", kind.failed},
          {"cancelled", kind.cancelled}};
}

Json finding_json(const InputFinding& finding) {
  const auto number = [](const std::optional<std::uint64_t>& value) { return value ? Json(*value) : Json(); };
  return {{"sector_id", number(finding.sector_id)},
          {"partition", number(finding.partition)},
          {"challenge", number(finding.challenge)},
          {"field", finding.field},
          {"expected", finding.expected},
          {"found", finding.found},
          {"text", finding.text}};
}

Json error_json(const JobError& error) {
  Json findings = Json::array();
  for (const InputFinding& finding : error.findings) findings.push_back(finding_json(finding));
  return {{"class", status_code_name(error.code)},
          {"phase", error.phase},
          {"message", error.message},
          {"retryable", error.retryable},
          {"findings", findings}};
}

Json spans_json(const std::vector<PhaseSpan>& spans) {
  Json json = Json::array();
  for (const PhaseSpan& span : spans)
    json.push_back({{"phase", span.phase},
                    {"partition", span.partition},
                    {"worker", span.worker},
                    {"start_ms", span.start_ms},
                    {"ms", span.ms}});
  return json;
}

Json job_json(const JobSnapshot& job) {
  return {{"job_id", job.job_id},
          {"request_id", job.request_id},
          {"kind", proof_kind_name(job.kind)},
          {"sector_size", job.sector_size},
          {"miner_id", job.miner_id},
          {"sector_number", job.sector_number},
          {"priority", priority_name(job.priority)},
          {"state", job_state_name(job.state)},
          {"partitions", job.partitions},
          {"partitions_done", job.partitions_done},
          {"queue_position", job.queue_position},
          {"accepted_at_ms", job.accepted_at_ms},
          {"finished_at_ms", job.finished_at_ms},
          {"queue_ms", job.timings.queue},
          {"srs_ms", job.timings.srs},
          {"synth_ms", job.timings.synth},
          {"prove_ms", job.timings.prove},
          {"total_ms", job.timings.total},
          {"spans", spans_json(job.spans)},
          {"error", job.error ? error_json(*job.error) : Json()}};
}

}  // namespace

Readiness readiness_of(const EngineStatus& status) {
  if (status.draining) {
    std::uint64_t unfinished = 0;
    for (const KindCounts& kind : status.kinds) unfinished += kind.pending + kind.in_progress;
    return {false, "draining: no new jobs are accepted, " + std::to_string(unfinished) + " are unfinished"};
  }
  if (status.ready) return {true, "ready"};
  std::string loading;
  for (const CircuitStatus& circuit : status.circuits)
    if (circuit.state == SrsState::loading)
      loading += (loading.empty() ? ", loading " : " and ") + circuit.circuit_id;
  return {false, status.not_ready_because + loading};
}

std::string status_json(const EngineStatus& status, const std::string& version, std::int64_t now_ms) {
  const Readiness readiness = readiness_of(status);
  Json json = {{"version", version},
               {"now_ms", now_ms},
               {"started_at_ms", status.started_at_ms},
               {"uptime_ms", status.uptime_ms},
               {"ready", readiness.is_ready},
               {"readiness", readiness.text},
               {"draining", status.draining},
               {"host_memory", budget_json(status.host_memory)},
               {"resident_set_bytes", status.resident_set_bytes},
               {"max_jobs", status.max_jobs},
               {"workers", Json::array()},
               {"circuits", Json::array()},
               {"kinds", Json::array()},
               {"self_check_failures", status.self_check_failures},
               {"retries", status.retries},
               {"recovered_jobs", status.recovered_jobs}};
  for (const WorkerStatus& worker : status.workers) json["workers"].push_back(worker_json(worker));
  for (const CircuitStatus& circuit : status.circuits) json["circuits"].push_back(circuit_json(circuit));
  for (const KindCounts& kind : status.kinds) json["kinds"].push_back(kind_json(kind));
  return text_of(json);
}

std::string jobs_json(const std::vector<JobSnapshot>& jobs, std::int64_t now_ms) {
  Json json = {{"now_ms", now_ms}, {"jobs", Json::array()}};
  for (const JobSnapshot& job : jobs) json["jobs"].push_back(job_json(job));
  return text_of(json);
}

}  // namespace cuzk
