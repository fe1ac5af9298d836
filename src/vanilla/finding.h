// What a check of vanilla proofs finds: values that are not what the others make them be.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "vanilla/merkle_proof.h"

namespace cuzk {

struct Finding {
  std::string field;     // as in the errors of the parser: "drg_parents[2].inclusion_proof.root"
  std::string expected;  // 32-byte values as hexadecimal in byte order, numbers as decimal
  std::string found;
};

// "name[3]"
std::string indexed(const char* name, std::size_t index);

// Collects the findings of one object.
class Findings {
 public:
  void expect(const std::string& field, const Bytes32& expected, const Bytes32& found);
  void expect(const std::string& field, const Fr& expected, const Fr& found);
  void expect(const std::string& field, std::uint64_t expected, std::uint64_t found);
  // The position (".index"), the given root (".root"), and that leaf and siblings lead to it (".path": the root they
  // lead to).
  void expect_merkle_proof(const std::string& field, const MerkleProof& proof, TreeHash hash,
                           std::uint64_t index, const Fr& root);
  void add(Finding finding) { findings_.push_back(std::move(finding)); }
  std::vector<Finding> take() && { return std::move(findings_); }

 private:
  std::vector<Finding> findings_;
};

// The root that comm_r is made of, comm_r = Poseidon(comm_c, root): the first of the candidates that fits, so that one
// changed root is told from the others. If none fits, the first; at least one candidate (checked).
Fr settled_root(const Fr& comm_c, const Fr& comm_r, std::span<const Fr> candidates);

struct ItemFinding {
  std::size_t item;
  Finding finding;
};

// The findings of check(0) to check(num_items - 1), in this order, made on the global thread pool; `check` must be safe
// to call from several threads. With stop_at_first only the first of them, and items behind it may be left out.
std::vector<ItemFinding> check_in_parallel(std::size_t num_items, bool stop_at_first,
                                           const std::function<std::vector<Finding>(std::size_t)>& check);

}  // namespace cuzk
