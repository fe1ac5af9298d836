#include "vanilla/update_validate.h"

#include <algorithm>

#include "base/thread_pool.h"
#include "hash/poseidon.h"
#include "hash/sha256.h"
#include "vanilla/finding.h"

namespace cuzk {
namespace {

Fr sha256_parent(const Fr& left, const Fr& right) noexcept {
  return *Fr::from_bytes_le(sha256_node(left.to_bytes_le(), right.to_bytes_le()));
}

Fr sha256_root(std::vector<Fr> row) noexcept {
  for (std::size_t width = row.size() / 2; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) row[i] = sha256_parent(row[2 * i], row[2 * i + 1]);
  }
  return row.front();
}

// One partition. The constructor settles what all its challenges share.
class PartitionCheck {
 public:
  PartitionCheck(const UpdatePublic& statement, const UpdatePartitionProof& proof, unsigned partition)
      : statement_(statement),
        shape_(statement.shape),
        proof_(proof),
        wanted_(partition),
        partition_(answered_partition()),
        challenges_(update_challenges(statement, partition_)),
        phi_(update_phi(statement.comm_d_new, statement.comm_r_old)) {
    std::vector<Fr> roots_old, roots_new;
    for (const UpdateChallengeProof& challenge : proof.challenges) {
      roots_old.push_back(challenge.proof_r_old.root);
      roots_new.push_back(challenge.proof_r_new.root);
    }
    if (proof.challenges.empty()) return;
    root_r_old_ = settled_root(proof.comm_c, statement.comm_r_old, roots_old);
    root_r_new_ = settled_root(proof.comm_c, statement.comm_r_new, roots_new);
  }

  std::vector<Finding> check_head() const {
    Findings findings;
    findings.expect("partition", std::uint64_t{wanted_}, std::uint64_t{partition_});
    findings.expect("challenge_proofs", std::uint64_t{shape_.challenges},
                    std::uint64_t{proof_.challenges.size()});
    if (proof_.challenges.empty()) return std::move(findings).take();
    findings.expect("comm_r_old", poseidon_hash2(proof_.comm_c, root_r_old_), statement_.comm_r_old);
    findings.expect("comm_r_new", poseidon_hash2(proof_.comm_c, root_r_new_), statement_.comm_r_new);
    if (sha256_tree_d()) check_apex_root(findings);
    return std::move(findings).take();
  }

  std::vector<Finding> check_challenge(std::size_t i) const {
    if (i >= proof_.challenges.size()) return {};
    const UpdateChallengeProof& proof = proof_.challenges[i];
    Findings findings;
    const std::uint64_t node = settled_node(proof, challenges_[i], findings);
    const TreeHash hash_d = sha256_tree_d() ? TreeHash::sha256 : TreeHash::poseidon;
    findings.expect_merkle_proof("proof_r_old", proof.proof_r_old, TreeHash::poseidon, node, root_r_old_);
    findings.expect_merkle_proof("proof_d_new", proof.proof_d_new, hash_d, node, statement_.comm_d_new);
    findings.expect_merkle_proof("proof_r_new", proof.proof_r_new, TreeHash::poseidon, node, root_r_new_);
    const Fr rho = update_rho(shape_, phi_, node);
    findings.expect("proof_r_new.leaf", proof.proof_r_old.leaf + proof.proof_d_new.leaf * rho,
                    proof.proof_r_new.leaf);
    if (sha256_tree_d()) check_apex_leaf(proof.proof_d_new, node, findings);
    return std::move(findings).take();
  }

 private:
  bool sha256_tree_d() const noexcept { return shape_.variant == UpdateVariant::sha256; }
  std::size_t num_apex_leaves() const noexcept { return std::size_t{1} << shape_.log2_apex_leaves; }

  // The partition that all challenges lie in, if it is the same one; else the one asked for.
  unsigned answered_partition() const {
    const auto partition_of = [&](const UpdateChallengeProof& proof) {
      return proof.proof_d_new.leaf_index() >> shape_.random_bits();
    };
    if (proof_.challenges.empty()) return wanted_;
    const std::uint64_t first = partition_of(proof_.challenges.front());
    const bool same = std::all_of(proof_.challenges.begin(), proof_.challenges.end(),
                                  [&](const auto& proof) { return partition_of(proof) == first; });
    return same && first < shape_.partitions() ? static_cast<unsigned>(first) : wanted_;
  }

  // If the three paths agree on a node that was not asked for, one finding says so, instead of one for each of them.
  static std::uint64_t settled_node(const UpdateChallengeProof& proof, std::uint64_t challenge,
                                    Findings& findings) {
    const std::uint64_t answered = proof.proof_r_old.leaf_index();
    if (answered == challenge || proof.proof_d_new.leaf_index() != answered ||
        proof.proof_r_new.leaf_index() != answered)
      return challenge;
    findings.expect("challenge", challenge, answered);
    return answered;
  }

