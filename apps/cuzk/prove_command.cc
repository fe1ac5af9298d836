// `cuzk prove`: vanilla proofs in, 192 bytes a partition out.
#include <cstdio>

#include "backend_option.h"
#include "base/bytes.h"
#include "base/stopwatch.h"
#include "command.h"
#include "input_options.h"
#include "proof_job.h"
#include "proof_result.h"
#include "srs/parameter_paths.h"
#include "timing_text.h"
#include "whole_file.h"

namespace cuzk {
namespace {

struct Options {
  InputOptions input;
  std::string params_dir;
  std::string out;
  std::string backend = "cpu";
  std::string gpus;
  bool test_blinding = false;
  bool timing = false;
};

struct Proved {
  ProofResult result;
  std::vector<PhaseSpan> spans;
  std::vector<std::string> backends;  // by worker
};

Report proved_report(const Proved& proved, const Options& options) {
  const ProofResult& result = proved.result;
  Report phases = Report::array();
  for (const PhaseSpan& span : proved.spans) {
    Report entry = {{"phase", span.phase}, {"ms", span.ms}};
    if (span.partition >= 0) entry["partition"] = span.partition;
    if (span.worker >= 0) entry["worker"] = span.worker;
    phases.push_back(std::move(entry));
  }
  Report report = {
      {"status", result.status},
      {"job_id", result.job_id},
      {"backend", proved.backends.front()},
      {"workers", proved.backends.size()},
      {"proof_bytes", result.proof.size()},
      {"proof", to_hex(result.proof)},
      {"timings_ms", timings_report(result)},
      {"phases", std::move(phases)},
      {"peak_memory_bytes", peak_memory_bytes()},
  };
  if (!options.out.empty()) report["out"] = options.out;
  return report;
}

Proved proved_by(JobSnapshot job, const PhaseSpan& parse, std::vector<std::string> backends) {
  Proved proved{
      {"COMPLETED", job.job_id, job.timings, device_word(backends), 0, std::move(job.proof)}, {parse}, {}};
  proved.spans.insert(proved.spans.end(), job.spans.begin(), job.spans.end());
  proved.backends = std::move(backends);
  return proved;
}

std::string input_name(const InputOptions& input) {
  return input.c1.empty() ? "--kind " + input.kind : input.c1;
}

Result<Proved> prove(const Options& options, const CommonOptions& common) {
  const Stopwatch parse;
  CUZK_ASSIGN(std::shared_ptr<const ProofInput> input, options.input.read());
  const PhaseSpan parse_span{.phase = "parse", .ms = parse.elapsed_ms()};
  if (options.timing) std::fprintf(stderr, "%s\n", timing_line(parse_span, {}).c_str());
  const std::size_t most = options.gpus.empty() ? 1 : kEveryGpu;
  CUZK_ASSIGN(Backends backends, make_backends(options.backend, options.gpus, common.quiet, most));
  std::vector<std::string> names = backend_names(backends);
  Progress progress(common.quiet);
  const ProofJobOptions job_options{
      options.params_dir.empty() ? parameter_directory() : std::filesystem::path(options.params_dir),
      options.test_blinding, options.timing, common.quiet};
  Result<JobSnapshot> job = run_proof_job(std::move(input), job_options, std::move(backends), progress);
  if (job.is_ok()) return proved_by(std::move(job).value(), parse_span, std::move(names));
  // A bad parameter file has its own name in the message; everything else is about the input.
  if (job.status().code() == StatusCode::unavailable) return job.status();
  return job.status().with_context(input_name(options.input));
}

Outcome run_prove(const Options& options, const CommonOptions& common) {
  const Stopwatch wall;
  if (options.test_blinding) {
    std::fprintf(stderr, "cuzk: warning: --test-blinding: r and s are public, so this proof hides nothing\n");
  }
  if (!options.out.empty()) {
    const Status writable = check_writable(options.out);
    if (!writable.is_ok()) return {writable, kExitFailure};
  }
  Result<Proved> proved = prove(options, common);
  if (!proved.is_ok()) return proved.status();
  ProofResult& result = proved.value().result;
  Outcome outcome = Status::ok();
  // A proof for which there is no room is printed all the same.
  if (!options.out.empty()) outcome = {write_file(options.out, result.proof), kExitFailure};
  outcome.report_printed = true;
  result.wall_ms = wall.elapsed_ms();
  if (common.json) {
    print_report(proved_report(proved.value(), options), common);
  } else {
    std::printf("%s", proof_result_text(result).c_str());
  }
  return outcome;
}

}  // namespace

void add_prove_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command =
      app.add_subcommand("prove", "prove a sector (PoRep, PoSt, update), verify the proof, write it");
  const auto options = std::make_shared<Options>();
  options->input.add_to(*command, true);
  add_params_dir_option(*command, &options->params_dir);
  add_backend_option(*command, &options->backend);
  add_gpu_option(*command, &options->gpus, "the first that can be used");
  command->add_option("--out", options->out, "write the proof here: 192 bytes a partition")
      ->type_name("FILE");
  command->add_flag(
      "--test-blinding", options->test_blinding,
      "published blinding scalars, so that test vectors come out byte for byte; never for real sectors");
  command->add_flag("--timing", options->timing, "a CUZK_TIMING line on stderr for every phase");
  command->callback([=, &common] { *run = [=, &common] { return run_prove(*options, common); }; });
}

}  // namespace cuzk
