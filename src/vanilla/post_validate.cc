#include "vanilla/post_validate.h"

#include <algorithm>
#include <array>

#include "base/thread_pool.h"
#include "hash/poseidon.h"
#include "vanilla/finding.h"

namespace cuzk {
namespace {

class PostCheck {
 public:
  PostCheck(const PostPublic& statement, std::span<const PostSectorProof> sectors)
      : statement_(statement), sectors_(sectors), roots_(sectors.size()), challenges_(sectors.size()) {}

  std::vector<PostFinding> run(bool stop_at_first) {
    std::vector<PostFinding> findings = check_request();
    if (stop_at_first && !findings.empty()) {
      findings.resize(1);
      return findings;
    }
    find_duplicates();
    parallel_for(sectors_.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) prepare(i);
    });
    // Per sector one item for itself and one for each challenge.
    const std::size_t stride = 1 + statement_.proof.challenges_per_sector();
    const auto check = [&](std::size_t item) {
      return item % stride == 0 ? check_sector(item / stride)
                                : check_challenge(item / stride, item % stride - 1);
    };
    for (ItemFinding& found : check_in_parallel(sectors_.size() * stride, stop_at_first, check)) {
      const std::size_t position = found.item / stride;
      PostFinding& finding = findings.emplace_back();
      finding.position = position;
      finding.sector_id = sectors_[position].sector_id;
      if (found.item % stride > 0) finding.challenge = static_cast<unsigned>(found.item % stride - 1);
      finding.field = std::move(found.finding.field);
      finding.expected = std::move(found.finding.expected);
      finding.found = std::move(found.finding.found);
    }
    return findings;
  }

 private:
  static PostFinding of_request(std::string field, std::string expected, std::string found) {
    return {std::nullopt,     std::nullopt,        std::nullopt,
            std::move(field), std::move(expected), std::move(found)};
  }

  std::vector<PostFinding> check_request() const {
    std::vector<PostFinding> findings;
    const std::size_t most = statement_.proof.max_sectors();
    if (sectors_.empty() || sectors_.size() > most) {
      const std::string wanted = most == 1 ? "1" : "1 to " + std::to_string(most);
      findings.push_back(of_request("sectors", wanted, std::to_string(sectors_.size())));
    }
    if (!Fr::from_bytes_le(statement_.randomness)) {
      findings.push_back(of_request("randomness", "below the field modulus", to_hex(statement_.randomness)));
    }
    if (statement_.proof.kind == PostKind::winning && statement_.partition != 0) {
      findings.push_back(of_request("partition", "0", std::to_string(statement_.partition)));
    }
    return findings;
  }

  // For each sector, whether its number stands at an earlier position too.
  void find_duplicates() {
    std::vector<std::size_t> order(sectors_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return sectors_[a].sector_id < sectors_[b].sector_id;
    });
    is_duplicate_.assign(sectors_.size(), false);
    for (std::size_t i = 1; i < order.size(); ++i) {
      is_duplicate_[order[i]] = sectors_[order[i]].sector_id == sectors_[order[i - 1]].sector_id;
    }
  }

  void prepare(std::size_t position) {
    const PostSectorProof& sector = sectors_[position];
    std::vector<Fr> candidates = {sector.comm_r_last};
    for (const MerkleProof& proof : sector.inclusion_proofs) candidates.push_back(proof.root);
    roots_[position] = settled_root(sector.comm_c, sector.comm_r, candidates);
    challenges_[position] = post_sector_challenges(statement_, sector.sector_id, position);
  }

  std::vector<Finding> check_sector(std::size_t position) const {
    const PostSectorProof& sector = sectors_[position];
    Findings findings;
    if (is_duplicate_[position])
      findings.add({"sector_id", "each sector once", std::to_string(sector.sector_id)});
    findings.expect("inclusion_proofs", std::uint64_t{statement_.proof.challenges_per_sector()},
                    std::uint64_t{sector.inclusion_proofs.size()});
    findings.expect("comm_r", poseidon_hash2(sector.comm_c, roots_[position]), sector.comm_r);
    findings.expect("comm_r_last", roots_[position], sector.comm_r_last);
    return std::move(findings).take();
  }

  std::vector<Finding> check_challenge(std::size_t position, std::size_t challenge) const {
    const PostSectorProof& sector = sectors_[position];
    if (challenge >= sector.inclusion_proofs.size()) return {};
    const MerkleProof& proof = sector.inclusion_proofs[challenge];
    const Fr computed = proof.computed_root(TreeHash::poseidon);
    Findings findings;
    // A changed index breaks the path; a whole path at another index answers another challenge.
    findings.expect(computed == proof.root ? "challenge" : "inclusion_proof.index",
                    challenges_[position][challenge], proof.leaf_index());
    findings.expect("inclusion_proof.root", roots_[position], proof.root);
    findings.expect("inclusion_proof.path", proof.root, computed);
    return std::move(findings).take();
  }

  const PostPublic& statement_;
  std::span<const PostSectorProof> sectors_;
  std::vector<Fr> roots_;  // per sector, of TreeRLast
  std::vector<std::vector<std::uint64_t>> challenges_;
  std::vector<bool> is_duplicate_;
};

}  // namespace

std::string PostFinding::to_string() const {
  std::string out;
  if (sector_id) out += "sector " + std::to_string(*sector_id);
  if (position) out += " (position " + std::to_string(*position) + "), ";
  if (challenge) out += "challenge " + std::to_string(*challenge) + ", ";
  return out + field + ": expected " + expected + ", found " + found;
}

std::vector<PostFinding> validate_post(const PostPublic& statement, std::span<const PostSectorProof> sectors,
                                       bool stop_at_first) {
  return PostCheck(statement, sectors).run(stop_at_first);
}

}  // namespace cuzk
