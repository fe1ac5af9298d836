#include "gen/gen_porep.h"

#include <numeric>
#include <optional>

#include "base/thread_pool.h"
#include "gen/labelled_nodes.h"
#include "gen/sparse_tree.h"
#include "hash/poseidon.h"
#include "vanilla/challenges.h"
#include "vanilla/porep_graph.h"

namespace cuzk {
namespace {

class PorepGenerator {
 public:
  explicit PorepGenerator(const PorepGenOptions& options)
      : options_(options),
        shape_(*options.proof.shape),
        arbitrary_(options.seed),
        graph_(options.proof),
        tree_d_(TreeHash::sha256, binary_tree_levels(shape_.log2_nodes),
                arbitrary_.frs("data", num_generated_regions(shape_.log2_nodes)), {}) {}

  C1 run() {
    set_head();
    // The interactive rule needs no comm_r; the others need it and so every label.
    const bool interactive = options_.proof.feature == PorepFeature::interactive;
    std::vector<std::uint64_t> derived;
    if (interactive) {
      derived = all_challenges();
    } else {
      derived.resize(shape_.nodes());
      std::iota(derived.begin(), derived.end(), std::uint64_t{0});
    }
    labels_.emplace(options_.proof, c1_.replica_id.to_bytes_le(), std::move(derived), arbitrary_);
    build_trees();
    c1_.comm_r = poseidon_hash2(tree_c_->root(), tree_r_last_->root());
    prove(all_challenges());
    return std::move(c1_);
  }

 private:
  void set_head() {
    c1_.sector_num = options_.sector_number;
    c1_.registered_proof = options_.proof;
    c1_.seed = arbitrary_.bytes("seed");
    c1_.ticket = arbitrary_.bytes("ticket");
    c1_.comm_d = tree_d_.root();
    c1_.replica_id = *Fr::from_bytes_le(replica_id(prover_id(options_.miner_id), c1_.sector_num, c1_.ticket,
                                                   c1_.comm_d.to_bytes_le(), options_.proof.porep_id()));
  }

  // Of all partitions, in order.
  std::vector<std::uint64_t> all_challenges() const {
    const ChallengeSource source = {c1_.replica_id.to_bytes_le(), c1_.comm_r.to_bytes_le(), c1_.seed};
    std::vector<std::uint64_t> all;
    for (unsigned k = 0; k < options_.proof.partitions(); ++k) {
      const auto challenges = porep_challenges(options_.proof, source, k);
      all.insert(all.end(), challenges.begin(), challenges.end());
    }
    return all;
  }

  void build_trees() {
    constexpr std::size_t kGrain = 16;
    const std::span<const std::uint64_t> nodes = labels_->nodes();
    std::vector<SparseNode> columns(nodes.size());
    parallel_for(nodes.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) columns[i] = {nodes[i], poseidon_hash(labels_->column(i))};
    });
    tree_c_.emplace(TreeHash::poseidon, poseidon_tree_levels(shape_.tree), std::vector<Fr>(1),
                    std::move(columns));

    // The encoding: label of the last layer + data.
    std::vector<SparseNode> encoded;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!labels_->is_derived(i)) continue;
      encoded.push_back({nodes[i], *Fr::from_bytes_le(labels_->last_label(i)) + tree_d_.leaf(nodes[i])});
    }
    tree_r_last_.emplace(TreeHash::poseidon, poseidon_tree_levels(shape_.tree), std::vector<Fr>(1),
                         std::move(encoded));
  }

  void prove(const std::vector<std::uint64_t>& challenges) {
    const std::size_t per_partition = options_.proof.challenges_per_partition();
    c1_.partitions.assign(options_.proof.partitions(), std::vector<PorepChallengeProof>(per_partition));
    parallel_for(challenges.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        c1_.partitions[i / per_partition][i % per_partition] = prove_challenge(challenges[i]);
    });
  }

  PorepChallengeProof prove_challenge(std::uint64_t challenge) const {
    PorepChallengeProof proof;
    proof.comm_d_proof = tree_d_.proof(challenge);
    proof.comm_r_last_proof = tree_r_last_->proof(challenge);
    proof.c_x = prove_column(challenge);
    const DrgParents drg = graph_.drg_parents(challenge);
    for (std::size_t i = 0; i < drg.size(); ++i) proof.drg_parents[i] = prove_column(drg[i]);
    const ExpanderParents exp = graph_.expander_parents(challenge);
    for (std::size_t i = 0; i < exp.size(); ++i) proof.exp_parents[i] = prove_column(exp[i]);
    const std::size_t position = labels_->position_of(challenge);
    for (unsigned layer = 1; layer <= shape_.layers; ++layer)
      proof.labeling_proofs.push_back(labels_->labeling(position, layer));
    proof.encoding_proof = proof.labeling_proofs.back();
    return proof;
  }

  ColumnProof prove_column(std::uint64_t node) const {
    return {static_cast<std::uint32_t>(node), labels_->column(labels_->position_of(node)),
            tree_c_->proof(node)};
  }

  const PorepGenOptions& options_;
  const SectorShape& shape_;
  SeedStream arbitrary_;
  PorepGraph graph_;
  SparseTree tree_d_;
  std::optional<LabelledNodes> labels_;
  std::optional<SparseTree> tree_c_;
  std::optional<SparseTree> tree_r_last_;
  C1 c1_{};
};

}  // namespace

Result<C1> gen_porep(const PorepGenOptions& options) {
  const SealProof& proof = options.proof;
  if (proof.feature != PorepFeature::interactive && proof.shape->size_bytes > kMaxWholeSectorBytes) {
    return invalid_argument(proof.name() +
                            ": the challenges of a synthetic or non-interactive proof depend on "
                            "every label, and a sector of " +
                            std::to_string(proof.shape->size_bytes) +
                            " bytes is too large to be labelled whole; the largest is " +
                            std::to_string(kMaxWholeSectorBytes));
  }
  return PorepGenerator(options).run();
}

}  // namespace cuzk
