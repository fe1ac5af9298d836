// `cuzk-bench single`, `batch` and `mixed`: jobs for a daemon, or with --in-process for an engine in this process.
#include <cstdio>

#include "backend_option.h"
#include "bench_command.h"
#include "circuit_option.h"
#include "daemon_runner.h"
#include "interrupt.h"
#include "job_runner.h"
#include "samples.h"
#include "srs/parameter_paths.h"
#include "timeline.h"
#include "whole_file.h"

namespace cuzk {
namespace {

struct Options {
  DaemonOptions daemon;
  EngineOptions engine;
  RequestOptions request;
  RunOptions run;
  std::vector<std::string> kinds = {"porep", "winning", "window", "update"};
  std::string sector_size = "2KiB";
  std::string params_dir;
  std::string timeline;
  std::string out;
  std::size_t count = 1;
  unsigned concurrency = 1;
  bool in_process = false;
  bool verify = false;
};

Status write_timeline(const std::string& path, const BatchResult& batch) {
  std::vector<TimelineJob> jobs;
  for (std::size_t i = 0; i < batch.jobs.size(); ++i) {
    const JobEnd& job = batch.jobs[i];
    if (!job.spans.empty())
      jobs.push_back(
          {job.kind + ' ' + job.job_id.substr(0, 8), batch.started_ms[i] + job.submit_ms, job.spans});
  }
  return write_file(path, timeline_svg(jobs));
}

// Before anything is printed, which ends the process if nobody reads it.
Status write_files(const Options& options, const BatchResult& batch) {
  const JobEnd& first = batch.jobs.front();
  Status written = Status::ok();
  if (!options.out.empty() && first.status == "COMPLETED") written = write_file(options.out, first.proof);
  if (options.timeline.empty()) return written;
  const Status drawn = write_timeline(options.timeline, batch);
  return written.is_ok() ? drawn : written;
}

void print_jobs(const BatchResult& batch, bool is_single, const CommonOptions& common) {
  const Report summary = summary_of(batch.jobs, batch.wall_ms);
  if (common.json) {
    if (is_single) return print_report(job_end_report(batch.jobs.front(), true), common);
    Report jobs = Report::array();
    for (const JobEnd& job : batch.jobs) jobs.push_back(job_end_report(job, false));
    return print_report({{"run", run_facts()}, {"summary", summary}, {"jobs", jobs}}, common);
  }
  for (const JobEnd& job : batch.jobs) std::printf("%s\n", job_end_text(job).c_str());
  if (!is_single) print_report(summary, common);
}

Outcome outcome_of(const BatchResult& batch) {
  for (const JobEnd& job : batch.jobs) {
    if (job.is_good()) continue;
    const Status why = job.error.is_ok() ? prover_fault("the proof is " + job.verified) : job.error;
    Outcome outcome(why.with_context(job.job_id.empty() ? "not accepted" : "job " + job.job_id),
                    exit_code_of(batch.jobs));
    outcome.report_printed = true;
    return outcome;
  }
  return Status::ok();
}

Outcome run_jobs(const Options& options, const std::vector<ClientRequest>& requests, bool is_single,
                 const CommonOptions& common) {
  for (const std::string& path : {options.out, options.timeline}) {
    const Status writable = path.empty() ? Status::ok() : check_writable(path);
    if (!writable.is_ok()) return {writable, kExitFailure};
  }
  const auto directory =
      options.params_dir.empty() ? parameter_directory() : std::filesystem::path(options.params_dir);
  EngineOptions engine = options.engine;
  engine.params_dir = directory;
  Result<std::unique_ptr<JobRunner>> runner =
      options.in_process ? make_engine_runner(engine, common.quiet) : make_daemon_runner(options.daemon);
  if (!runner.is_ok()) return runner.status();
  RunOptions run = options.run;
  run.with_spans = !options.timeline.empty();
  ProofChecker checker(directory);
  Progress progress(common.quiet);
  catch_interrupts();
  BatchResult batch = run_batch(*runner.value(), requests, options.count, options.concurrency, run,
                                options.verify ? &checker : nullptr, progress);
  const Status written = write_files(options, batch);
  std::erase_if(batch.jobs, [](const JobEnd& job) { return job.status.empty(); });  // never begun
  if (batch.jobs.empty()) return {Status(StatusCode::cancelled, "interrupted"), kExitInterrupted};
  print_jobs(batch, is_single, common);
  Outcome outcome = outcome_of(batch);
  if (interrupted()) {
    outcome = {Status(StatusCode::cancelled, "interrupted"), kExitInterrupted};
  } else if (!written.is_ok()) {
    outcome = {written, kExitFailure};
  }
  outcome.report_printed = true;
  return outcome;
}

void add_shared(CLI::App& command, Options& options) {
  options.daemon.add_to(command);
  command.add_flag("--in-process", options.in_process, "no daemon: an engine in this process");
  add_params_dir_option(command, &options.params_dir);
  options.engine.backend = "auto";
  add_backend_option(command, &options.engine.backend);
  add_gpu_option(command, &options.engine.gpus, "all that can be used");
  command.add_flag("--verify", options.verify,
                   "check each proof against its own inputs and the .vk file in the parameter folder");
  command.add_option("--timeout", options.run.timeout_s,
                     "seconds for a job, then it is cancelled (default: none)");
  command
      .add_option("--retries", options.run.max_retries,
                  "of a submission while the daemon is full, and of an accepted job whose daemon is gone")
      ->capture_default_str();
  command.add_option("--timeline", options.timeline, "write a picture of all phases")->type_name("SVG");
}

void add_many(CLI::App& command, Options& options) {
  command.add_option("--count", options.count, "jobs")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command.add_option("--concurrency", options.concurrency, "jobs at a time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

Outcome run_files(const Options& options, bool is_single, const CommonOptions& common) {
  Result<ClientRequest> request = options.request.read();
  if (!request.is_ok()) return request.status();
  return run_jobs(options, {std::move(request).value()}, is_single, common);
}

Outcome run_mixed(const Options& options, const CommonOptions& common) {
  std::vector<ClientRequest> requests;
  for (const std::string& kind : options.kinds) {
    Result<ClientRequest> request = generate_request(kind, options.sector_size, requests.size());
    if (!request.is_ok()) return request.status();
    requests.push_back(std::move(request).value());
  }
  return run_jobs(options, requests, false, common);
}

}  // namespace

void add_job_commands(CLI::App& app, const CommonOptions& common, Run* run) {
  for (const bool is_single : {true, false}) {
    CLI::App* command =
        is_single ? app.add_subcommand("single", "one job: submit, wait, print the proof")
                  : app.add_subcommand("batch", "the same input many times: percentiles, throughput");
    const auto options = std::make_shared<Options>();
    options->request.add_to(*command);
    add_shared(*command, *options);
    if (is_single) {
      command->add_option("--out", options->out, "write the proof here")->type_name("FILE");
    } else {
      add_many(*command, *options);
    }
    command->callback(
        [=, &common] { *run = [=, &common] { return run_files(*options, is_single, common); }; });
  }
  CLI::App* command = app.add_subcommand("mixed", "generated jobs of several kinds in turn");
  const auto options = std::make_shared<Options>();
  options->count = 4;
  add_shared(*command, *options);
  add_many(*command, *options);
  command->add_option("--kinds", options->kinds, "in this order, over and over")
      ->check(CLI::IsMember({"porep", "winning", "window", "update"}));
  add_sector_size_option(*command, &options->sector_size, "of all")->capture_default_str();
  command->callback([=, &common] { *run = [=, &common] { return run_mixed(*options, common); }; });
}

}  // namespace cuzk
