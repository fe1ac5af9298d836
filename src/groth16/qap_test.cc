// The polynomials of an R1CS at a point, against their definition.
#include "groth16/qap.h"

#include <gtest/gtest.h>

#include <vector>

#include "r1cs/shape_system.h"
#include "reference/expanded_r1cs.h"
#include "reference/polynomial.h"
#include "reference/random_circuit.h"

namespace cuzk {
namespace {

std::vector<Fr> to_vector(const Buffer<Fr>& values) {
  return {values.span().begin(), values.span().end()};
}

TEST(Qap, LagrangeValuesMatchTheProductFormula) {
  const Fr tau = Fr::from_u64(1234567).inverse();
  for (unsigned log_n = 0; log_n <= 6; ++log_n) {
    const std::size_t n = std::size_t{1} << log_n;
    std::vector<Fr> wanted = reference::lagrange(n, tau);
    EXPECT_EQ(to_vector(lagrange_at(tau, log_n, n)), wanted);
    wanted.resize(n / 2 + 1);
    EXPECT_EQ(to_vector(lagrange_at(tau, log_n, n / 2 + 1)), wanted);
  }
}

TEST(Qap, LagrangeValuesAddUpToOne) {  // over more than one task
  Fr sum;
  const Buffer<Fr> values = lagrange_at(Fr::from_u64(99), 14, 1 << 14);
  for (const Fr& value : values.span()) sum += value;
  EXPECT_TRUE(sum.is_one());
}

std::vector<Fr> slow_sums(const std::vector<reference::Row>& rows, const std::vector<Fr>& lagrange,
                          std::size_t num_variables) {
  std::vector<Fr> sums(num_variables);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    for (const auto& [column, coefficient] : rows[j]) sums[column] += coefficient * lagrange[j];
  }
  return sums;
}

// Blocks, repetitions, parameters and closing constraints: every matrix against its rows written out.
TEST(Qap, ColumnSumsMatchTheRowsWrittenOut) {
  for (const std::size_t n : {1, 2, 31, 32, 33, 700}) {
    const auto r1cs = reference::random_r1cs({.num_constraints = n, .seed = n});
    const reference::ExpandedR1cs rows = reference::expand(*r1cs);
    const Buffer<Fr> lagrange = lagrange_at(Fr::from_u64(77), r1cs->log_domain(), r1cs->num_domain_rows());
    const std::vector<Fr> values = to_vector(lagrange);
    const std::size_t variables = rows.num_variables();
    EXPECT_EQ(to_vector(column_sums(*r1cs, Matrix::a, values)), slow_sums(rows.a, values, variables)) << n;
    EXPECT_EQ(to_vector(column_sums(*r1cs, Matrix::b, values)), slow_sums(rows.b, values, variables)) << n;
    EXPECT_EQ(to_vector(column_sums(*r1cs, Matrix::c, values)), slow_sums(rows.c, values, variables)) << n;
  }
}

// Large columns are summed by all threads: ONE occurs in every row here.
TEST(Qap, LongColumnsOfRepeatedBlocks) {
  constexpr std::size_t kRows = 70000;
  ShapeSystem cs;
  cs.repeat(2, [&](auto&&...) {
    for (std::size_t i = 0; i < kRows; ++i) {
      const Variable x = cs.alloc_bit(false);
      cs.enforce(
          [&](LinearCombination& lc) {
            lc.add(kOneVariable, Fr::from_u64(1 + i % 3));
            lc.sub(x);
          },
          [&](LinearCombination& lc) { lc.add(x); }, [&](LinearCombination&) {});
    }
  });
  const R1cs r1cs = cs.finish();
  const Buffer<Fr> lagrange = lagrange_at(Fr::from_u64(77), r1cs.log_domain(), r1cs.num_domain_rows());
  const Buffer<Fr> a = column_sums(r1cs, Matrix::a, lagrange.span());
  const Buffer<Fr> b = column_sums(r1cs, Matrix::b, lagrange.span());
  Fr one = lagrange[2 * kRows];  // its closing constraint
  for (std::size_t i = 0; i < 2 * kRows; ++i) {
    one += Fr::from_u64(1 + i % kRows % 3) * lagrange[i];
    ASSERT_EQ(a[1 + i], -lagrange[i]);
    ASSERT_EQ(b[1 + i], lagrange[i]);
  }
  EXPECT_EQ(a[0], one);
}

}  // namespace
}  // namespace cuzk
