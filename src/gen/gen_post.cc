#include "gen/gen_post.h"

#include <algorithm>
#include <limits>

#include "base/thread_pool.h"
#include "gen/seed_stream.h"
#include "gen/sparse_tree.h"
#include "hash/poseidon.h"
#include "vanilla/post_public.h"

namespace cuzk {
namespace {

PostSectorProof gen_sector(const PostGenOptions& options, const PostPublic& statement, std::uint64_t i) {
  const SeedStream arbitrary(options.seed);
  const std::uint64_t id = options.first_sector_id + i;
  const std::vector<std::uint64_t> challenges = post_sector_challenges(statement, id, i);
  std::vector<std::uint64_t> distinct = challenges;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<SparseNode> leaves;
  for (const std::uint64_t leaf : distinct) leaves.push_back({leaf, arbitrary.fr("replica", id, leaf)});
  const SparseTree tree(TreeHash::poseidon, poseidon_tree_levels(options.proof.shape->tree),
                        std::vector<Fr>(1), std::move(leaves));

  PostSectorProof proof;
  proof.sector_id = id;
  proof.comm_c = arbitrary.fr("comm_c", id);
  proof.comm_r_last = tree.root();
  proof.comm_r = poseidon_hash2(proof.comm_c, proof.comm_r_last);
  for (const std::uint64_t challenge : challenges) proof.inclusion_proofs.push_back(tree.proof(challenge));
  return proof;
}

}  // namespace

Result<GeneratedPost> gen_post(const PostGenOptions& options) {
  constexpr std::uint64_t kLastId = std::numeric_limits<std::uint64_t>::max();
  if (options.sectors == 0) return invalid_argument("a proof needs at least one sector");
  if (options.proof.kind == PostKind::winning && options.sectors != 1) {
    return invalid_argument("a winning proof has one sector, not " + std::to_string(options.sectors));
  }
  if (options.sectors > kMaxGeneratedSectors) {
    return invalid_argument(std::to_string(options.sectors) + " sectors at once; the most is " +
                            std::to_string(kMaxGeneratedSectors));
  }
  if (options.sectors - 1 > kLastId - options.first_sector_id) {
    return invalid_argument("sector ids beyond 64 bits: " + std::to_string(options.sectors) + " from " +
                            std::to_string(options.first_sector_id));
  }
  GeneratedPost post;
  post.randomness = options.randomness.value_or(SeedStream(options.seed).node("randomness"));
  post.sectors.resize(options.sectors);
  const PostPublic statement{options.proof, post.randomness, options.first_partition};
  parallel_for(options.sectors, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) post.sectors[i] = gen_sector(options, statement, i);
  });
  return post;
}

}  // namespace cuzk
