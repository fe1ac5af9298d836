#include "vanilla/c1_validate.h"

#include "vanilla/challenges.h"
#include "vanilla/porep_challenge_check.h"

namespace cuzk {
namespace {

Bytes32 expected_replica_id(const C1& c1, std::uint64_t miner_id) {
  return replica_id(prover_id(miner_id), c1.sector_num, c1.ticket, c1.comm_d.to_bytes_le(),
                    c1.registered_proof.porep_id());
}

// The findings of all challenges, in order.
class ParallelCheck {
 public:
  ParallelCheck(const C1& c1, bool stop_at_first)
      : c1_(c1),
        stop_at_first_(stop_at_first),
        context_(c1.statement()),
        count_(c1.registered_proof.challenges_per_partition()) {
    const ChallengeSource source = {c1.replica_id.to_bytes_le(), c1.comm_r.to_bytes_le(), c1.seed};
    for (unsigned k = 0; k < c1.partitions.size(); ++k) {
      challenges_.push_back(porep_challenges(c1.registered_proof, source, k));
    }
  }

  void run(std::vector<C1Finding>& findings) {
    const auto check = [&](std::size_t i) {
      return check_porep_challenge(context_, c1_.partitions[i / count_][i % count_],
                                   challenges_[i / count_][i % count_]);
    };
    for (ItemFinding& found : check_in_parallel(c1_.partitions.size() * count_, stop_at_first_, check)) {
      findings.push_back({static_cast<unsigned>(found.item / count_),
                          static_cast<unsigned>(found.item % count_), std::move(found.finding.field),
                          std::move(found.finding.expected), std::move(found.finding.found)});
    }
  }

 private:
  const C1& c1_;
  bool stop_at_first_;
  PorepCheckContext context_;
  std::size_t count_;
  std::vector<std::vector<std::uint64_t>> challenges_;
};

}  // namespace

std::string C1Finding::to_string() const {
  std::string out;
  if (partition) out += "partition " + std::to_string(*partition) + ", ";
  if (challenge) out += "challenge " + std::to_string(*challenge) + ", ";
  return out + field + ": expected " + expected + ", found " + found;
}

std::vector<C1Finding> validate_c1(const C1& c1, const C1ValidateOptions& options) {
  std::vector<C1Finding> findings;
  if (options.miner_id) {
    const Bytes32 expected = expected_replica_id(c1, *options.miner_id);
    const Bytes32 found = c1.replica_id.to_bytes_le();
    if (expected != found) {
      findings.push_back({std::nullopt, std::nullopt, "replica_id", to_hex(expected), to_hex(found)});
      if (options.stop_at_first) return findings;
    }
  }
  ParallelCheck(c1, options.stop_at_first).run(findings);
  return findings;
}

}  // namespace cuzk
