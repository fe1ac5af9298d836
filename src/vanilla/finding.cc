#include "vanilla/finding.h"

#include <atomic>

#include "base/check.h"
#include "base/thread_pool.h"
#include "hash/poseidon.h"

namespace cuzk {

std::string indexed(const char* name, std::size_t index) {
  return std::string(name) + "[" + std::to_string(index) + "]";
}

void Findings::expect(const std::string& field, const Bytes32& expected, const Bytes32& found) {
  if (expected != found) findings_.push_back({field, to_hex(expected), to_hex(found)});
}

void Findings::expect(const std::string& field, const Fr& expected, const Fr& found) {
  if (expected != found) expect(field, expected.to_bytes_le(), found.to_bytes_le());
}

void Findings::expect(const std::string& field, std::uint64_t expected, std::uint64_t found) {
  if (expected != found) findings_.push_back({field, std::to_string(expected), std::to_string(found)});
}

void Findings::expect_merkle_proof(const std::string& field, const MerkleProof& proof, TreeHash hash,
                                   std::uint64_t index, const Fr& root) {
  expect(field + ".index", index, proof.leaf_index());
  expect(field + ".root", root, proof.root);
  expect(field + ".path", proof.root, proof.computed_root(hash));
}

Fr settled_root(const Fr& comm_c, const Fr& comm_r, std::span<const Fr> candidates) {
  CUZK_CHECK(!candidates.empty(), "a root needs candidates");
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i > 0 && candidates[i] == candidates[i - 1]) continue;
    if (poseidon_hash2(comm_c, candidates[i]) == comm_r) return candidates[i];
  }
  return candidates.front();
}

std::vector<ItemFinding> check_in_parallel(std::size_t num_items, bool stop_at_first,
                                           const std::function<std::vector<Finding>(std::size_t)>& check) {
  std::vector<std::vector<Finding>> found(num_items);
  std::atomic<std::size_t> first_bad{num_items};
  parallel_for(num_items, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (stop_at_first && first_bad.load(std::memory_order_relaxed) < i) return;
      found[i] = check(i);
      if (found[i].empty()) continue;
      std::size_t lowest = first_bad.load();
      while (i < lowest && !first_bad.compare_exchange_weak(lowest, i)) {
      }
    }
  });
  std::vector<ItemFinding> findings;
  for (std::size_t i = 0; i < num_items; ++i) {
    for (Finding& finding : found[i]) {
      findings.push_back({i, std::move(finding)});
      if (stop_at_first) return findings;
    }
  }
  return findings;
}

}  // namespace cuzk
