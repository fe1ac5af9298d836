// `cuzk setup`: makes parameters for tests, from published toxic scalars. They are byte for byte those that the reference
// generator makes from the same scalars, and worth nothing: everybody can forge proofs for them.
#include <cstdio>
#include <filesystem>

#include "backend_option.h"
#include "base/stopwatch.h"
#include "cached_circuit.h"
#include "circuit_option.h"
#include "command.h"
#include "interrupt.h"
#include "progress_observers.h"
#include "srs/parameter_file.h"
#include "srs/parameter_paths.h"
#include "srs/parameter_writer.h"
#include "test_scalar.h"

namespace cuzk {
namespace {

struct Options {
  CircuitOption circuit;
  std::string params_dir;
  std::string backend = "cpu";
  bool force = false;
  bool timing = false;
};

constexpr const char* kWarning =
    "cuzk: WARNING: these parameters are for tests only. Their secret scalars are published, so anybody can "
    "forge proofs for\n"
    "cuzk: WARNING: them. Never use them on a network, and never put them into a folder that a production "
    "prover reads.\n";

Status refuse_existing(const ParameterPaths& paths) {
  for (const std::filesystem::path& path : {paths.params, paths.vk}) {
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) {
      return invalid_argument(path.string() + ": exists already; --force replaces it");
    }
  }
  return Status::ok();
}

// What a setup spends its time on: "circuit", then the steps of its progress, then "finish", which waits for the disk.
class SetupTimes final : public ProgressObserver {
 public:
  SetupTimes(ProgressObserver& next, bool print) : next_(next), print_(print) {}
  ~SetupTimes() override { end_step(); }
  void progress(std::string_view step, std::uint64_t done, std::uint64_t total) override {
    add(std::string(step));
    next_.progress(step, done, total);
  }
  // The time since the last call was the step's.
  void add(const std::string& step) {
    if (step != step_) end_step();
    step_ = step;
    ms_ += watch_.elapsed_ms();
    watch_.restart();
  }
  const Report& steps() {
    end_step();
    return steps_;
  }

 private:
  void end_step() {
    if (step_.empty()) return;
    if (print_) std::fprintf(stderr, "CUZK_TIMING phase=setup_%s ms=%.1f\n", step_.c_str(), ms_);
    steps_[step_] = ms_;
    step_.clear();
    ms_ = 0;
  }

  ProgressObserver& next_;
  const bool print_;
  Stopwatch watch_;
  std::string step_;
  double ms_ = 0;
  Report steps_ = Report::object();
};

// The same files whatever the order in which they appear: the parameters last but for the note that marks them.
Status write_parameters(const SetupBackend& backend, const R1cs& r1cs, const ParameterPaths& paths,
                        std::uint64_t sector_size, SetupTimes& times) {
  CUZK_TRY(write_meta(paths.meta, {sector_size, true}));
  CUZK_ASSIGN(ParameterWriter writer, ParameterWriter::create(paths.params));
  InterruptibleSink sink(writer);
  CUZK_TRY(backend.setup(r1cs, test_toxic_waste(), sink, &times));
  CUZK_ASSIGN(const ParameterFile file,
              ParameterFile::open(paths.params, SrsCounts::of(r1cs, r1cs.densities())));
  CUZK_TRY(write_verifying_key(paths.vk, file.vk()));
  times.add("finish");
  return Status::ok();
}

Outcome run_setup(const Options& options, const CommonOptions& common) {
  const Result<const CircuitParameters*> found = options.circuit.find();
  if (!found.is_ok()) return found.status();
  const CircuitParameters& circuit = *found.value();
  const std::filesystem::path directory =
      options.params_dir.empty() ? parameter_directory() : std::filesystem::path(options.params_dir);
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return {unavailable(directory.string() + ": cannot be made: " + error.message()), kExitFailure};
  const ParameterPaths paths = parameter_paths(directory, circuit.cache_id);
  if (!options.force) {
    const Status fresh = refuse_existing(paths);
    if (!fresh.is_ok()) return fresh;
  }
  const Result<SetupBackend> backend = make_setup(options.backend, common.quiet);
  if (!backend.is_ok()) return backend.status();
  std::fputs(kWarning, stderr);
  catch_interrupts();

  const Stopwatch watch;
  Progress progress(common.quiet);
  LoadProgress observer(progress);
  SetupTimes times(observer, options.timing);
  const R1cs r1cs = cached_circuit(circuit, common.quiet);
  times.add("circuit");
  const Status written = write_parameters(backend.value(), r1cs, paths, circuit.shape->size_bytes, times);
  progress.finish();
  if (!written.is_ok()) {
    // Parameters that are there, from before or complete but for the key, keep the note that marks them.
    if (!std::filesystem::exists(paths.params, error)) std::filesystem::remove(paths.meta, error);
    return {written, written.code() == StatusCode::cancelled ? kExitInterrupted : kExitFailure};
  }
  print_report({{"circuit", options.circuit.circuit},
                {"sector_size", circuit.shape->name},
                {"test_only", true},
                {"backend", backend.value().name},
                {"params", paths.params.string()},
                {"params_bytes", std::filesystem::file_size(paths.params, error)},
                {"vk", paths.vk.string()},
                {"total_ms", watch.elapsed_ms()},
                {"steps_ms", times.steps()},
                {"peak_memory_bytes", peak_memory_bytes()}},
               common);
  return Status::ok();
}

}  // namespace

void add_setup_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command = app.add_subcommand("setup", "make parameters for tests (never for production)");
  const auto options = std::make_shared<Options>();
  options->circuit.add_to(*command);
  add_params_dir_option(*command, &options->params_dir);
  add_backend_option(*command, &options->backend);
  command->add_flag("--force", options->force, "replace existing files");
  command->add_flag("--timing", options->timing, "a CUZK_TIMING line on stderr for every step");
  command->callback([=, &common] { *run = [=, &common] { return run_setup(*options, common); }; });
}

}  // namespace cuzk
