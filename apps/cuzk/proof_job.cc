#include "proof_job.h"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <set>
#include <string_view>

#include "circuit/circuit_cache.h"
#include "engine/engine.h"
#include "timing_text.h"

namespace cuzk {
namespace {

constexpr std::string_view kCacheNote = "circuit cache: ";

// Shows a person, and whoever reads CUZK_TIMING lines, what the engine does.
class JobObserver final : public EngineObserver {
 public:
  JobObserver(const ProofJobOptions& options, std::vector<std::string> backends, Progress& progress)
      : options_(options), backends_(std::move(backends)), progress_(progress) {}

  void span_ended(const JobSnapshot& job, const PhaseSpan& span) override {
    if (options_.print_timing) std::fprintf(stderr, "%s\n", timing_line(span, backends_).c_str());
    if (span.worker < 0 || span.partition < 0 || span.phase == "overhead") return;
    const std::size_t phases = job.partitions * kNumProvePhases;
    const std::lock_guard lock(mutex_);
    phases_done_ = std::min(phases_done_ + 1, phases);  // a partition that is made again has more
    progress_.update("proving", phases_done_, phases);
  }
  void job_changed(const JobSnapshot&) override {}
  void note(Level, const std::string& text) override {
    if (!options_.quiet && text.starts_with(kCacheNote)) std::fprintf(stderr, "cuzk: %s\n", text.c_str());
  }
  void load_progress(const std::string&, std::string_view step, std::uint64_t done,
                     std::uint64_t total) override {
    const std::lock_guard lock(mutex_);
    if (!load_.follow(step, done) || phases_done_ > 0) return;
    progress_.update(std::string(step), done, total);
  }

 private:
  // Of several backends that load at a time, the one that is ahead.
  class FastestLoad {
   public:
    // Whether no other load has come as far.
    bool follow(std::string_view step, std::uint64_t done) {
      if (step != step_) {
        if (!begun_.insert(std::string(step)).second) return false;
        step_ = step;
        done_ = 0;
      }
      if (done < done_) return false;
      done_ = done;
      return true;
    }

   private:
    std::set<std::string> begun_;
    std::string step_;
    std::uint64_t done_ = 0;
  };

  const ProofJobOptions& options_;
  const std::vector<std::string> backends_;
  Progress& progress_;
  std::mutex mutex_;  // loads are reported from the threads that load
  FastestLoad load_;
  std::size_t phases_done_ = 0;
};

// What is wrong with the input is said before what is wrong with the parameters.
Status refusal(const ProofInput& input, const Status& refused) {
  if (refused.code() != StatusCode::unavailable) return refused;
  const std::vector<InputFinding> findings = input.validate(true);
  return findings.empty() ? refused : invalid_argument(findings.front().text);
}

}  // namespace

Result<JobSnapshot> run_proof_job(std::shared_ptr<const ProofInput> input, const ProofJobOptions& options,
                                  Backends backends, Progress& progress) {
  JobObserver observer(options, backend_names(backends), progress);
  EngineConfig config;
  config.params_dir = options.params_dir;
  config.circuit_cache_dir = CircuitCache::default_directory();
  config.max_jobs = 1;
  config.warm_up = false;
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
