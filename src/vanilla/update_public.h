// What the chain knows of a sector update (SnapDeals), and what follows from it: challenges, encoding keys, and the
// public inputs of a partition's circuit. Source: docs/formats/public-inputs.md, Sector update.
#pragma once

#include <cstdint>
#include <vector>

#include "field/fr.h"
#include "vanilla/update_shape.h"

namespace cuzk {

struct UpdatePublic {
  UpdateShape shape;
  Fr comm_r_old;
  Fr comm_d_new;
  Fr comm_r_new;
};

// The key of the whole update.
Fr update_phi(const Fr& comm_d_new, const Fr& comm_r_old) noexcept;
// The key of one node, shared by all nodes with the same h highest bits: label_r_new = label_r_old + label_d_new * rho.
Fr update_rho(const UpdateShape& shape, const Fr& phi, std::uint64_t node) noexcept;

// The nodes that partition `partition` is challenged on, in order; repeats are possible.
std::vector<std::uint64_t> update_challenges(const UpdatePublic& statement, unsigned partition);

// The public inputs of a partition without the leading ONE.
std::vector<Fr> update_public_inputs(const UpdatePublic& statement, unsigned partition);

}  // namespace cuzk
