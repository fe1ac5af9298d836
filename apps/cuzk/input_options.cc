#include "input_options.h"

#include "circuit_option.h"
#include "vanilla/post_proof_reader.h"
#include "vanilla/registered_post.h"
#include "vanilla/update_proof_reader.h"

namespace cuzk {
namespace {

// A file that cannot be read is bad input here, not a missing parameter file.
Status as_bad_input(const Status& status) {
  return status.code() == StatusCode::unavailable ? invalid_argument(status.message()) : status;
}

Result<Fr> fr_option(const char* flag, const std::string& text) {
  CUZK_ASSIGN(const Bytes32 bytes, bytes32_option(flag, text));
  const auto value = Fr::from_bytes_le(bytes);
  if (!value.has_value())
    return invalid_argument(std::string(flag) + " " + text + ": not below the field modulus");
  return *value;
}

}  // namespace

Result<Bytes32> bytes32_option(const char* flag, const std::string& text) {
  if (text.empty()) return invalid_argument(std::string(flag) + " is required for this kind");
  const Result<Bytes32> bytes = bytes32_from_hex(text);
  if (!bytes.is_ok()) return bytes.status().with_context(flag);
  return bytes;
}

Result<ApiVersion> post_version_from_text(const std::string& text) {
  if (text == "1.0") return ApiVersion::v1_0_0;
  if (text == "1.2") return ApiVersion::v1_2_0;
  return invalid_argument("--post-version " + text + ": expected 1.0 or 1.2");
}

void InputOptions::add_to(CLI::App& command, bool miner_required) {
  CLI::Option* c1_option =
      command.add_option("--c1", c1, "PoRep: the JSON that lotus-bench or Curio writes")->type_name("FILE");
  CLI::Option* kind_option = command.add_option("--kind", kind, "what is proved, if not a PoRep")
                                 ->check(CLI::IsMember({"winning", "window", "update"}))
                                 ->excludes(c1_option);
  add_sector_size_option(command, &sector_size, "with --kind: for example 32GiB");
  command
      .add_option("--vanilla", vanilla,
                  "with --kind: vanilla proofs; window: one a sector, in order; winning: one; update: one a "
                  "partition")
      ->type_name("FILE")
      ->needs(kind_option);
  command
      .add_option("--miner-id", miner_id,
                  miner_required ? "actor id of the miner, for example 1000 for f01000"
                                 : "also check that a PoRep is this miner's")
      ->type_name("N")
      ->required(miner_required);
  command.add_option("--randomness", randomness, "winning, window: 32 bytes")->type_name("HEX");
  command
      .add_option("--post-version", post_version, "window: API version of the registered proof, 1.0 or 1.2")
      ->check(CLI::IsMember({"1.0", "1.2"}))
      ->capture_default_str();
  command.add_option("--comm-r-old", comm_r_old, "update: 32 bytes")->type_name("HEX");
  command.add_option("--comm-r-new", comm_r_new, "update: 32 bytes")->type_name("HEX");
  command.add_option("--comm-d-new", comm_d_new, "update: 32 bytes")->type_name("HEX");
  command.add_option("--partition", partition, "only this partition (default: all)")->type_name("K");
}

Result<std::unique_ptr<ProofInput>> InputOptions::read() const {
  if (!c1.empty()) return read_porep();
  if (kind.empty())
    return invalid_argument("nothing to prove: give --c1 FILE, or --kind with --vanilla FILE...");
  if (sector_size.empty()) return invalid_argument("--kind " + kind + " needs --sector-size");
  if (vanilla.empty()) return invalid_argument("--kind " + kind + " needs --vanilla FILE...");
  CUZK_ASSIGN(const SectorShape* shape, find_sector_shape(std::string_view(sector_size)));
  return kind == "update" ? read_update(*shape) : read_post(*shape);
}

Result<std::unique_ptr<ProofInput>> InputOptions::read_porep() const {
  Result<C1> parsed = read_c1_file(c1);
  if (!parsed.is_ok()) return as_bad_input(parsed.status());
  if (!sector_size.empty() && sector_size != parsed.value().registered_proof.shape->name) {
    return invalid_argument(c1 + ": sector size " + parsed.value().registered_proof.shape->name +
                            ", but --sector-size says " + sector_size);
  }
  return make_porep_input(std::move(parsed).value(), miner_id, partition);
}

Result<std::unique_ptr<ProofInput>> InputOptions::read_post(const SectorShape& shape) const {
  const PostKind post_kind = kind == "winning" ? PostKind::winning : PostKind::window;
  CUZK_ASSIGN(const ApiVersion version, post_version_from_text(post_version));
  CUZK_ASSIGN(
      const RegisteredPost proof,
      registered_post(post_kind, shape, post_kind == PostKind::winning ? ApiVersion::v1_0_0 : version));
  CUZK_ASSIGN(const Bytes32 bytes, bytes32_option("--randomness", randomness));
  std::vector<PostSectorProof> sectors;
  for (const std::string& path : vanilla) {
    Result<PostSectorProof> sector = read_post_proof_file(path, shape, post_kind);
    if (!sector.is_ok()) return as_bad_input(sector.status());
    sectors.push_back(std::move(sector).value());
  }
  return make_post_input(proof, bytes, std::move(sectors), partition);
}

Result<std::unique_ptr<ProofInput>> InputOptions::read_update(const SectorShape& shape) const {
  UpdatePublic statement{UpdateShape::of(shape), Fr(), Fr(), Fr()};
  CUZK_ASSIGN(statement.comm_r_old, fr_option("--comm-r-old", comm_r_old));
  CUZK_ASSIGN(statement.comm_d_new, fr_option("--comm-d-new", comm_d_new));
  CUZK_ASSIGN(statement.comm_r_new, fr_option("--comm-r-new", comm_r_new));
  std::vector<UpdatePartitionProof> proofs;
  for (const std::string& path : vanilla) {
    Result<UpdatePartitionProof> proof = read_update_proof_file(path, statement.shape);
    if (!proof.is_ok()) return as_bad_input(proof.status());
    proofs.push_back(std::move(proof).value());
  }
  return make_update_input(shape, statement, std::move(proofs), partition);
}

}  // namespace cuzk
