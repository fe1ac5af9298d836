// Method (docs/formats/proof.md; Ben-Sasson, Chiesa, Tromer, Virza, "Succinct non-interactive zero knowledge
// for a von Neumann architecture", 2014): on the coset 7 <w>, Z = X^n - 1 is the constant 7^n - 1, so
//   h(7 w^i) = (A(7 w^i) B(7 w^i) - C(7 w^i)) / (7^n - 1):
// three inverse transforms, three transforms on the coset, one inverse transform from the coset. Coefficients
// are only ever needed in bit-reversed order, but for the last, so there is one permutation. Passes over
// memory are fused where two meet: rows go to coefficients, get the factors 7^i / n, and go back to values
// while they are in the cache; and the last columns on the way to values are combined and start the way back.
// For one column pass (n up to 2^22) that is ten passes over a vector and the permutation, instead of fourteen,
// three scalings and the combination.
#include "poly/quotient.h"

#include "base/check.h"
#include "base/thread_pool.h"
#include "poly/bit_reversal.h"
#include "poly/passes.h"

namespace cuzk {
namespace {

struct Vectors {
  std::span<Fr> a, b, c;
};

// Values at w^i to values at 7 w^i, but for the column pass at level 0.
void to_coset(const Domain& domain, const Vectors& v) {
  const std::vector<ColumnPass>& passes = domain.plan().columns;
  for (const std::span<Fr> values : {v.a, v.b, v.c}) {
    for (const ColumnPass& pass : passes) column_pass_to_bit_reversed(domain, values, pass, Root::inverse);
  }
  const Scale scale{.base = Scale::Base::generator, .factor = Fr::from_u64(domain.size()).inverse()};
  for_each_row(domain, [&](std::size_t row, std::size_t offset) {
    Fr* const rows[3] = {v.a.data() + offset, v.b.data() + offset, v.c.data() + offset};
    domain.kernel().rows_through_coefficients(rows, row, scale);
  });
  for (const std::span<Fr> values : {v.a, v.b, v.c}) {
    for (std::size_t i = passes.size(); i-- > 1;)
      column_pass_to_natural(domain, values, passes[i], Root::forward);
  }
}

// The pass at level 0: finishes the values, combines them, and starts on the coefficients. Without column
// passes the values are finished and there is nothing to start.
void combine(const Domain& domain, const Vectors& v, const Fr& factor) {
  if (domain.plan().columns.empty()) {
    parallel_for(domain.size(), 1024, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) v.a[i] = (v.a[i] * v.b[i] - v.c[i]) * factor;
    });
    return;
  }
  const ColumnPass& pass = domain.plan().columns.front();
  for_each_column_group(domain, pass, [&](std::size_t, std::size_t column) {
    domain.kernel().quotient_columns(v.a.data() + column, v.b.data() + column, v.c.data() + column, pass,
                                     factor);
  });
}

void from_coset(const Domain& domain, std::span<Fr> values) {
  const std::vector<ColumnPass>& passes = domain.plan().columns;
  for (std::size_t i = 1; i < passes.size(); ++i) {
    column_pass_to_bit_reversed(domain, values, passes[i], Root::inverse);
  }
  row_pass_to_bit_reversed(
      domain, values, Root::inverse,
      {.base = Scale::Base::inverse_generator, .factor = Fr::from_u64(domain.size()).inverse()});
  bit_reverse(values);
}

}  // namespace

void quotient(const Domain& domain, std::span<Fr> a, std::span<Fr> b, std::span<Fr> c) {
  CUZK_CHECK(a.size() == domain.size() && b.size() == domain.size() && c.size() == domain.size(),
             "the quotient of vectors of another length than their domain");
  const Fr z = kFrGenerator.pow(domain.size()) - Fr::one();
  to_coset(domain, {a, b, c});
  combine(domain, {a, b, c}, z.inverse());
  from_coset(domain, a);
}

}  // namespace cuzk
