// Calls a visitor with every value of a Merkle proof: visitor(owner, name, value&), value an Fr or uint32. For tests
// only.
#pragma once

#include <string>

#include "vanilla/merkle_proof.h"

namespace cuzk {

template <class Visitor>
void visit_merkle_proof(const std::string& owner, const std::string& name, MerkleProof& proof,
                        Visitor& visit) {
  visit(owner, name + ".leaf", proof.leaf);
  visit(owner, name + ".root", proof.root);
  for (std::size_t i = 0; i < proof.levels.size(); ++i) {
    const std::string level = name + ".path[" + std::to_string(i) + "]";
    visit(owner, level + ".index", proof.levels[i].index);
    for (std::uint32_t j = 0; j + 1 < proof.levels[i].arity; ++j) {
      visit(owner, level + ".hashes[" + std::to_string(j) + "]",
            proof.siblings[proof.levels[i].first_sibling + j]);
    }
  }
}

}  // namespace cuzk
