// The witness in the order of the queries, against the plain way: expand it and pick one by one.
#include "cpu/query_map.h"

#include <gtest/gtest.h>

#include <random>

#include "reference/expanded_r1cs.h"
#include "reference/random_circuit.h"

namespace cuzk {
namespace {

std::uint64_t compress_slowly(std::uint64_t word, std::uint64_t mask) {
  std::uint64_t out = 0;
  unsigned at = 0;
  for (unsigned i = 0; i < 64; ++i) {
    if ((mask >> i) & 1) out |= ((word >> i) & 1) << at++;
  }
  return out;
}

TEST(CompressBits, MatchesTheDefinition) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20000; ++round) {
    const std::uint64_t word = random();
    std::uint64_t mask = random();
    if (round % 3 == 1) mask |= random() | random();
    if (round % 3 == 2) mask &= random() & random();
    ASSERT_EQ(compress_bits(word, mask), compress_slowly(word, mask)) << std::hex << word << " " << mask;
  }
  for (const std::uint64_t mask :
       {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 63})
    EXPECT_EQ(compress_bits(~std::uint64_t{0}, mask), compress_slowly(~std::uint64_t{0}, mask));
}

std::vector<Fr> expand(const WitnessScalars& scalars) {
  std::vector<Fr> out(scalars.n);
  for (std::size_t i = 0; i < scalars.n; ++i) {
    if ((scalars.ones[i / 64] >> (i % 64)) & 1) out[i] = Fr::one();
  }
  for (std::size_t k = 0; k < scalars.indices.size(); ++k) {
    EXPECT_TRUE(out[scalars.indices[k]].is_zero()) << "point " << scalars.indices[k] << " twice";
    EXPECT_FALSE(scalars.values[k].is_zero() || scalars.values[k].is_one());
    out[scalars.indices[k]] = scalars.values[k];
  }
  return out;
}

TEST(QueryMap, GathersWhatExpansionAndSelectionGive) {
  for (const std::size_t n : {1, 9, 40, 64, 65, 500}) {
    const reference::CircuitSpec spec{.num_constraints = n, .seed = n};
    const auto r1cs = reference::random_r1cs(spec);
    const QueryMaps maps = QueryMaps::of(*r1cs);
    const Densities densities = r1cs->densities();
    WitnessScalars l, a, b;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {  // the second and third reuse memory
      const Witness witness = reference::random_witness(spec, reference::Values::edge_elements, seed);
      const std::vector<Fr> aux = expand_aux(*r1cs, witness);
      std::vector<Fr> in_a = witness.inputs, in_b;
      for (std::size_t i = 0; i < r1cs->num_inputs(); ++i) {
        if (densities.inputs_in_b[i]) in_b.push_back(witness.inputs[i]);
      }
      for (std::size_t i = 0; i < aux.size(); ++i) {
        if (densities.aux_in_a[i]) in_a.push_back(aux[i]);
        if (densities.aux_in_b[i]) in_b.push_back(aux[i]);
      }
      maps.l.gather(witness, l);
      maps.a.gather(witness, a);
      maps.b.gather(witness, b);
      EXPECT_EQ(maps.a.size(), in_a.size());
      EXPECT_EQ(expand(l), aux);
      EXPECT_EQ(expand(a), in_a);
      EXPECT_EQ(expand(b), in_b);
    }
  }
}

}  // namespace
}  // namespace cuzk
