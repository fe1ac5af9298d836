// Calls a visitor with every value of a C1 object: visitor(owner, name, value&), value an Fr, Bytes32, uint32
// or uint64. `owner` is the part whose relations cover the value ("drg_parents[2]"), `name` the value itself.
// For tests only.
#pragma once

#include <string>

#include "vanilla/c1.h"
#include "vanilla/merkle_visit_test.h"

namespace cuzk {

template <class Visitor>
void visit_column(const std::string& owner, ColumnProof& column, Visitor& visit) {
  visit(owner, owner + ".column.index", column.index);
  for (std::size_t i = 0; i < column.rows.size(); ++i) {
    visit(owner, owner + ".column.rows[" + std::to_string(i) + "]", column.rows[i]);
  }
  visit_merkle_proof(owner, owner + ".inclusion_proof", column.inclusion_proof, visit);
}

template <class Visitor>
void visit_labeling(const std::string& owner, LabelingProof& labeling, Visitor& visit) {
  for (std::size_t i = 0; i < labeling.parents.size(); ++i) {
    visit(owner, owner + ".parents[" + std::to_string(i) + "]", labeling.parents[i]);
  }
  visit(owner, owner + ".layer_index", labeling.layer_index);
  visit(owner, owner + ".node", labeling.node);
}

template <class Visitor>
void visit_challenge_proof(PorepChallengeProof& proof, Visitor& visit) {
  const auto indexed = [](const char* name, std::size_t i) {
    return std::string(name) + "[" + std::to_string(i) + "]";
  };
  visit_merkle_proof("comm_d_proofs", "comm_d_proofs", proof.comm_d_proof, visit);
  visit_merkle_proof("comm_r_last_proof", "comm_r_last_proof", proof.comm_r_last_proof, visit);
  visit_column("c_x", proof.c_x, visit);
  for (std::size_t i = 0; i < kDrgDegree; ++i)
    visit_column(indexed("drg_parents", i), proof.drg_parents[i], visit);
  for (std::size_t i = 0; i < kExpansionDegree; ++i)
    visit_column(indexed("exp_parents", i), proof.exp_parents[i], visit);
  for (std::size_t i = 0; i < proof.labeling_proofs.size(); ++i) {
    visit_labeling(indexed("labeling_proofs", i), proof.labeling_proofs[i], visit);
  }
  visit_labeling("encoding_proof", proof.encoding_proof, visit);
}

// The values of the object as a whole; the owner is the field of the finding that a change causes.
template <class Visitor>
void visit_c1_head(C1& c1, Visitor& visit) {
  visit("replica_id", "sector_num", c1.sector_num);
  visit("replica_id", "ticket", c1.ticket);
  visit("replica_id", "replica_id", c1.replica_id);
  visit("challenge", "seed", c1.seed);
  visit("comm_r", "comm_r", c1.comm_r);
  visit("comm_d_proofs", "comm_d", c1.comm_d);
}

template <class Visitor>
void visit_c1(C1& c1, Visitor& visit) {
  visit_c1_head(c1, visit);
  for (auto& partition : c1.partitions) {
    for (PorepChallengeProof& proof : partition) visit_challenge_proof(proof, visit);
  }
}

}  // namespace cuzk
