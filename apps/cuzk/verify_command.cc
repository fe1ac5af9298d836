// `cuzk verify`: whether a proof file proves what the flags and vanilla files state.
#include "command.h"
#include "groth16/verify.h"
#include "input_options.h"
#include "srs/parameter_file.h"
#include "srs/parameter_paths.h"
#include "whole_file.h"

namespace cuzk {
namespace {

struct Options {
  InputOptions input;
  std::string proof;
  std::string params_dir;
};

constexpr std::size_t kMaxProofFileBytes = 16 << 20;

// The vanilla proofs need not hold for that; their commitments and sector numbers are part of the statement.
Status check_proofs(const ProofInput& input, const VerifyingKey& vk, std::span<const std::uint8_t> bytes) {
  const std::size_t wanted = Proof::kBytes * input.num_proofs();
  if (bytes.size() != wanted) {
    return not_satisfied(std::to_string(bytes.size()) + " bytes, expected " + std::to_string(wanted) + " (" +
                         std::to_string(input.num_proofs()) + " partitions of 192)");
  }
  CUZK_ASSIGN(const std::vector<Proof> proofs, decode_proofs(bytes));
  const PreparedVerifyingKey key(vk);
  for (std::size_t i = 0; i < proofs.size(); ++i) {
    CUZK_TRY(verify(key, input.public_inputs(i), proofs[i])
                 .with_context("partition " + std::to_string(input.partition_of(i))));
  }
  return Status::ok();
}

// A sector of somebody else: its replica id is not what the miner id gives.
Status check_statement(const ProofInput& input, bool miner_given) {
  if (!miner_given) return Status::ok();
  for (const InputFinding& finding : input.validate(false)) {
    if (finding.field == "replica_id") return invalid_argument(finding.text);
  }
  return Status::ok();
}

Outcome run_verify(const Options& options, const CommonOptions& common) {
  const auto input = options.input.read();
  if (!input.is_ok()) return input.status();
  const Status statement = check_statement(*input.value(), options.input.miner_id.has_value());
  if (!statement.is_ok()) return statement;
  const Result<std::string> bytes = read_file(options.proof, kMaxProofFileBytes);
  if (!bytes.is_ok()) return bytes.status();
  const std::filesystem::path directory =
      options.params_dir.empty() ? parameter_directory() : std::filesystem::path(options.params_dir);
  const ParameterPaths paths = parameter_paths(directory, input.value()->circuit().cache_id);
  const Result<VerifyingKey> vk = read_verifying_key(paths.vk);
  if (!vk.is_ok()) return vk.status();

  const Status verdict = check_proofs(*input.value(), vk.value(), bytes_of(bytes.value()));
  if (!verdict.is_ok()) return {verdict.with_context(options.proof + ": the proof is invalid"), kExitFailure};
  const Report report = {{"verdict", "valid"},
                         {"proof", options.proof},
                         {"partitions", input.value()->num_proofs()},
                         {"registered_proof", input.value()->registered_proof()},
                         {"verifying_key", paths.vk.string()}};
  print_report(report, common);
  return Status::ok();
}

}  // namespace

void add_verify_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command = app.add_subcommand("verify", "check a proof against the input it was made from");
  const auto options = std::make_shared<Options>();
  options->input.add_to(*command, false);
  command->add_option("--proof", options->proof, "proof file: 192 bytes a partition")
      ->required()
      ->type_name("FILE");
  add_params_dir_option(*command, &options->params_dir);
  command->callback([=, &common] { *run = [=, &common] { return run_verify(*options, common); }; });
}

}  // namespace cuzk
