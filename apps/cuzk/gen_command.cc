// `cuzk gen`: valid vanilla input of any kind and size, without a sealed sector.
#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/bytes.h"
#include "base/stopwatch.h"
#include "circuit_option.h"
#include "command.h"
#include "gen/bincode_writer.h"
#include "gen/c1_writer.h"
#include "gen/gen_porep.h"
#include "gen/gen_post.h"
#include "gen/gen_update.h"
#include "input_options.h"
#include "vanilla/registered_update.h"
#include "whole_file.h"

namespace cuzk {
namespace {

struct Options {
  std::string kind;
  std::string sector_size;
  std::string porep_version = "v1_1";
  std::string post_version = "1.2";
  std::string randomness;
  std::string out;
  std::uint64_t seed = 0;
  std::uint64_t sectors = 1;
  std::uint64_t miner_id = 1000;
  std::uint64_t sector_number = 1;
};

// One file keeps its name; the i-th of several has "-<first + i>" before the extension.
std::string numbered(const std::string& path, std::size_t count, std::uint64_t number) {
  if (count == 1) return path;
  const std::filesystem::path whole(path);
  return (whole.parent_path() /
          (whole.stem().string() + '-' + std::to_string(number) + whole.extension().string()))
      .string();
}

// For a shell, if it needs that.
std::string quoted(const std::string& path) {
  const bool is_plain = std::ranges::all_of(path, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("/._-+,:@").find(c) != std::string_view::npos;
  });
  if (is_plain) return path;
  std::string quote = "'";
  for (const char c : path) quote += c == '\'' ? "'\\''" : std::string(1, c);
  return quote + "'";
}

// The suffix of the name of a registered seal proof.
Result<std::string> seal_suffix(const std::string& version) {
  if (version == "v1") return std::string("V1");
  if (version == "v1_1") return std::string("V1_1");
  if (version == "synthetic") return std::string("V1_1_Feat_SyntheticPoRep");
  if (version == "ni") return std::string("V1_2_Feat_NonInteractivePoRep");
  return invalid_argument("--porep-version " + version + ": expected v1, v1_1, synthetic or ni");
}

Result<Report> generate_porep(const Options& options, const SectorShape& shape) {
  CUZK_ASSIGN(const std::string suffix, seal_suffix(options.porep_version));
  CUZK_ASSIGN(const SealProof proof, seal_proof_from_name("StackedDrg" + std::string(shape.name) + suffix));
  CUZK_ASSIGN(const C1 c1, gen_porep({proof, options.miner_id, options.sector_number, options.seed}));
  std::string json;
  CUZK_TRY(write_c1_json(c1, [&](std::string_view text) {
    json += text;
    return Status::ok();
  }));
  CUZK_TRY(write_file(options.out, json));
  return Report{{"registered_proof", proof.name()},
                {"files", Report::array({options.out})},
                {"partitions", c1.partitions.size()},
                {"comm_d", to_hex(c1.comm_d.to_bytes_le())},
                {"comm_r", to_hex(c1.comm_r.to_bytes_le())},
                {"prove", "--c1 " + quoted(options.out) + " --miner-id " + std::to_string(options.miner_id)}};
}

Result<Report> generate_post(const Options& options, const SectorShape& shape) {
  const PostKind kind = options.kind == "winning" ? PostKind::winning : PostKind::window;
  CUZK_ASSIGN(const ApiVersion version, post_version_from_text(options.post_version));
  PostGenOptions gen{};
  CUZK_ASSIGN(gen.proof,
              registered_post(kind, shape, kind == PostKind::winning ? ApiVersion::v1_0_0 : version));
  if (!options.randomness.empty()) {
    CUZK_ASSIGN(gen.randomness, bytes32_option("--randomness", options.randomness));
  }
  gen.sectors = options.sectors;
  gen.first_sector_id = options.sector_number;
  gen.seed = options.seed;
  CUZK_ASSIGN(const GeneratedPost post, gen_post(gen));
  Report files = Report::array();
  std::string vanilla;
  for (std::size_t i = 0; i < post.sectors.size(); ++i) {
    const std::string path = numbered(options.out, post.sectors.size(), options.sector_number + i);
    CUZK_TRY(write_file(path, post_proof_bincode(post.sectors[i], shape.tree)));
    files.push_back(path);
    vanilla += ' ' + quoted(path);
  }
  const std::string randomness = to_hex(post.randomness);
  const std::string version_flag = kind == PostKind::window ? " --post-version " + options.post_version : "";
  return Report{{"registered_proof", gen.proof.name()},
                {"files", std::move(files)},
                {"randomness", randomness},
                {"prove", "--kind " + options.kind + " --sector-size " + shape.name + " --miner-id " +
                              std::to_string(options.miner_id) + version_flag + " --randomness " +
                              randomness + " --vanilla" + vanilla}};
}

Result<Report> generate_update(const Options& options, const SectorShape& shape) {
  const GeneratedUpdate update = gen_update({&shape, UpdateVariant::sha256, options.seed});
  const UpdateShape update_shape = UpdateShape::of(shape);
  Report files = Report::array();
  std::string vanilla;
  for (std::size_t k = 0; k < update.partitions.size(); ++k) {
    const std::string path = numbered(options.out, update.partitions.size(), k);
    CUZK_TRY(write_file(path, update_proof_bincode(update.partitions[k], update_shape)));
    files.push_back(path);
    vanilla += ' ' + quoted(path);
  }
  const std::string comm_r_old = to_hex(update.comm_r_old.to_bytes_le());
  const std::string comm_r_new = to_hex(update.comm_r_new.to_bytes_le());
  const std::string comm_d_new = to_hex(update.comm_d_new.to_bytes_le());
  return Report{
      {"registered_proof", registered_update(shape).name()},
      {"files", std::move(files)},
      {"comm_r_old", comm_r_old},
      {"comm_r_new", comm_r_new},
      {"comm_d_new", comm_d_new},
      {"prove", "--kind update --sector-size " + std::string(shape.name) + " --miner-id " +
                    std::to_string(options.miner_id) + " --comm-r-old " + comm_r_old + " --comm-r-new " +
                    comm_r_new + " --comm-d-new " + comm_d_new + " --vanilla" + vanilla}};
}

Outcome run_gen(const Options& options, const CommonOptions& common) {
  const Stopwatch watch;
  const Result<const SectorShape*> shape = find_sector_shape(std::string_view(options.sector_size));
  if (!shape.is_ok()) return shape.status();
  Result<Report> made = options.kind == "porep"    ? generate_porep(options, *shape.value())
                        : options.kind == "update" ? generate_update(options, *shape.value())
                                                   : generate_post(options, *shape.value());
  if (!made.is_ok()) {
    const bool output = made.status().code() != StatusCode::invalid_argument;
    return {made.status(), output ? kExitFailure : kExitBadInput};
  }
  Report report = std::move(made).value();
  report["total_ms"] = watch.elapsed_ms();
  report["peak_memory_bytes"] = peak_memory_bytes();
  print_report(report, common);
  return Status::ok();
}

}  // namespace

