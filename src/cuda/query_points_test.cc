// Which value goes with which point, against the definition.
#include "cuda/query_points.h"

#include <gtest/gtest.h>

#include <random>

#include "reference/random_circuit.h"

namespace cuzk::cuda {
namespace {

BitVector random_bits(std::size_t n, std::uint64_t seed, unsigned of_ten) {
  std::mt19937_64 random(seed);
  BitVector bits;
  for (std::size_t i = 0; i < n; ++i) bits.push_back(random() % 10 < of_ten);
  return bits;
}

void expect_definition(const R1cs& r1cs, const BitVector& inputs, const BitVector* aux) {
  const PointTable table(r1cs, inputs, aux);
  std::vector<std::uint32_t> index, points;
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]) continue;
    index.push_back(i);
    points.push_back(next++);
  }
  EXPECT_EQ(table.num_inputs, next);
  std::vector<std::uint32_t> point_of(r1cs.num_aux());
  for (std::size_t i = 0; i < r1cs.num_aux(); ++i) {
    if (aux != nullptr && i % 64 == 0) {
      EXPECT_EQ(table.rank.at(i / 64), next - table.num_inputs);
    }
    point_of[i] = next;
    next += aux == nullptr || (*aux)[i] ? 1 : 0;
  }
  for (std::uint32_t full = 0; full < r1cs.num_full(); ++full) {
    const std::uint32_t variable = r1cs.aux_of_full(full);
    if (aux != nullptr && !(*aux)[variable]) continue;
    index.push_back(static_cast<std::uint32_t>(r1cs.num_inputs()) + full);
    points.push_back(point_of[variable]);
  }
  EXPECT_EQ(table.index, index);
  EXPECT_EQ(table.points, points);
}

TEST(PointTable, IsTheDefinition) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{33}, std::size_t{1000}, std::size_t{1'200'000}}) {
    const auto r1cs = reference::random_r1cs({.num_constraints = n, .seed = n, .plain = n > 100'000});
    expect_definition(*r1cs, BitVector(), nullptr);
    for (const unsigned of_ten : {0U, 3U, 10U}) {
      const BitVector inputs = random_bits(r1cs->num_inputs(), n, of_ten);
      const BitVector aux = random_bits(r1cs->num_aux(), n + 1, of_ten);
      expect_definition(*r1cs, inputs, &aux);
    }
    const Densities densities = r1cs->densities();
    expect_definition(*r1cs, densities.inputs_in_b, &densities.aux_in_b);
  }
}

}  // namespace
}  // namespace cuzk::cuda
