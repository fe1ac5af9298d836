#include "groth16/srs_view.h"

#include <string>

namespace cuzk {

const char* query_name(Query query) noexcept {
  constexpr const char* kNames[] = {"h", "l", "a", "b_g1", "b_g2"};
  return kNames[static_cast<std::size_t>(query)];
}

SrsCounts SrsCounts::of(const R1cs& r1cs, const Densities& densities) {
  SrsCounts counts;
  const std::size_t in_b = densities.inputs_in_b.count_ones() + densities.aux_in_b.count_ones();
  counts.ic = r1cs.num_inputs();
  counts[Query::h] = (std::size_t{1} << r1cs.log_domain()) - 1;
  counts[Query::l] = r1cs.num_aux();
  counts[Query::a] = r1cs.num_inputs() + densities.aux_in_a.count_ones();
  counts[Query::b_g1] = in_b;
  counts[Query::b_g2] = in_b;
  return counts;
}

std::uint64_t SrsCounts::file_bytes() const noexcept {
  std::uint64_t bytes = VerifyingKey::kHeadBytes + 96 * ic;
  for (const Query query : kQueries) bytes += 4 + query_point_bytes(query) * (*this)[query];
  return bytes;
}

Status SrsCounts::check_equal(const SrsCounts& wanted) const {
  const auto check = [](const char* name, std::size_t found, std::size_t expected) {
    if (found == expected) return Status::ok();
    return invalid_argument("parameters of another circuit: " + std::string(name) + " has " +
                            std::to_string(found) + " points, the circuit needs " + std::to_string(expected));
  };
  CUZK_TRY(check("ic", ic, wanted.ic));
  for (const Query query : kQueries) CUZK_TRY(check(query_name(query), (*this)[query], wanted[query]));
  return Status::ok();
}

SrsCounts SrsView::counts() const noexcept {
  SrsCounts counts;
  counts.ic = vk.ic.size();
  for (const Query query : kQueries) counts[query] = (*this)[query].size() / query_point_bytes(query);
  return counts;
}

}  // namespace cuzk
