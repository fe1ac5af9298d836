// Method: let A B = lo + X^n hi with lo, hi of degree below n, and A B = C on the domain, where X^n = 1. Then
//   C = A B mod (X^n - 1) = lo + hi,   and with   x = A B mod (X^n + 1) = lo - hi
//   h = (A B - C) / (X^n - 1) = hi = (C - x) / 2.
// x is interpolated from the products of values on the coset g <w>, g^2 = w, where X^n = -1: three inverse
// transforms on the domain, two transforms on the coset and one back from it. (Division by Z on any other coset,
// as in Ben-Sasson, Chiesa, Tromer, Virza, "Succinct non-interactive zero knowledge for a von Neumann
// architecture", 2014, gives the same h and takes C to the coset too.)
//
// Coefficients are only ever needed in bit-reversed order, but for the last, so there is one permutation. Passes over
// memory are fused where two meet: the rows of a and b go to coefficients, get the factors g^i / n, and go back to values
// while they are in the cache; the last columns on the way to values are multiplied and start the way back; and the
// rows of c become coefficients just before those of x, from which they are subtracted in the cache. For one column
// pass (n up to 2^22) that is nine passes over a vector and the permutation.
#include "poly/quotient.h"

#include "base/check.h"
#include "base/thread_pool.h"
#include "poly/bit_reversal.h"
#include "poly/passes.h"

namespace cuzk {
namespace {

// Values at w^i to values at g w^i, but for the column pass at level 0.
void to_coset(const Domain& domain, std::span<Fr> a, std::span<Fr> b) {
  const std::vector<ColumnPass>& passes = domain.plan().columns;
  for (const std::span<Fr> values : {a, b}) {
    for (const ColumnPass& pass : passes) column_pass_to_bit_reversed(domain, values, pass, Root::inverse);
  }
  const Scale scale{.base = Scale::Base::coset, .factor = Fr::from_u64(domain.size()).inverse()};
  for_each_row(domain, [&](std::size_t row, std::size_t offset) {
    Fr* const rows[2] = {a.data() + offset, b.data() + offset};
    domain.kernel().rows_through_coefficients(rows, row, scale);
  });
  for (const std::span<Fr> values : {a, b}) {
    for (std::size_t i = passes.size(); i-- > 1;)
      column_pass_to_natural(domain, values, passes[i], Root::forward);
  }
}

// The pass at level 0: finishes the values, multiplies them, and starts on the coefficients. Without column
// passes the values are finished and there is nothing to start.
void multiply(const Domain& domain, std::span<Fr> a, std::span<Fr> b) {
  if (domain.plan().columns.empty()) {
    parallel_for(domain.size(), 1024, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) a[i] *= b[i];
    });
    return;
  }
  const ColumnPass& pass = domain.plan().columns.front();
  for_each_column_group(domain, pass, [&](std::size_t, std::size_t column) {
    domain.kernel().product_columns(a.data() + column, b.data() + column, pass);
  });
}

// Values of x, after multiply(), and of C to the coefficients of (C - x) / 2 in place of x.
void to_quotient(const Domain& domain, std::span<Fr> x, std::span<Fr> c) {
  const std::vector<ColumnPass>& passes = domain.plan().columns;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    column_pass_to_bit_reversed(domain, c, passes[i], Root::inverse);
    if (i > 0) column_pass_to_bit_reversed(domain, x, passes[i], Root::inverse);
  }
  const Fr half = Fr::from_u64(2 * domain.size()).inverse();
  const Scale of_c{.factor = half}, of_x{.base = Scale::Base::inverse_coset, .factor = -half};
  for_each_row(domain, [&](std::size_t row, std::size_t offset) {
    Fr *x_row = x.data() + offset, *c_row = c.data() + offset;
    domain.kernel().row_to_bit_reversed(c_row, row, Root::inverse, of_c);
    domain.kernel().row_to_bit_reversed(x_row, row, Root::inverse, of_x);
    for (std::size_t i = 0; i < domain.plan().row_length(); ++i) x_row[i] += c_row[i];
  });
  bit_reverse(x);
}

}  // namespace

void quotient(const Domain& domain, std::span<Fr> a, std::span<Fr> b, std::span<Fr> c) {
  CUZK_CHECK(a.size() == domain.size() && b.size() == domain.size() && c.size() == domain.size(),
             "the quotient of vectors of another length than their domain");
  to_coset(domain, a, b);
  multiply(domain, a, b);
  to_quotient(domain, a, c);
}

}  // namespace cuzk
