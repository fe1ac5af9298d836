#include "server/prometheus.h"

#include <algorithm>

#include "server/metric_writer.h"
#include "server/process_figures.h"
#include "server/proto_conversions.h"

namespace cuzk {
namespace {

using Labels = MetricWriter::Labels;

std::uint64_t flag(bool is_true) {
  return is_true ? 1 : 0;
}

template <typename Item, typename Value>
void per_kind(MetricWriter& out, std::string_view name, std::string_view type, std::string_view help,
              const std::vector<Item>& items, Value value) {
  out.family(name, type, help);
  for (const Item& item : items)
    out.sample({{"kind", proof_kind_name(item.kind)}}, std::uint64_t{value(item)});
}

void write_jobs(MetricWriter& out, const EngineStatus& status, const MetricsSnapshot& metrics) {
  const auto& kinds = status.kinds;
  using K = KindCounts;
  per_kind(out, "cuzk_jobs_submitted_total", "counter", "Jobs accepted since start.", kinds,
           [](const K& kind) { return kind.submitted; });
  per_kind(out, "cuzk_jobs_completed_total", "counter", "Jobs that ended with verified proofs.", kinds,
           [](const K& kind) { return kind.completed; });
  per_kind(out, "cuzk_jobs_cancelled_total", "counter", "Jobs cancelled.", kinds,
           [](const K& kind) { return kind.cancelled; });
  out.family("cuzk_jobs_failed_total", "counter", "Jobs that failed, by class of the error.");
  for (const auto& [key, count] : metrics.failed)
    out.sample({{"kind", proof_kind_name(key.first)}, {"class", key.second}}, count);
  out.family("cuzk_jobs_refused_total", "counter", "Requests refused at submission, by class of the error.");
  for (const auto& [key, count] : metrics.refused)
    out.sample({{"kind", proof_kind_name(key.first)}, {"class", key.second}}, count);
  per_kind(out, "cuzk_jobs_pending", "gauge", "Jobs in the queue.", kinds,
           [](const K& kind) { return kind.pending; });
  per_kind(out, "cuzk_jobs_in_progress", "gauge", "Jobs that have begun.", kinds,
           [](const K& kind) { return kind.in_progress; });
  out.family("cuzk_jobs_limit", "gauge", "Jobs in the queue and in progress at most; more are refused.");
  out.sample({}, std::uint64_t{status.max_jobs});
  out.family("cuzk_jobs_recovered_total", "counter", "Unfinished jobs found in the journal at start.");
  out.sample({}, status.recovered_jobs);
}

void write_times(MetricWriter& out, const MetricsSnapshot& metrics) {
  out.family("cuzk_phase_seconds", "histogram", "One stretch of a phase of a proof.");
  for (const auto& [key, histogram] : metrics.phases)
    out.histogram({{"phase", key.first}, {"kind", proof_kind_name(key.second)}}, histogram);
  out.family("cuzk_job_seconds", "histogram", "From acceptance of a job to its completion.");
  for (const auto& [kind, histogram] : metrics.total)
    out.histogram({{"kind", proof_kind_name(kind)}}, histogram);
  out.family("cuzk_queue_wait_seconds", "histogram",
             "From acceptance of a job to the start of its first phase.");
  for (const auto& [kind, histogram] : metrics.queue_wait)
    out.histogram({{"kind", proof_kind_name(kind)}}, histogram);
}

template <typename Value>
void per_worker(MetricWriter& out, std::string_view name, std::string_view type, std::string_view help,
                const EngineStatus& status, Value value) {
  out.family(name, type, help);
  for (const WorkerStatus& worker : status.workers)
    out.sample(
        {{"worker", std::to_string(worker.index)}, {"backend", worker.backend}, {"device", worker.name}},
        value(worker));
}

void write_workers(MetricWriter& out, const EngineStatus& status) {
  using W = WorkerStatus;
  per_worker(out, "cuzk_worker_usable", "gauge", "1 if the worker takes work.", status,
             [](const W& worker) { return flag(worker.usable); });
  per_worker(out, "cuzk_worker_busy", "gauge", "1 while a proof is in progress on the worker.", status,
             [](const W& worker) { return flag(!worker.job_id.empty()); });
  per_worker(out, "cuzk_worker_proofs_total", "counter", "Proofs made by the worker.", status,
             [](const W& worker) { return worker.proofs; });
  per_worker(out, "cuzk_worker_faults_total", "counter",
             "Proofs of the worker that did not verify or failed half-way.", status,
             [](const W& worker) { return worker.faults; });
  per_worker(out, "cuzk_worker_busy_seconds_total", "counter", "Time spent proving by the worker.", status,
             [](const W& worker) { return worker.busy_ms / 1000; });
  per_worker(out, "cuzk_device_memory_total_bytes", "gauge", "Memory of the device; 0 for a processor.",
             status, [](const W& worker) { return worker.memory_total_bytes; });
  per_worker(out, "cuzk_device_memory_free_bytes", "gauge", "Free memory of the device, as its driver says.",
             status, [](const W& worker) { return worker.memory_free_bytes; });
  per_worker(out, "cuzk_device_memory_reserved_bytes", "gauge",
             "Memory of the device in the engine's budget.", status,
             [](const W& worker) { return worker.memory.used_bytes; });
  per_worker(out, "cuzk_device_memory_work_space_bytes", "gauge",
             "Of the reserved memory, the work space that all circuits share.", status,
             [](const W& worker) { return worker.work_space_bytes; });
  per_worker(out, "cuzk_device_memory_limit_bytes", "gauge", "Limit of the engine's budget for the device.",
             status, [](const W& worker) { return worker.memory.limit_bytes; });
}

template <typename Value>
void per_circuit(MetricWriter& out, std::string_view name, std::string_view type, std::string_view help,
                 const EngineStatus& status, Value value) {
  out.family(name, type, help);
  for (const CircuitStatus& circuit : status.circuits)
    out.sample({{"circuit", circuit.circuit_id}}, value(circuit));
}

void write_circuits(MetricWriter& out, const EngineStatus& status) {
  using C = CircuitStatus;
  per_circuit(out, "cuzk_srs_ready", "gauge", "1 if the parameters are there and good.", status,
              [](const C& circuit) { return flag(circuit.state == SrsState::ready); });
  out.family("cuzk_srs_tier", "gauge", "1 for the tier in which the parameters are: hot, warm or cold.");
  for (const C& circuit : status.circuits)
    for (const SrsTier tier : {SrsTier::hot, SrsTier::warm, SrsTier::cold})
      out.sample({{"circuit", circuit.circuit_id}, {"tier", srs_tier_name(tier)}},
                 flag(circuit.tier == tier));
  per_circuit(out, "cuzk_srs_bytes", "gauge",
              "Bytes of the parameters, held while resident, else of the file.", status,
              [](const C& circuit) { return circuit.size_bytes; });
  per_circuit(out, "cuzk_srs_users", "gauge", "Proofs in progress that use the parameters.", status,
              [](const C& circuit) { return std::uint64_t{circuit.users}; });
  per_circuit(out, "cuzk_srs_loads_total", "counter", "Times the parameters were loaded.", status,
              [](const C& circuit) { return circuit.loads; });
  per_circuit(out, "cuzk_srs_evictions_total", "counter", "Times the parameters were evicted.", status,
              [](const C& circuit) { return circuit.evictions; });
  per_circuit(out, "cuzk_srs_last_load_seconds", "gauge", "Time of the last load.", status,
              [](const C& circuit) { return circuit.last_load_ms / 1000; });
}

template <typename Value>
void single(MetricWriter& out, std::string_view name, std::string_view type, std::string_view help,
            Value value) {
  out.family(name, type, help);
  out.sample({}, value);
}

void write_engine(MetricWriter& out, const EngineStatus& status, const std::string& version) {
  out.family("cuzk_build_info", "gauge", "1, labelled with the version.");
  out.sample({{"version", version}}, std::uint64_t{1});
  single(out, "cuzk_ready", "gauge", "1 once preload and warm-up are done.", flag(status.ready));
  single(out, "cuzk_draining", "gauge", "1 while no new job is accepted.", flag(status.draining));
  single(out, "cuzk_uptime_seconds", "gauge", "Time since the engine started.", status.uptime_ms / 1000);
  single(out, "cuzk_host_memory_reserved_bytes", "gauge", "Host memory in the engine's budget.",
         status.host_memory.used_bytes);
  single(out, "cuzk_host_memory_limit_bytes", "gauge", "Limit of the engine's budget for the host.",
         status.host_memory.limit_bytes);
  single(out, "cuzk_self_check_failures_total", "counter", "Proofs made that did not verify.",
         status.self_check_failures);
  single(out, "cuzk_retries_total", "counter", "Proofs made a second time.", status.retries);
}

void write_process(MetricWriter& out, const EngineStatus& status) {
  const ProcessFigures process = read_process_figures();
  single(out, "process_resident_memory_bytes", "gauge", "Resident memory size in bytes.",
         process.resident_bytes);
  single(out, "process_open_fds", "gauge", "Number of open file descriptors.", process.open_files);
  single(out, "process_max_fds", "gauge", "Maximum number of open file descriptors.", process.max_files);
  single(out, "process_threads", "gauge", "Number of threads.", process.threads);
  single(out, "process_cpu_seconds_total", "counter", "User and system time spent.", process.cpu_seconds);
  single(out, "process_start_time_seconds", "gauge", "Start of the engine, in seconds of Unix time.",
         static_cast<double>(status.started_at_ms) / 1000);
}

// Whether both were taken with no failure of a job in between.
bool are_of_one_moment(const EngineStatus& status, const MetricsSnapshot& metrics) {
  return std::all_of(status.kinds.begin(), status.kinds.end(), [&](const KindCounts& kind) {
    std::uint64_t failed = 0;
    for (const auto& [key, count] : metrics.failed)
      if (key.first == kind.kind) failed += count;
    return failed == kind.failed;
  });
}

}  // namespace

std::string prometheus_text(const EngineStatus& status, const MetricsSnapshot& metrics,
                            const std::string& version) {
  MetricWriter out;
  write_engine(out, status, version);
  write_jobs(out, status, metrics);
  write_times(out, metrics);
  write_workers(out, status);
  write_circuits(out, status);
  write_process(out, status);
  return out.take();
}

std::string prometheus_text(const Engine& engine, const std::string& version) {
  constexpr int kAttempts = 20;  // one is nearly always enough; a scrape does not wait for ever
  EngineStatus status = engine.status();
  MetricsSnapshot metrics = engine.metrics();
  for (int attempt = 1; attempt < kAttempts && !are_of_one_moment(status, metrics); ++attempt) {
    status = engine.status();
    metrics = engine.metrics();
  }
  return prometheus_text(status, metrics, version);
}

}  // namespace cuzk
