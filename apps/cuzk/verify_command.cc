// `cuzk verify`: whether a proof file proves what a C1 file states.
#include <fstream>
#include <iterator>

#include "command.h"
#include "groth16/verify.h"
#include "srs/parameter_file.h"
#include "srs/parameter_paths.h"
#include "vanilla/c1.h"
#include "vanilla/parameter_names.h"

namespace cuzk {
namespace {

struct Options {
  std::string c1;
  std::string proof;
  std::optional<std::uint64_t> miner_id;
  std::string params_dir;
};

Result<std::vector<std::uint8_t>> read_proof_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return invalid_argument(path + ": cannot be read");
  std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return invalid_argument(path + ": cannot be read");
  return bytes;
}

// The replica id binds the proof to the miner, so a C1 file of somebody else is refused.
Status check_miner(const C1& c1, std::uint64_t miner_id) {
  const Bytes32 expected = replica_id(prover_id(miner_id), c1.sector_num, c1.ticket, c1.comm_d.to_bytes_le(),
                                      c1.registered_proof.porep_id());
  if (c1.replica_id.to_bytes_le() == expected) return Status::ok();
  return invalid_argument("replica_id: expected " + to_hex(expected) + " for miner " +
                          std::to_string(miner_id) + ", found " + to_hex(c1.replica_id.to_bytes_le()));
}

Status check_proofs(const C1& c1, const VerifyingKey& vk, std::span<const std::uint8_t> bytes) {
  const std::size_t wanted = Proof::kBytes * c1.partitions.size();
  if (bytes.size() != wanted) {
    return not_satisfied(std::to_string(bytes.size()) + " bytes, expected " + std::to_string(wanted) + " (" +
                         std::to_string(c1.partitions.size()) + " partitions of 192)");
  }
  CUZK_ASSIGN(const std::vector<Proof> proofs, decode_proofs(bytes));
  const PreparedVerifyingKey key(vk);
  for (std::size_t k = 0; k < proofs.size(); ++k) {
    const auto inputs = porep_public_inputs(c1.statement(), static_cast<unsigned>(k));
    CUZK_TRY(verify(key, inputs, proofs[k]).with_context("partition " + std::to_string(k)));
  }
  return Status::ok();
}

Outcome run_verify(const Options& options, const CommonOptions& common) {
  const Result<C1> c1 = read_c1_file(options.c1);
  if (!c1.is_ok()) return Outcome(c1.status(), kExitBadInput);
  if (options.miner_id.has_value()) {
    const Status miner = check_miner(c1.value(), *options.miner_id);
    if (!miner.is_ok()) return miner.with_context(options.c1);
  }
  const Result<std::vector<std::uint8_t>> bytes = read_proof_file(options.proof);
  if (!bytes.is_ok()) return bytes.status();
  const std::filesystem::path directory =
      options.params_dir.empty() ? parameter_directory() : std::filesystem::path(options.params_dir);
  const ParameterPaths paths = parameter_paths(directory, porep_cache_id(*c1.value().registered_proof.shape));
  const Result<VerifyingKey> vk = read_verifying_key(paths.vk);
  if (!vk.is_ok()) return vk.status();

  const Status verdict = check_proofs(c1.value(), vk.value(), bytes.value());
  if (!verdict.is_ok()) return {verdict.with_context(options.proof + ": the proof is invalid"), kExitFailure};
  const Report report = {{"verdict", "valid"},
                         {"proof", options.proof},
                         {"partitions", c1.value().partitions.size()},
                         {"registered_proof", c1.value().registered_proof.name()},
                         {"verifying_key", paths.vk.string()}};
  print_report(report, common);
  return Status::ok();
}

}  // namespace

void add_verify_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command = app.add_subcommand("verify", "check a proof against the C1 file it was made from");
  const auto options = std::make_shared<Options>();
  command->add_option("--c1", options->c1, "C1 file that states what is proved")
      ->required()
      ->type_name("FILE");
  command->add_option("--proof", options->proof, "proof file: 192 bytes a partition")
      ->required()
      ->type_name("FILE");
  command->add_option("--miner-id", options->miner_id, "also check that the sector is this miner's")
      ->type_name("N");
  add_params_dir_option(*command, &options->params_dir);
  command->callback([=, &common] { *run = [=, &common] { return run_verify(*options, common); }; });
}

}  // namespace cuzk
