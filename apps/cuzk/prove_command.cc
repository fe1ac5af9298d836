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

// A random version 4 UUID (RFC 9562).
Result<std::string> random_job_id() {
  CUZK_ASSIGN(const Fr random, random_fr());
  auto bytes = random.to_bytes_le();
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3f) | 0x80);
  const std::string hex = to_hex(std::span(bytes).first(16));
  return hex.substr(0, 8) + '-' + hex.substr(8, 4) + '-' + hex.substr(12, 4) + '-' + hex.substr(16, 4) + '-' +
         hex.substr(20, 12);
}

void print_result(const ProofResult& result, const std::string& job_id, double wall_ms) {
  std::printf("=== Proof Result ===\n");
  std::printf("status:    COMPLETED\n");
  std::printf("job_id:    %s\n", job_id.c_str());
  const char* device = result.backend == "cuda" ? "gpu" : result.backend.c_str();
  std::printf("timings:   total=%.0f ms (queue=0 ms, srs=%.0f ms, synth=%.0f ms, %s=%.0f ms)\n",
              result.total_ms, result.srs_ms, result.synth_ms, device, result.prove_ms);
  std::printf("wall time: %.0f ms\n", wall_ms);
  std::printf("proof:     %zu bytes (hex: %s...\n", result.proof.size(),
              to_hex(std::span(result.proof).first(5)).c_str());
}

Report result_report(const ProofResult& result, const std::string& job_id, double wall_ms,
                     const Options& options) {
  Report phases = Report::array();
  for (const PhaseTime& phase : result.phases) {
    Report entry = {{"phase", phase.phase}, {"ms", phase.ms}};
    if (phase.partition >= 0) entry["partition"] = phase.partition;
    phases.push_back(std::move(entry));
  }
  Report report = {
      {"status", "COMPLETED"},
      {"job_id", job_id},
      {"backend", result.backend},
      {"proof_bytes", result.proof.size()},
      {"proof", to_hex(result.proof)},
      {"timings_ms",
       {{"total", result.total_ms},
        {"queue", 0.0},
        {"srs", result.srs_ms},
        {"synth", result.synth_ms},
        {"prove", result.prove_ms},
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
  CUZK_ASSIGN(const std::unique_ptr<ProofInput> input, options.input.read());
  const double parse_ms = parse.elapsed_ms();
  CUZK_ASSIGN(const std::unique_ptr<Backend> backend,
              make_backend(options.backend, common.quiet, options.gpu));
  Progress progress(common.quiet);
  ProofJobOptions job_options{
      options.params_dir.empty() ? parameter_directory() : std::filesystem::path(options.params_dir),
      options.test_blinding, options.timing, common.quiet};
  ProofJob job(*input, std::move(job_options), *backend, progress);
  job.add_phase("parse", -1, parse_ms);
  Result<ProofResult> result = job.run();
  // A bad parameter file has its own name in the message; everything else is about the input.
  if (!result.is_ok() && result.status().code() != StatusCode::unavailable) {
    return result.status().with_context(input_name(options.input));
  }
  return result;
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
  const Result<std::string> job_id = random_job_id();
  if (!job_id.is_ok()) return job_id.status();
  const Result<ProofResult> result = prove(options, common);
  if (!result.is_ok()) return result.status();
  if (!options.out.empty()) {
    const Status written = write_proof(options.out, result.value().proof);
    if (!written.is_ok()) return {written, kExitFailure};
  }
  if (common.json) {
    print_report(result_report(result.value(), job_id.value(), wall.elapsed_ms(), options), common);
  } else {
    print_result(result.value(), job_id.value(), wall.elapsed_ms());
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
