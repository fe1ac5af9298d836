// What the sub-commands of `cuzk-bench` share beyond those of `cuzk` (command.h).
#pragma once

#include <memory>

#include "command.h"

namespace cuzk {

// Each adds one sub-command, or a group of them, to `app`. When one was chosen on the command line, *run is set to what carries it
// out. The first group runs in this process, the client talks to a daemon.
void add_synth_command(CLI::App& app, const CommonOptions& common, Run* run);
void add_ntt_command(CLI::App& app, const CommonOptions& common, Run* run);
void add_msm_command(CLI::App& app, const CommonOptions& common, Run* run);
void add_srs_command(CLI::App& app, const CommonOptions& common, Run* run);
void add_proof_command(CLI::App& app, const CommonOptions& common, Run* run);
void add_repeat_command(CLI::App& app, const CommonOptions& common, Run* run);
void add_gpu_command(CLI::App& app, const CommonOptions& common, Run* run);
void add_get_command(CLI::App& app, const CommonOptions& common, Run* run);
void add_job_commands(CLI::App& app, const CommonOptions& common, Run* run);
// Those that only a daemon can answer. In a build without gRPC the commands are there and say so.
void add_client_commands(CLI::App& app, const CommonOptions& common, Run* run);

// Prints for a person: lists become lines of their own, everything else is as print_report has it.
void print_for_reading(const Report& report, const CommonOptions& common);

// The machine, this build and its options: processor, features, threads, cores, memory, kernel, commit, version, time.
Report run_facts();

// An exception that carries a Status through a bench, which has nobody else to tell.
class BenchFailure : public std::exception {
 public:
  explicit BenchFailure(Status status) : status_(std::move(status)) {}
  const char* what() const noexcept override { return status_.message().c_str(); }
  const Status& status() const noexcept { return status_; }

 private:
  Status status_;
};

// The value, or throws BenchFailure.
template <class T>
T must(Result<T> result) {
  if (!result.is_ok()) throw BenchFailure(result.status());
  return std::move(result).value();
}
inline void must(const Status& status) {
  if (!status.is_ok()) throw BenchFailure(status);
}

// Runs `bench`, prints the report that it returns with the run's facts before it, and fails with "wrong answer" if any object in the
// report has "ok": false. A BenchFailure becomes its Status.
Outcome run_bench(const CommonOptions& common, const std::string& name, const std::function<Report()>& bench);

// Whether an object with "ok": false is anywhere in it.
bool has_wrong_answer(const Report& report);

}  // namespace cuzk
