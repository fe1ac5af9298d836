// `cuzk circuits` and `cuzk check-params`: what can be proved, and whether the parameter files for it are ready.
#include <filesystem>
#include <set>

#include "base/bytes.h"
#include "cached_circuit.h"
#include "circuit_option.h"
#include "command.h"
#include "groth16/srs_view.h"
#include "published_digest.h"
#include "srs/mapped_file.h"
#include "srs/parameter_file.h"
#include "srs/parameter_paths.h"

namespace cuzk {
namespace {

struct CircuitsOptions {
  std::string circuit;
  std::string sector_size;
};

// Whether a row is asked for; empty strings ask for all.
bool wanted(const CircuitParameters& circuit, const std::string& kind, const std::string& size) {
  return (kind.empty() || kind == proof_kind_name(circuit.kind)) &&
         (size.empty() || size == circuit.shape->name);
}

Report circuit_report(const CircuitParameters& circuit, bool quiet) {
  const R1cs r1cs = cached_circuit(circuit, quiet);
  const SrsCounts counts = SrsCounts::of(r1cs, r1cs.densities());
  Report proofs = Report::array();
  for (const RegisteredProof& proof : all_registered_proofs()) {
    if (proof.parameters == &circuit) proofs.push_back(std::to_string(proof.number) + " " + proof.name);
  }
  return {{"circuit", proof_kind_name(circuit.kind)},
          {"sector_size", circuit.shape->name},
          {"constraints", r1cs.num_constraints()},
          {"public_inputs", r1cs.num_inputs() - 1},
          {"aux", r1cs.num_aux()},
          {"log2_domain", r1cs.log_domain()},
          {"params_bytes", counts.file_bytes()},
          {"params_file", circuit.params_file()},
          {"params_digest", circuit.params_digest},
          {"registered_proofs", std::move(proofs)}};
}

Outcome run_circuits(const CircuitsOptions& options, const CommonOptions& common) {
  Report rows = Report::array();
  if (!common.json) {
    std::printf("%-15s %-7s %13s %8s %6s %15s  %s\n", "circuit", "sector", "constraints", "inputs", "log2 m",
                "params bytes", "registered proofs");
  }
  for (const CircuitParameters& circuit : all_circuit_parameters()) {
    if (!wanted(circuit, options.circuit, options.sector_size)) continue;
    Report row = circuit_report(circuit, common.quiet);
    if (!common.json) {
      std::string proofs;
      for (const auto& proof : row["registered_proofs"]) {
        proofs += (proofs.empty() ? "" : ", ") + proof.get<std::string>();
      }
      std::printf("%-15s %-7s %13s %8s %6u %15s  %s\n", proof_kind_name(circuit.kind), circuit.shape->name,
                  grouped(row["constraints"].get<std::uint64_t>()).c_str(),
                  grouped(row["public_inputs"].get<std::uint64_t>()).c_str(),
                  row["log2_domain"].get<unsigned>(),
                  grouped(row["params_bytes"].get<std::uint64_t>()).c_str(), proofs.c_str());
      std::fflush(stdout);
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return invalid_argument("no circuit of this kind and size");
  if (common.json) print_report(rows, common);
  return Status::ok();
}

struct CheckOptions {
  std::string circuit;
  std::string sector_size;
  std::string params_dir;
  bool full = false;
};

enum class Readiness { ready, missing, wrong_length, damaged, wrong_digest, test_only };

const char* readiness_name(Readiness readiness) {
  switch (readiness) {
    case Readiness::ready:
      return "ready";
    case Readiness::missing:
      return "missing";
    case Readiness::wrong_length:
      return "wrong length";
    case Readiness::damaged:
      return "damaged";
    case Readiness::wrong_digest:
      return "wrong digest";
    case Readiness::test_only:
      return "test only";
  }
  return "unknown";
}

struct FileCheck {
  Readiness readiness;
  std::string detail;
};

FileCheck check_digest(const std::filesystem::path& path, std::string_view published) {
  if (published.empty()) return {Readiness::ready, "no published digest"};
  const Result<MappedFile> file = MappedFile::open(path);
  if (!file.is_ok()) return {Readiness::damaged, file.status().message()};
  const std::string found = published_digest(file.value().bytes());
  if (found == published) return {Readiness::ready, found};
  return {Readiness::wrong_digest, "found " + found + ", published " + std::string(published)};
}

FileCheck check_files(const CircuitParameters& circuit, const ParameterPaths& paths, bool full, bool quiet) {
  std::error_code error;
  for (const std::filesystem::path& path : {paths.params, paths.vk}) {
    if (!std::filesystem::exists(path, error)) return {Readiness::missing, path.filename().string()};
  }
  const R1cs r1cs = cached_circuit(circuit, quiet);
  const SrsCounts counts = SrsCounts::of(r1cs, r1cs.densities());
  const std::uint64_t found = std::filesystem::file_size(paths.params, error);
  if (error || found != counts.file_bytes()) {
    return {Readiness::wrong_length, grouped(error ? 0 : found) + " bytes found, " +
                                         grouped(counts.file_bytes()) +
                                         " wanted: " + paths.params.filename().string()};
  }
  const Result<ParameterFile> file = ParameterFile::open(paths.params, counts);
  if (!file.is_ok()) return {Readiness::damaged, file.status().message()};
  const Result<VerifyingKey> vk = read_verifying_key(paths.vk);
  if (!vk.is_ok()) return {Readiness::damaged, vk.status().message()};
  if (!(vk.value() == file.value().vk())) {
    return {Readiness::damaged, paths.vk.filename().string() + ": not the key of the .params file"};
  }
  const Result<ParameterMeta> meta = read_meta(paths.meta);
  if (meta.is_ok() && meta.value().test_only)
    return {Readiness::test_only, "anybody can forge proofs for these"};
  const FileCheck vk_digest = check_digest(paths.vk, circuit.vk_digest);
  if (vk_digest.readiness != Readiness::ready || !full) return vk_digest;
  return check_digest(paths.params, circuit.params_digest);
}

Outcome run_check_params(const CheckOptions& options, const CommonOptions& common) {
  const std::filesystem::path directory =
      options.params_dir.empty() ? parameter_directory() : std::filesystem::path(options.params_dir);
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error))
    return unavailable(directory.string() + ": no such folder");
  Report rows = Report::array();
  std::size_t not_ready = 0;
  for (const CircuitParameters& circuit : all_circuit_parameters()) {
    if (!wanted(circuit, options.circuit, options.sector_size)) continue;
    // Sizes that exist in tests only are looked at when they are asked for.
    if (options.sector_size.empty() && !circuit.is_published()) continue;
    const FileCheck check =
        check_files(circuit, parameter_paths(directory, circuit.cache_id), options.full, common.quiet);
    not_ready += check.readiness != Readiness::ready && check.readiness != Readiness::test_only;
    if (!common.json) {
      std::printf("%-15s %-7s %-12s %s\n", proof_kind_name(circuit.kind), circuit.shape->name,
                  readiness_name(check.readiness), check.detail.c_str());
      std::fflush(stdout);
    }
    rows.push_back({{"circuit", proof_kind_name(circuit.kind)},
                    {"sector_size", circuit.shape->name},
                    {"state", readiness_name(check.readiness)},
                    {"detail", check.detail},
                    {"params_file", circuit.params_file()}});
  }
  if (rows.empty()) return invalid_argument("no circuit of this kind and size");
  if (common.json) print_report({{"directory", directory.string()}, {"circuits", rows}}, common);
  if (not_ready == 0) return Status::ok();
  Outcome missing = unavailable(directory.string() + ": " + std::to_string(not_ready) + " of " +
                                std::to_string(rows.size()) + " circuits are not ready");
  missing.report_printed = true;
  return missing;
}

void add_filter(CLI::App& command, std::string* circuit, std::string* sector_size) {
  command.add_option("--circuit", *circuit, "only this circuit")
      ->check(CLI::IsMember({"porep", "winning", "window", "update", "update-poseidon"}));
  add_sector_size_option(command, sector_size, "only this size: " + sector_size_names());
}

}  // namespace

void add_circuits_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command =
      app.add_subcommand("circuits", "what can be proved: circuits, counts, files, registered proofs");
  const auto options = std::make_shared<CircuitsOptions>();
  add_filter(*command, &options->circuit, &options->sector_size);
  command->callback([=, &common] { *run = [=, &common] { return run_circuits(*options, common); }; });
}

void add_check_params_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command =
      app.add_subcommand("check-params", "whether the parameter files of each circuit are ready");
  const auto options = std::make_shared<CheckOptions>();
  add_filter(*command, &options->circuit, &options->sector_size);
  add_params_dir_option(*command, &options->params_dir);
  command->add_flag("--full", options->full,
                    "also hash every .params file and compare with the published digest");
  command->callback([=, &common] { *run = [=, &common] { return run_check_params(*options, common); }; });
}

}  // namespace cuzk
