#include "proof_job.h"

#include <cstdio>
#include <string_view>

#include "circuit/circuit_cache.h"
#include "engine/engine.h"

namespace cuzk {
namespace {

constexpr std::string_view kCacheNote = "circuit cache: ";

// Shows a person, and whoever reads CUZK_TIMING lines, what the engine does.
class JobObserver final : public EngineObserver {
 public:
  JobObserver(const ProofJobOptions& options, Progress& progress) : options_(options), progress_(progress) {}

  void span_ended(const JobSnapshot& job, const PhaseSpan& span) override {
    if (options_.print_timing) print_timing(span);
    const std::size_t phases = job.partitions * kNumProvePhases;
    if (span.worker >= 0 && span.partition >= 0 && span.phase != "overhead")
      progress_.update("proving", ++phases_done_, phases);
  }
  void job_changed(const JobSnapshot&) override {}
  void note(Level, const std::string& text) override {
    if (!options_.quiet && text.starts_with(kCacheNote)) std::fprintf(stderr, "cuzk: %s\n", text.c_str());
  }
  void load_progress(const std::string&, std::string_view step, std::uint64_t done,
                     std::uint64_t total) override {
    progress_.update(std::string(step), done, total);
  }

 private:
  const ProofJobOptions& options_;
  Progress& progress_;
  std::size_t phases_done_ = 0;
};

// What is wrong with the input is said before what is wrong with the parameters.
Status refusal(const ProofInput& input, const Status& refused) {
  if (refused.code() != StatusCode::unavailable) return refused;
  const std::vector<InputFinding> findings = input.validate(true);
  return findings.empty() ? refused : invalid_argument(findings.front().text);
}

}  // namespace

void print_timing(const PhaseSpan& span) {
  const std::string partition = span.partition < 0 ? "" : " partition=" + std::to_string(span.partition);
  std::fprintf(stderr, "CUZK_TIMING phase=%s%s ms=%.1f\n", span.phase.c_str(), partition.c_str(), span.ms);
}

Result<JobSnapshot> run_proof_job(std::shared_ptr<const ProofInput> input, const ProofJobOptions& options,
                                  std::unique_ptr<Backend> backend, Progress& progress) {
  JobObserver observer(options, progress);
  EngineConfig config;
  config.params_dir = options.params_dir;
  config.circuit_cache_dir = CircuitCache::default_directory();
  config.max_jobs = 1;
  config.warm_up = false;
  std::vector<std::unique_ptr<Backend>> backends;
  backends.push_back(std::move(backend));
  CUZK_ASSIGN(const std::unique_ptr<Engine> engine,
              Engine::create(std::move(config), std::move(backends), nullptr, &observer));
  const Result<Submitted> submitted =
      engine->submit(input, Priority::normal, {.test_blinding = options.test_blinding});
  if (!submitted.is_ok()) return refusal(*input, submitted.status());
  CUZK_ASSIGN(JobSnapshot job, engine->await(submitted.value().job_id, std::nullopt));
  progress.finish();
  if (job.error) return Status(job.error->code, job.error->message);
  return job;
}

}  // namespace cuzk