  // The end of a path in TreeD is the same for all challenges. The first good path is taken, so that a bad one is
  // reported by itself only.
  const MerkleProof& partition_path() const {
    for (const UpdateChallengeProof& challenge : proof_.challenges) {
      const MerkleProof& path = challenge.proof_d_new;
      if (path.computed_root(TreeHash::sha256) == statement_.comm_d_new) return path;
    }
    return proof_.challenges.front().proof_d_new;
  }

  // The apex leaves, and above them the partition's path, lead to comm_d_new.
  void check_apex_root(Findings& findings) const {
    findings.expect("apex_leaves", std::uint64_t{num_apex_leaves()},
                    std::uint64_t{proof_.apex_leaves.size()});
    if (proof_.apex_leaves.size() != num_apex_leaves()) return;
    Fr node = sha256_root(proof_.apex_leaves);
    const MerkleProof& path = partition_path();
    for (unsigned i = 0; i < shape_.log2_partitions; ++i) {
      const Fr& sibling = path.siblings_of(shape_.random_bits() + i).front();
      node = (partition_ >> i) & 1 ? sha256_parent(sibling, node) : sha256_parent(node, sibling);
    }
    findings.expect("apex_leaves", statement_.comm_d_new, node);
  }

  void check_apex_leaf(const MerkleProof& proof, std::uint64_t node, Findings& findings) const {
    if (proof_.apex_leaves.size() != num_apex_leaves()) return;
    const unsigned levels = shape_.random_bits() - shape_.log2_apex_leaves;
    const std::size_t leaf = (node >> levels) & (num_apex_leaves() - 1);
    findings.expect(indexed("apex_leaves", leaf), proof.computed_node(TreeHash::sha256, levels),
                    proof_.apex_leaves[leaf]);
  }

  const UpdatePublic& statement_;
  const UpdateShape& shape_;
  const UpdatePartitionProof& proof_;
  unsigned wanted_;
  unsigned partition_;  // that is checked
  std::vector<std::uint64_t> challenges_;
  Fr phi_;
  Fr root_r_old_;
  Fr root_r_new_;
};

std::vector<UpdateFinding> check_partitions(const UpdatePublic& statement,
                                            std::span<const UpdatePartitionProof> partitions, unsigned first,
                                            bool stop_at_first) {
  std::vector<std::optional<PartitionCheck>> checks(partitions.size());
  parallel_for(partitions.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
      checks[k].emplace(statement, partitions[k], first + static_cast<unsigned>(k));
  });
  // Per partition one item for itself and one for each challenge.
  const std::size_t stride = std::size_t{1} + statement.shape.challenges;
  const auto check = [&](std::size_t item) {
    const PartitionCheck& partition = *checks[item / stride];
    return item % stride == 0 ? partition.check_head() : partition.check_challenge(item % stride - 1);
  };
  std::vector<UpdateFinding> findings;
  for (ItemFinding& found : check_in_parallel(partitions.size() * stride, stop_at_first, check)) {
    UpdateFinding& finding = findings.emplace_back();
    finding.partition = first + static_cast<unsigned>(found.item / stride);
    if (found.item % stride > 0) finding.challenge = static_cast<unsigned>(found.item % stride - 1);
    finding.field = std::move(found.finding.field);
    finding.expected = std::move(found.finding.expected);
    finding.found = std::move(found.finding.found);
  }
  return findings;
}

UpdateFinding of_request(std::string field, std::string expected, std::size_t found) {
  return {std::nullopt, std::nullopt, std::move(field), std::move(expected), std::to_string(found)};
}

}  // namespace

std::string UpdateFinding::to_string() const {
  std::string out;
  if (partition) out += "partition " + std::to_string(*partition) + ", ";
  if (challenge) out += "challenge " + std::to_string(*challenge) + ", ";
  return out + field + ": expected " + expected + ", found " + found;
}

std::vector<UpdateFinding> validate_update(const UpdatePublic& statement,
                                           std::span<const UpdatePartitionProof> partitions,
                                           bool stop_at_first) {
  const std::size_t count = statement.shape.partitions();
  std::vector<UpdateFinding> findings;
  if (partitions.size() != count) {
    findings.push_back(of_request("partitions", std::to_string(count), partitions.size()));
    if (stop_at_first) return findings;
  }
  const auto some = partitions.first(std::min(count, partitions.size()));
  for (UpdateFinding& finding : check_partitions(statement, some, 0, stop_at_first))
    findings.push_back(std::move(finding));
  return findings;
}

std::vector<UpdateFinding> validate_update_partition(const UpdatePublic& statement,
                                                     const UpdatePartitionProof& proof, unsigned partition,
                                                     bool stop_at_first) {
  const unsigned count = statement.shape.partitions();
  if (partition >= count) {
    return {of_request("partition", "0 to " + std::to_string(count - 1), partition)};
  }
  return check_partitions(statement, std::span(&proof, 1), partition, stop_at_first);
}

}  // namespace cuzk
