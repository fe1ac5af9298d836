#include "job_runner.h"

#include <atomic>
#include <thread>

#include "backend_option.h"
#include "base/stopwatch.h"
#include "circuit/circuit_cache.h"
#include "engine/engine.h"
#include "interrupt.h"
#include "srs/parameter_file.h"
#include "srs/parameter_paths.h"
#include "timing_text.h"

namespace cuzk {
namespace {

class EngineRunner final : public JobRunner {
 public:
  EngineRunner(std::unique_ptr<Engine> engine, std::string device)
      : engine_(std::move(engine)), device_(std::move(device)) {}
  ~EngineRunner() override { engine_->shut_down(std::chrono::milliseconds(0)); }

  JobEnd run(const ClientRequest& request, const RunOptions& options) override {
    JobEnd end;
    end.kind = proof_kind_name(request.message.kind);
    const Stopwatch wall;
    const Result<Submitted> submitted = submit(request.message, options, end);
    end.submit_ms = wall.elapsed_ms();
    if (!submitted.is_ok()) {
      end.status = "REFUSED";
      end.error = submitted.status();
      return end;
    }
    end.job_id = submitted.value().job_id;
    std::optional<std::chrono::milliseconds> timeout;
    if (options.timeout_s > 0)
      timeout = std::chrono::milliseconds(static_cast<std::int64_t>(options.timeout_s * 1000));
    const Result<JobSnapshot> job = engine_->await(end.job_id, timeout, interrupted);
    end.wall_ms = wall.elapsed_ms();
    if (!job.is_ok()) {
      end.status = "FAILED";
      end.error = job.status();
      return end;
    }
    fill(job.value(), end);
    return end;
  }

 private:
  Result<Submitted> submit(const ProofRequest& request, const RunOptions& options, JobEnd& end) {
    for (;;) {
      Result<Submitted> submitted = engine_->submit(request);
      if (submitted.status().code() != StatusCode::resource_exhausted || end.retries >= options.max_retries ||
          interrupted())
        return submitted;
      ++end.retries;
      std::this_thread::sleep_for(std::chrono::milliseconds(engine_->retry_after_ms()));
    }
  }

  void fill(const JobSnapshot& job, JobEnd& end) {
    end.timings = job.timings;
    end.device = device_;
    end.spans = job.spans;
    if (job.state == JobState::completed) {
      end.status = "COMPLETED";
      end.proof = job.proof;
    } else if (is_final(job.state)) {
      end.status = job.state == JobState::failed ? "FAILED" : "CANCELLED";
      end.error = job.error ? Status(job.error->code, job.error->message)
                            : Status(StatusCode::cancelled, "cancelled");
    } else {
      set_given_up(end);
      (void)engine_->cancel(end.job_id).is_ok();
    }
  }

  std::unique_ptr<Engine> engine_;
  const std::string device_;
};

}  // namespace

void set_given_up(JobEnd& end) {
  end.status = interrupted() ? "CANCELLED" : "TIMEOUT";
  end.error = interrupted() ? Status(StatusCode::cancelled, "interrupted; the job is cancelled")
                            : unavailable("not ended in the time given; the job is cancelled");
}

Result<std::unique_ptr<JobRunner>> make_engine_runner(const EngineOptions& options, bool quiet) {
  CUZK_ASSIGN(Backends backends, make_backends(options.backend, options.gpus, quiet));
  std::vector<std::string> names = backend_names(backends);
  EngineConfig config;
  config.params_dir = options.params_dir;
  config.circuit_cache_dir = CircuitCache::default_directory();
  config.max_jobs = options.max_jobs;
  CUZK_ASSIGN(std::unique_ptr<Engine> engine,
              Engine::create(std::move(config), std::move(backends), nullptr, nullptr));
  return std::unique_ptr<JobRunner>(std::make_unique<EngineRunner>(std::move(engine), device_word(names)));
}

Result<std::shared_ptr<const PreparedVerifyingKey>> ProofChecker::key_of(const CircuitParameters& circuit) {
  const std::lock_guard lock(mutex_);
  auto& key = keys_[circuit.cache_id];
  if (key == nullptr) {
    CUZK_ASSIGN(VerifyingKey vk, read_verifying_key(parameter_paths(params_dir_, circuit.cache_id).vk));
    key = std::make_shared<const PreparedVerifyingKey>(std::move(vk));
  }
  return key;
}

void ProofChecker::check(const ProofInput& input, JobEnd& job) {
  if (job.status != "COMPLETED") return;
  const auto key = key_of(input.circuit());
  if (!key.is_ok()) {
    job.verified = key.status().message();
    return;
  }
  if (job.proof.size() != input.num_proofs() * Proof::kBytes) {
    job.verified = "invalid: " + std::to_string(job.proof.size()) + " bytes, " +
                   std::to_string(input.num_proofs() * Proof::kBytes) + " wanted";
    return;
  }
  for (std::size_t i = 0; i < input.num_proofs(); ++i) {
    const Result<Proof> proof =
        Proof::decode(std::span(job.proof).subspan(i * Proof::kBytes).first<Proof::kBytes>());
    const Status verdict =
        proof.is_ok() ? verify(*key.value(), input.public_inputs(i), proof.value()) : proof.status();
    if (!verdict.is_ok()) {
      job.verified = "invalid: partition " + std::to_string(input.partition_of(i)) + ": " + verdict.message();
      return;
    }
  }
  job.verified = "valid";
}

BatchResult run_batch(JobRunner& runner, const std::vector<ClientRequest>& requests, std::size_t count,
                      unsigned concurrency, const RunOptions& options, ProofChecker* checker,
                      Progress& progress) {
  BatchResult result;
  result.jobs.resize(count);
  result.started_ms.resize(count);
  std::atomic<std::size_t> next = 0, done = 0;
  std::atomic<bool> is_lost = false;
  const Stopwatch watch;
  const auto work = [&] {
    for (std::size_t i = next++; i < count && !interrupted() && !is_lost; i = next++) {
      ClientRequest request = requests[i % requests.size()];
      if (request.message.request_id.empty()) request.message.request_id = random_uuid();
      result.started_ms[i] = watch.elapsed_ms();
      JobEnd end = runner.run(request, options);
      end.verified = "not asked for";
      if (checker != nullptr) checker->check(*request.input, end);
      if (end.status == "LOST") is_lost = true;
      result.jobs[i] = std::move(end);
      progress.update("jobs", ++done, count);
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < std::min<std::size_t>(concurrency, count); ++i) threads.emplace_back(work);
  work();
  threads.clear();
  result.wall_ms = watch.elapsed_ms();
  progress.finish();
  return result;
}

}  // namespace cuzk
