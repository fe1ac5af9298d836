#include "gen/gen_update.h"

#include <bit>

#include "base/check.h"
#include "base/thread_pool.h"
#include "gen/seed_stream.h"
#include "gen/sparse_tree.h"
#include "hash/poseidon.h"
#include "vanilla/update_public.h"

namespace cuzk {
namespace {

// new = old + data * rho for each run of equal nodes, rho the key of its nodes.
std::vector<Fr> encode_regions(const UpdateShape& shape, const std::vector<Fr>& old_replica,
                               const std::vector<Fr>& data, const Fr& phi) {
  const unsigned log2_regions = static_cast<unsigned>(std::countr_zero(data.size()));
  CUZK_CHECK(shape.h() <= log2_regions, "one key for each region");
  std::vector<Fr> new_replica;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const Fr rho = update_rho(shape, phi, std::uint64_t{i} << (shape.log2_nodes - log2_regions));
    new_replica.push_back(old_replica[i] + data[i] * rho);
  }
  return new_replica;
}

class UpdateGenerator {
 public:
  explicit UpdateGenerator(const UpdateGenOptions& options)
      : shape_(UpdateShape::of(*options.shape, options.variant)),
        arbitrary_(options.seed),
        old_replica_(regions("replica")),
        data_(regions("data")),
        tree_r_old_(tree_r(old_replica_)),
        tree_d_new_(shape_.variant == UpdateVariant::poseidon
                        ? tree_r(data_)
                        : SparseTree(TreeHash::sha256, binary_tree_levels(shape_.log2_nodes), data_, {})),
        comm_c_(arbitrary_.fr("comm_c")),
        comm_r_old_(poseidon_hash2(comm_c_, tree_r_old_.root())),
        phi_(update_phi(tree_d_new_.root(), comm_r_old_)),
        tree_r_new_(tree_r(encode_regions(shape_, old_replica_, data_, phi_))),
        comm_r_new_(poseidon_hash2(comm_c_, tree_r_new_.root())) {}

  GeneratedUpdate run() const {
    GeneratedUpdate update{comm_r_old_, tree_d_new_.root(), comm_r_new_, {}};
    update.partitions.resize(shape_.partitions());
    parallel_for(update.partitions.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k)
        update.partitions[k] = prove_partition(static_cast<unsigned>(k));
    });
    return update;
  }

 private:
  std::vector<Fr> regions(std::string_view label) const {
    return arbitrary_.frs(label, num_generated_regions(shape_.log2_nodes));
  }
  SparseTree tree_r(const std::vector<Fr>& defaults) const {
    return {TreeHash::poseidon, poseidon_tree_levels(shape_.tree), defaults, {}};
  }

  UpdatePartitionProof prove_partition(unsigned k) const {
    const UpdatePublic statement{shape_, comm_r_old_, tree_d_new_.root(), comm_r_new_};
    UpdatePartitionProof proof{comm_c_, apex_leaves(k), {}};
    for (const std::uint64_t challenge : update_challenges(statement, k)) {
      proof.challenges.push_back(
          {tree_r_old_.proof(challenge), tree_d_new_.proof(challenge), tree_r_new_.proof(challenge)});
    }
    return proof;
  }

  // The nodes of TreeD at the height where the partition has 2^log2_apex_leaves of them; none in the Poseidon
  // variant.
  std::vector<Fr> apex_leaves(unsigned k) const {
    std::vector<Fr> leaves;
    if (shape_.variant == UpdateVariant::poseidon) return leaves;
    const std::uint64_t count = std::uint64_t{1} << shape_.log2_apex_leaves;
    for (std::uint64_t i = 0; i < count; ++i)
      leaves.push_back(tree_d_new_.node(shape_.random_bits() - shape_.log2_apex_leaves, k * count + i));
    return leaves;
  }

  UpdateShape shape_;
  SeedStream arbitrary_;
  std::vector<Fr> old_replica_;
  std::vector<Fr> data_;
  SparseTree tree_r_old_;
  SparseTree tree_d_new_;
  Fr comm_c_;
  Fr comm_r_old_;
  Fr phi_;
  SparseTree tree_r_new_;
  Fr comm_r_new_;
};

}  // namespace

GeneratedUpdate gen_update(const UpdateGenOptions& options) {
  return UpdateGenerator(options).run();
}

}  // namespace cuzk
