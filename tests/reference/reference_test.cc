// The reference against facts that do not depend on it: its polynomials at random points, its proofs under the verifier.
#include "reference/reference_groth16.h"

#include <gtest/gtest.h>

#include "groth16/verify.h"
#include "r1cs/evaluate.h"
#include "reference/polynomial.h"
#include "reference/random_circuit.h"
#include "reference/srs_buffer.h"

namespace cuzk::reference {
namespace {

Fr at(const std::vector<Fr>& coefficients, const Fr& x) {
  Fr value;
  for (std::size_t i = coefficients.size(); i-- > 0;) value = value * x + coefficients[i];
  return value;
}

TEST(Polynomial, InterpolationAndLagrangeAgree) {
  const Fr tau = Fr::from_u64(123456789);
  for (const std::size_t n : {1, 2, 8, 16}) {
    std::vector<Fr> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(Fr::from_u64(i * i + 7));
    const std::vector<Fr> coefficients = interpolate(values);
    EXPECT_EQ(dft(coefficients, root_of_unity(n)), values);
    const std::vector<Fr> basis = lagrange(n, tau);
    Fr sum;
    for (std::size_t i = 0; i < n; ++i) sum += values[i] * basis[i];
    EXPECT_EQ(sum, at(coefficients, tau));
  }
}

TEST(Polynomial, QuotientTimesDivisorIsTheDividend) {
  std::vector<Fr> a, b, c;
  for (std::uint64_t i = 0; i < 8; ++i) {
    a.push_back(Fr::from_u64(i + 3));
    b.push_back(Fr::from_u64(i * i + 1));
    c.push_back(a.back() * b.back());
  }
  const Fr x = Fr::from_u64(987654321);
  const Fr left = at(interpolate(a), x) * at(interpolate(b), x) - at(interpolate(c), x);
  EXPECT_EQ(left, at(quotient(a, b, c), x) * (x.pow(8) - Fr::one()));
}

TEST(RandomCircuit, HasTheSizeAndIsSatisfied) {
  for (const std::size_t n : {1, 2, 9, 10, 33, 64, 200}) {
    for (const bool plain : {false, true}) {
      const CircuitSpec spec{.num_constraints = n, .seed = n, .plain = plain};
      const auto r1cs = random_r1cs(spec);
      EXPECT_EQ(r1cs->num_constraints(), n);
      EXPECT_EQ(r1cs->blocks().size(), n < 10 ? 1u : 3u);
      for (const Values values : {Values::zeros, Values::ones, Values::random_bits, Values::edge_elements}) {
        if (!plain && (values == Values::zeros || values == Values::ones)) continue;
        const Witness witness = random_witness(spec, values, 5);
        ASSERT_TRUE(check_dimensions(*r1cs, witness).is_ok());
        EXPECT_EQ(first_unsatisfied(*r1cs, witness), std::nullopt) << n;
        if (values == Values::zeros || values == Values::ones) {
          for (const Fr& value : expand_aux(*r1cs, witness))
            EXPECT_EQ(value, values == Values::ones ? Fr::one() : Fr::zero());
        }
      }
    }
  }
}

TEST(RandomCircuit, UsesEveryKindOfColumn) {
  const auto r1cs = random_r1cs({.num_constraints = 200, .seed = 1});
  bool seen[3][2] = {};
  bool parameter_seen = false;
  for (const R1csBlock& block : r1cs->blocks()) {
    for (const SparseRows* rows : {&block.a, &block.b, &block.c}) {
      for (const Column column : rows->columns) {
        if (column.kind() == ColumnKind::parameter) {
          parameter_seen = true;
        } else {
          seen[static_cast<std::size_t>(column.kind())][column.relative()] = true;
        }
      }
    }
  }
  for (const auto& kind : seen) {
    for (const bool relative : kind) EXPECT_TRUE(relative);
  }
  EXPECT_TRUE(parameter_seen);
  EXPECT_GT(r1cs->densities().inputs_in_b.count_ones(), 1u);
}

TEST(Reference, ItsProofsVerify) {
  const CircuitSpec spec{.num_constraints = 20, .seed = 3};
  const auto r1cs = random_r1cs(spec);
  const Witness witness = random_witness(spec, Values::edge_elements, 4);
  SrsBuffer srs;
  const ToxicWaste toxic{Fr::from_u64(2), Fr::from_u64(3), Fr::from_u64(5), Fr::from_u64(7),
                         Fr::from_u64(11)};
  ASSERT_TRUE(slow_setup(*r1cs, toxic, srs).is_ok());
  ReferenceBackend backend;
  auto resident = backend.load(srs.view(), r1cs, nullptr);
  ASSERT_TRUE(resident.is_ok()) << resident.status().to_string();
  ProveTimings timings;
  const auto proof = backend.prove(*resident.value(), witness, {Fr::from_u64(13), Fr::from_u64(17)}, timings);
  ASSERT_TRUE(proof.is_ok()) << proof.status().to_string();
  const PreparedVerifyingKey key(srs.vk());
  EXPECT_TRUE(verify(key, std::span(witness.inputs).subspan(1), proof.value()).is_ok());
}

}  // namespace
}  // namespace cuzk::reference
