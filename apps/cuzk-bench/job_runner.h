// JobRunner: takes requests and gives back how they ended; a daemon behind gRPC, or an engine in this process.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "groth16/verify.h"
#include "job_end.h"
#include "progress.h"
#include "request.h"

namespace cuzk {

struct RunOptions {
  double timeout_s = 0;  // for each job from its acceptance on; 0: none. A job that takes longer is cancelled
  // Of a submission that is refused because the queue or the memory is full, and of an accepted job whose daemon is gone.
  unsigned max_retries = 20;
  bool with_spans = false;  // also the phases, for a timeline
};

class JobRunner {
 public:
  virtual ~JobRunner() = default;
  // Submits, waits for the end; any number of threads. Never fails as a call: what went wrong is in the answer.
  virtual JobEnd run(const ClientRequest& request, const RunOptions& options) = 0;
};

// The end of a job whose runner waits no longer and cancels it: interrupted(), or the time is up.
void set_given_up(JobEnd& end);

struct EngineOptions {
  std::filesystem::path params_dir;
  std::string backend = "auto";
  std::string gpus;  // as --gpu; empty: all
  unsigned max_jobs = 256;
};
// The engine without server and journal.
Result<std::unique_ptr<JobRunner>> make_engine_runner(const EngineOptions& options, bool quiet);

// A proof against the inputs of its own request and a key from a parameter folder.
class ProofChecker {
 public:
  explicit ProofChecker(std::filesystem::path params_dir) : params_dir_(std::move(params_dir)) {}
  // Sets `verified` of a completed job. Any thread.
  void check(const ProofInput& input, JobEnd& job);

 private:
  Result<std::shared_ptr<const PreparedVerifyingKey>> key_of(const CircuitParameters& circuit);

  std::filesystem::path params_dir_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const PreparedVerifyingKey>> keys_;
};

// Runs requests[i % requests.size()] for i < count, at most `concurrency` at a time, until done, interrupted() or a job is LOST; those that were
// not begun have no status. `checker` may be null.
struct BatchResult {
  std::vector<JobEnd> jobs;
  std::vector<double> started_ms;  // since the batch began
  double wall_ms = 0;
};
BatchResult run_batch(JobRunner& runner, const std::vector<ClientRequest>& requests, std::size_t count,
                      unsigned concurrency, const RunOptions& options, ProofChecker* checker,
                      Progress& progress);

}  // namespace cuzk
