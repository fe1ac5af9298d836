#include "server/page_scene_test_support.h"

#include <algorithm>
#include <chrono>

namespace cuzk {
namespace {

constexpr char kRunningJob[] = "0b54c1de-8f5e-4c1b-9f6e-2d0c7a5b1e01";
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

std::int64_t unix_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

struct Step {
  const char* phase;
  double ms;
};

// Synthesis of the partitions one after the other on the processor; each then waits its turn on the GPU.
std::vector<PhaseSpan> spans_until(unsigned partitions, double now_ms) {
  constexpr Step kSteps[] = {{"prep_msm", 60}, {"r1cs_eval", 150}, {"ntt", 280},      {"msm_h", 620},
                             {"msm_l", 420},   {"msm_a", 640},     {"msm_b_g2", 700}, {"assemble", 15}};
  std::vector<PhaseSpan> spans = {
      {"parse", -1, -1, 0, 410}, {"validate", -1, -1, 410, 380}, {"srs_load", -1, 0, 790, 1400}};
  double gpu_free = 2190;
  for (unsigned i = 0; i < partitions; ++i) {
    const int partition = static_cast<int>(i);
    const double synth_start = 790 + i * 2300.0;
    spans.push_back({"synth", partition, -1, synth_start, 2250});
    double at = std::max(gpu_free, synth_start + 2250);
    for (const Step& step : kSteps) {
      spans.push_back({step.phase, partition, 0, at, step.ms});
      at += step.ms;
    }
    gpu_free = at;
    spans.push_back({"verify", partition, -1, at, 45});
  }
  std::erase_if(spans, [now_ms](const PhaseSpan& span) { return span.start_ms >= now_ms; });
  for (PhaseSpan& span : spans) span.ms = std::min(span.ms, now_ms - span.start_ms);
  return spans;
}

JobSnapshot running_job(double running_ms) {
  JobSnapshot job = sample_job(kRunningJob, JobState::proving);
  job.accepted_at_ms = unix_ms() - static_cast<std::int64_t>(running_ms);
  job.spans = spans_until(job.partitions, running_ms);
  job.partitions_done = static_cast<unsigned>(
      std::ranges::count_if(job.spans, [](const PhaseSpan& span) { return span.phase == "verify"; }));
  return job;
}

void put_waiting(FakeEngine& engine) {
  constexpr ProofKind kKinds[] = {ProofKind::window, ProofKind::porep, ProofKind::update};
  for (std::uint32_t i = 0; i < 3; ++i) {
    JobSnapshot job = sample_job("waiting-" + std::to_string(i), JobState::queued);
    job.kind = kKinds[i];
    job.priority = default_priority(job.kind);
    job.sector_number = job.kind == ProofKind::window ? 0 : 40 + i;
    job.queue_position = i;
    job.accepted_at_ms = unix_ms() - 9000 + 2000 * i;
    engine.put(job);
  }
}

void put_finished(FakeEngine& engine) {
  constexpr ProofKind kKinds[] = {ProofKind::porep, ProofKind::winning, ProofKind::window, ProofKind::porep,
                                  ProofKind::update};
  constexpr double kTotals[] = {36'400, 640, 18'200, 34'900, 21'700};
  for (int i = 0; i < 20; ++i) {
    const bool is_failed = i == 8 || i == 18;
    JobSnapshot job = sample_job("5d2f7a10-3c44-4e0a-8a6d-0000000000" + std::to_string(10 + i),
                                 is_failed ? JobState::failed
                                 : i == 13 ? JobState::cancelled
                                           : JobState::completed);
    job.kind = kKinds[i % 5];
    job.sector_number = 100 + static_cast<std::uint64_t>(i);
    const double total = kTotals[i % 5] * (1 + 0.04 * ((i * 7) % 5));
    job.timings = {total * 0.02, i < 4 ? 1400.0 : 0, total * 0.61, total * 0.52, total};
    job.finished_at_ms = unix_ms() - (20 - i) * 47'000;
    if (i == 18) job.error->findings.clear();
    if (i == 18) job.error->code = StatusCode::resource_exhausted;
    if (i == 18) job.error->phase = "srs_load";
    if (i == 18)
      job.error->message = "wpost-32g needs 61.4 GiB of device memory; 38.2 GiB of 139.8 GiB are free";
    if (i == 18) job.error->retryable = true;
    engine.put(job);
  }
}

void set_figures(EngineStatus& status) {
  status.started_at_ms = unix_ms() - 5'025'000;
  status.uptime_ms = 5'025'000;
  status.host_memory = {41 * kGiB, 112 * kGiB};
  status.resident_set_bytes = 38 * kGiB;
  status.max_jobs = 256;
  status.retries = 1;
  status.self_check_failures = 1;
  WorkerStatus busy;
  busy.backend = "cuda";
  busy.name = "NVIDIA H200";
  busy.uuid = "GPU-7d1c0c2e-52f4-3f7b-9c1d-0e6f5b1a2c3d";
  busy.memory = {74 * kGiB, 132 * kGiB};
  busy.memory_total_bytes = 139 * kGiB;
  busy.memory_free_bytes = 61 * kGiB;
  busy.job_id = kRunningJob;
  busy.partition = 4;
  busy.phase = "msm_h";
  busy.proofs = 212;
  busy.busy_ms = 3'900'000;
  WorkerStatus retired = busy;
  retired.index = 1;
  retired.uuid = "GPU-11aa0c2e-52f4-3f7b-9c1d-0e6f5b1a2c3d";
  retired.usable = false;
  retired.unusable_because = "retired after an illegal memory access in msm_a of job 5d2f7a10";
  retired.memory = {0, 132 * kGiB};
  retired.memory_free_bytes = 120 * kGiB;
  retired.job_id.clear();
  retired.faults = 1;
  WorkerStatus cpu;
  cpu.index = 2;
  cpu.backend = "cpu";
  cpu.name = "AMD EPYC 9654";
  cpu.proofs = 3;
  cpu.busy_ms = 12'000;
  status.workers = {busy, retired, cpu};
  status.circuits = {{"porep-32g", ProofKind::porep, 32 * kGiB, SrsState::ready, "", SrsTier::hot, 47 * kGiB,
                      2, false, 1, 0, 8420},
                     {"winning-32g", ProofKind::winning, 32 * kGiB, SrsState::ready, "", SrsTier::hot,
                      kGiB / 5, 0, true, 1, 0, 310},
                     {"wpost-32g", ProofKind::window, 32 * kGiB, SrsState::ready, "", SrsTier::cold,
                      61 * kGiB, 0, false, 3, 3, 11'900},
                     {"snap-32g", ProofKind::update, 32 * kGiB, SrsState::missing,
                      "/var/tmp/filecoin-proof-parameters/"
                      "v28-empty-sector-update-merkletree-poseidon_hasher-8-8-0.params does not exist",
                      SrsTier::cold, 0, 0, false, 0, 0, 0}};
  const std::uint64_t completed[] = {121, 40, 38, 11, 0};
  for (std::size_t i = 0; i < status.kinds.size(); ++i) {
    status.kinds[i].submitted = status.kinds[i].completed = completed[i];
    status.kinds[i].pending = i == 0 || i == 2 || i == 3 ? 1 : 0;
  }
  status.kinds[0].in_progress = 1;
  status.kinds[2].failed = 2;
}

}  // namespace

void put_busy_scene(FakeEngine& engine, double running_ms) {
  put_waiting(engine);
  put_finished(engine);
  engine.put(running_job(running_ms));
  engine.set_status(&set_figures);
}

}  // namespace cuzk
