// `cuzk prove`: vanilla proofs in, 192 bytes a partition out.
#include <unistd.h>

#include <cstdio>

#include "backend_option.h"
#include "base/bytes.h"
#include "base/stopwatch.h"
#include "command.h"
#include "input_options.h"
#include "proof_job.h"
#include "srs/atomic_file.h"
#include "srs/parameter_paths.h"

namespace cuzk {
namespace {

struct Options {
  InputOptions input;
  std::string params_dir;
  std::string out;
  std::string backend = "cpu";
  std::string gpu = kAllGpus;
  bool test_blinding = false;
  bool timing = false;
};

struct ProofResult {
  JobSnapshot job;
  PhaseSpan parse;
  std::string backend;
};

void print_result(const ProofResult& result, double wall_ms) {
  const JobTimings& timings = result.job.timings;
  std::printf("=== Proof Result ===\n");
  std::printf("status:    COMPLETED\n");
  std::printf("job_id:    %s\n", result.job.job_id.c_str());
  const char* device = result.backend == "cuda" ? "gpu" : result.backend.c_str();
  std::printf("timings:   total=%.0f ms (queue=%.0f ms, srs=%.0f ms, synth=%.0f ms, %s=%.0f ms)\n",
              timings.total, timings.queue, timings.srs, timings.synth, device, timings.prove);
  std::printf("wall time: %.0f ms\n", wall_ms);
  std::printf("proof:     %zu bytes (hex: %s...\n", result.job.proof.size(),
              to_hex(std::span(result.job.proof).first(5)).c_str());
}

Report result_report(const ProofResult& result, double wall_ms, const Options& options) {
  const JobTimings& timings = result.job.timings;
  Report phases = Report::array();
  const auto add = [&](const PhaseSpan& span) {
    Report entry = {{"phase", span.phase}, {"ms", span.ms}};
    if (span.partition >= 0) entry["partition"] = span.partition;
    phases.push_back(std::move(entry));
  };
  add(result.parse);
  for (const PhaseSpan& span : result.job.spans) add(span);
  Report report = {
      {"status", "COMPLETED"},
      {"job_id", result.job.job_id},
      {"backend", result.backend},
      {"proof_bytes", result.job.proof.size()},
      {"proof", to_hex(result.job.proof)},
      {"timings_ms",
       {{"total", timings.total},
        {"queue", timings.queue},
        {"srs", timings.srs},
        {"synth", timings.synth},
        {"prove", timings.prove},
        {"wall", wall_ms}}},
      {"phases", std::move(phases)},
      {"peak_memory_bytes", peak_memory_bytes()},
  };
  if (!options.out.empty()) report["out"] = options.out;
  return report;
}

std::string input_name(const InputOptions& input) {
  return input.c1.empty() ? "--kind " + input.kind : input.c1;
}

Result<ProofResult> prove(const Options& options, const CommonOptions& common) {
  const Stopwatch parse;
  CUZK_ASSIGN(std::shared_ptr<const ProofInput> input, options.input.read());
  const PhaseSpan parse_span{.phase = "parse", .ms = parse.elapsed_ms()};
  if (options.timing) print_timing(parse_span);
  CUZK_ASSIGN(std::unique_ptr<Backend> backend, make_backend(options.backend, common.quiet, options.gpu));
  const std::string backend_name(backend->name());
  Progress progress(common.quiet);
  const ProofJobOptions job_options{
      options.params_dir.empty() ? parameter_directory() : std::filesystem::path(options.params_dir),
      options.test_blinding, options.timing, common.quiet};
  Result<JobSnapshot> job = run_proof_job(std::move(input), job_options, std::move(backend), progress);
  if (job.is_ok()) return ProofResult{std::move(job).value(), parse_span, backend_name};
  // A bad parameter file has its own name in the message; everything else is about the input.
  if (job.status().code() == StatusCode::unavailable) return job.status();
  return job.status().with_context(input_name(options.input));
}

// A folder that is missing or not writable shows now and not after minutes of proving.
Status check_writable(const std::string& path) {
  return AtomicFile::create(path).status();
}

Status write_proof(const std::string& path, std::span<const std::uint8_t> proof) {
  CUZK_ASSIGN(AtomicFile file, AtomicFile::create(path));
  CUZK_TRY(file.write(proof));
  return file.commit();
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
  const Result<ProofResult> result = prove(options, common);
  if (!result.is_ok()) return result.status();
  if (!options.out.empty()) {
    const Status written = write_proof(options.out, result.value().job.proof);
    if (!written.is_ok()) return {written, kExitFailure};
  }
  if (common.json) {
    print_report(result_report(result.value(), wall.elapsed_ms(), options), common);
  } else {
    print_result(result.value(), wall.elapsed_ms());
  }
  return Status::ok();
}

}  // namespace

void add_prove_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command =
      app.add_subcommand("prove", "prove a sector (PoRep, PoSt, update), verify the proof, write it");
  const auto options = std::make_shared<Options>();
  options->input.add_to(*command, true);
  add_params_dir_option(*command, &options->params_dir);
  add_backend_option(*command, &options->backend);
  add_gpu_option(*command, &options->gpu);
  command->add_option("--out", options->out, "write the proof here: 192 bytes a partition")
      ->type_name("FILE");
  command->add_flag(
      "--test-blinding", options->test_blinding,
      "published blinding scalars, so that test vectors come out byte for byte; never for real sectors");
  command->add_flag("--timing", options->timing, "a CUZK_TIMING line on stderr for every phase");
  command->callback([=, &common] { *run = [=, &common] { return run_prove(*options, common); }; });
}

}  // namespace cuzk