void add_gen_command(CLI::App& app, const CommonOptions& common, Run* run) {
  CLI::App* command =
      app.add_subcommand("gen", "make valid vanilla input of any kind and size, without sealing");
  const auto options = std::make_shared<Options>();
  command->add_option("--kind", options->kind, "what the input is for")
      ->required()
      ->check(CLI::IsMember({"porep", "winning", "window", "update"}));
  add_sector_size_option(*command, &options->sector_size, "one of " + sector_size_names())->required();
  command->add_option("--out", options->out, "file to write; several get a number before the extension")
      ->required()
      ->type_name("FILE");
  command->add_option("--seed", options->seed, "equal seeds give equal files")->capture_default_str();
  command->add_option("--sectors", options->sectors, "window: number of sectors")->capture_default_str();
  command->add_option("--miner-id", options->miner_id, "porep: the miner")->capture_default_str();
  command->add_option("--sector-number", options->sector_number, "the sector, or the first of them")
      ->capture_default_str();
  command->add_option("--porep-version", options->porep_version, "v1, v1_1, synthetic or ni")
      ->capture_default_str();
  command->add_option("--post-version", options->post_version, "window: 1.0 or 1.2")->capture_default_str();
  command->add_option("--randomness", options->randomness, "winning, window: instead of one from the seed")
      ->type_name("HEX");
  command->callback([=, &common] { *run = [=, &common] { return run_gen(*options, common); }; });
}

}  // namespace cuzk
