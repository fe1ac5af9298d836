// `cuzk inspect`: what a C1, vanilla proof, .params, .vk or proof file holds, told from its content and not its name.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "command.h"
#include "groth16/proof.h"
#include "published_digest.h"
#include "srs/mapped_file.h"
#include "srs/parameter_file.h"
#include "srs/parameter_paths.h"
#include "vanilla/c1.h"
#include "vanilla/post_proof_reader.h"
#include "vanilla/update_proof_reader.h"

namespace cuzk {
namespace {

struct Options {
  std::string file;
  bool digest = false;
};

constexpr std::size_t kMaxProofs = 1024;  // larger files are not taken for proofs

Report inspect_c1(const C1& c1) {
  const SealProof& proof = c1.registered_proof;
  return {{"kind", "C1"},
          {"registered_proof", proof.name()},
          {"sector_number", c1.sector_num},
          {"sector_size", proof.shape->name},
          {"partitions", c1.partitions.size()},
          {"challenges_per_partition", c1.partitions.front().size()},
          {"layers", proof.shape->layers},
          {"tree_shape", proof.shape->tree.name()},
          {"comm_d", to_hex(c1.comm_d.to_bytes_le())},
          {"comm_r", to_hex(c1.comm_r.to_bytes_le())},
          {"replica_id", to_hex(c1.replica_id.to_bytes_le())},
          {"ticket", to_hex(c1.ticket)},
          {"seed", to_hex(c1.seed)}};
}

Report inspect_params(const ParameterFile& file, const std::string& path) {
  const SrsCounts& counts = file.counts();
  Report report = {{"kind", "parameters"},
                   {"bytes", file.size_bytes()},
                   {"public_inputs", counts.ic - 1},
                   {"points", Report::object()}};
  report["points"]["ic"] = counts.ic;
  for (const Query query : kQueries) report["points"][query_name(query)] = counts[query];
  const Result<ParameterMeta> meta = read_meta(std::filesystem::path(path).replace_extension(".meta"));
  if (meta.is_ok()) {
    report["sector_size_bytes"] = meta.value().sector_size;
    report["test_only"] = meta.value().test_only;
  }
  return report;
}

Report inspect_proofs(const std::vector<Proof>& proofs) {
  Report report = {{"kind", "proof"}, {"partitions", proofs.size()}};
  for (std::size_t k = 0; k < proofs.size(); ++k) {
    const auto bytes = proofs[k].encode();
    const std::span<const std::uint8_t> all(bytes);
    report["partition " + std::to_string(k)] = {
        {"a", to_hex(all.first(48))}, {"b", to_hex(all.subspan(48, 96))}, {"c", to_hex(all.last(48))}};
  }
  return report;
}

// A PoSt or update vanilla proof names neither its kind nor its size, but its length does.
std::optional<Report> inspect_vanilla(std::span<const std::uint8_t> bytes) {
  for (const SectorShape& shape : all_sector_shapes()) {
    for (const PostKind kind : {PostKind::winning, PostKind::window}) {
      if (bytes.size() != post_proof_bytes(shape, kind)) continue;
      const Result<PostSectorProof> proof = parse_post_proof(bytes, shape, kind);
      if (!proof.is_ok()) continue;
      return Report{{"kind", std::string(post_kind_name(kind)) + " vanilla proof"},
                    {"tree_shape_of", shape.name},
                    {"sector_number", proof.value().sector_id},
                    {"challenges", proof.value().inclusion_proofs.size()},
                    {"comm_r", to_hex(proof.value().comm_r.to_bytes_le())},
                    {"comm_c", to_hex(proof.value().comm_c.to_bytes_le())},
                    {"comm_r_last", to_hex(proof.value().comm_r_last.to_bytes_le())}};
    }
    const UpdateShape update = UpdateShape::of(shape);
    if (bytes.size() != update_proof_bytes(update)) continue;
    const Result<UpdatePartitionProof> proof = parse_update_proof(bytes, update);
    if (!proof.is_ok()) continue;
    return Report{{"kind", "update vanilla proof of one partition"},
                  {"tree_shape_of", shape.name},
                  {"challenges", proof.value().challenges.size()},
                  {"apex_leaves", proof.value().apex_leaves.size()},
                  {"comm_c", to_hex(proof.value().comm_c.to_bytes_le())},
                  {"root_r_old", to_hex(proof.value().root_r_old().to_bytes_le())},
                  {"root_r_new", to_hex(proof.value().root_r_new().to_bytes_le())},
                  {"comm_d_new", to_hex(proof.value().challenges.front().proof_d_new.root.to_bytes_le())}};
  }
  return std::nullopt;
}

bool looks_like_json(std::span<const std::uint8_t> bytes) {
  for (const std::uint8_t byte : bytes.first(std::min<std::size_t>(bytes.size(), 64))) {
    if (byte == '{') return true;
    if (byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t') return false;
  }
  return false;
}

Result<Report> inspect(const Options& options) {
  const Result<MappedFile> mapped = MappedFile::open(options.file);
  if (!mapped.is_ok()) return invalid_argument(mapped.status().message());
  const std::span<const std::uint8_t> bytes = mapped.value().bytes();
  const auto with_digest = [&](Report report) {
    if (options.digest) report["blake2b_128"] = published_digest(bytes);
    return report;
  };
  if (looks_like_json(bytes)) {
    const Result<C1> c1 = parse_c1(bytes);
    if (!c1.is_ok())
      return invalid_argument(options.file + ": looks like a C1 file, but " + c1.status().message());
    return with_digest(inspect_c1(c1.value()));
  }
  if (bytes.size() % Proof::kBytes == 0 && bytes.size() <= kMaxProofs * Proof::kBytes) {
    const Result<std::vector<Proof>> proofs = decode_proofs(bytes);
    if (proofs.is_ok()) return with_digest(inspect_proofs(proofs.value()));
  }
  const std::optional<Report> vanilla = inspect_vanilla(bytes);
  if (vanilla.has_value()) return with_digest(*vanilla);
  const Result<VerifyingKey> vk = VerifyingKey::decode(bytes);
  if (vk.is_ok()) {
    return with_digest({{"kind", "verifying key"},
                        {"bytes", bytes.size()},
                        {"public_inputs", vk.value().num_public_inputs()}});
  }
  const Result<ParameterFile> params = ParameterFile::open(options.file);
  if (params.is_ok()) return with_digest(inspect_params(params.value(), options.file));
  return invalid_argument(
      options.file + ": not a C1, vanilla proof, proof, verifying key or parameter file (as parameters: " +
      params.status().message() + ")");
}

Outcome run_inspect(const Options& options, const CommonOptions& common) {
  const Result<Report> report = inspect(options);
  if (!report.is_ok()) return report.status();
  Report shown = {{"file", options.file}};
  shown.update(report.value());
  print_report(shown, common);
  return Status::ok();
}

}  // namespace

void add_inspect_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command =
      app.add_subcommand("inspect", "what a C1, vanilla proof, .params, .vk or proof file holds");
  const auto options = std::make_shared<Options>();
  command->add_option("file", options->file, "the file")->required()->type_name("FILE");
  command->add_flag("--digest", options->digest,
                    "also the BLAKE2b digest that is published for parameter files");
  command->callback([=, &common] { *run = [=, &common] { return run_inspect(*options, common); }; });
}

}  // namespace cuzk
