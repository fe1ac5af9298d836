#include "vanilla/parameter_names.h"

#include "hash/sha256.h"

namespace cuzk {
namespace {

std::string tree_name(const SectorShape& shape) {
  return "merkletree-poseidon_hasher-" + shape.tree.name();
}

std::string make_id(const std::string& prefix, const std::string& identifier) {
  return prefix + "-" + to_hex(Sha256().update(identifier).digest());
}

std::string post_cache_id(const SectorShape& shape, unsigned challenges, unsigned sectors) {
  return make_id("proof-of-spacetime-fallback-" + tree_name(shape),
                 "FallbackPoSt::PublicParams{sector_size: " + std::to_string(shape.size_bytes) +
                     ", challenge_count: " + std::to_string(challenges) +
                     ", sector_count: " + std::to_string(sectors) + "}");
}

std::string update_identifier(const SectorShape& shape) {
  return "empty_sector_update::PublicParams{ sector_nodes: " + std::to_string(shape.nodes()) + " }";
}

}  // namespace

std::string porep_cache_id(const SectorShape& shape) {
  const std::string tree = tree_name(shape);
  return make_id(
      "stacked-proof-of-replication-" + tree + "-sha256_hasher",
      "layered_drgporep::PublicParams{ graph: stacked_graph::StackedGraph{expansion_degree: 8 base_graph: "
      "drgraph::BucketGraph{size: " +
          std::to_string(shape.nodes()) +
          "; degree: 6; hasher: poseidon_hasher} }, challenges: LayerChallenges { layers: " +
          std::to_string(shape.layers) + ", max_count: " + std::to_string(shape.challenges_per_partition) +
          " }, tree: " + tree + " }");
}

std::string window_post_cache_id(const SectorShape& shape) {
  return post_cache_id(shape, kWindowChallenges, shape.window_sectors);
}

// The 66 challenges of the one sector are unrolled into 66 sectors with one challenge each.
std::string winning_post_cache_id(const SectorShape& shape) {
  return post_cache_id(shape, 1, kWinningChallenges);
}

std::string update_cache_id(const SectorShape& shape) {
  return make_id("empty-sector-update-" + tree_name(shape), update_identifier(shape));
}

std::string update_poseidon_cache_id(const SectorShape& shape) {
  return make_id("empty-sector-update-poseidon-" + tree_name(shape), update_identifier(shape));
}

std::string params_file_name(const std::string& cache_id) {
  return "v28-" + cache_id + ".params";
}
std::string vk_file_name(const std::string& cache_id) {
  return "v28-" + cache_id + ".vk";
}

}  // namespace cuzk
