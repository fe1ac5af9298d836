#include "poly/quotient.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "poly/domain.h"

namespace cuzk {
namespace {

std::vector<Fr> random_values(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Fr> values(n);
  for (Fr& value : values) value = Fr::from_repr_unchecked({random(), random(), random(), random()});
  return values;
}

// The quotient of A B - C by X^n - 1 by long division; `remainder_is_zero` tells whether it divides.
std::vector<Fr> schoolbook(const Domain& domain, std::vector<Fr> a, std::vector<Fr> b, std::vector<Fr> c,
                           bool* remainder_is_zero) {
  const std::size_t n = domain.size();
  domain.intt(a);
  domain.intt(b);
  domain.intt(c);
  std::vector<Fr> product(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) product[i + j] += a[i] * b[j];
    product[i] -= c[i];
  }
  // The coefficient of X^(n + i) moves to X^i in the remainder.
  std::vector<Fr> quotient(product.begin() + static_cast<std::ptrdiff_t>(n), product.end());
  *remainder_is_zero = true;
  for (std::size_t i = 0; i < n; ++i)
    *remainder_is_zero = *remainder_is_zero && (product[i] + product[n + i]).is_zero();
  return quotient;
}

TEST(Quotient, MatchesSchoolbookDivision) {
  for (unsigned log_n = 0; log_n <= 9; ++log_n) {
    for (const bool ifma : {true, false}) {
      for (const unsigned row_levels : {6u, 7u, 12u}) {
        const Domain domain(log_n, {ifma, row_levels, 2});
        const std::vector<Fr> a = random_values(domain.size(), 1), b = random_values(domain.size(), 2);
        std::vector<Fr> c(domain.size());
        for (std::size_t i = 0; i < c.size(); ++i) c[i] = a[i] * b[i];
        bool divides = false;
        const std::vector<Fr> expected = schoolbook(domain, a, b, c, &divides);
        ASSERT_TRUE(divides);
        std::vector<Fr> h = a, work_b = b, work_c = c;
        quotient(domain, h, work_b, work_c);
        ASSERT_EQ(h, expected) << "log_n " << log_n << " rows " << row_levels << " ifma " << ifma;
        EXPECT_TRUE(h.back().is_zero());
      }
    }
  }
}

TEST(Quotient, AnUnsatisfiedSystemShowsInTheLastCoefficient) {
  for (const unsigned log_n : {3u, 8u, 13u}) {
    const Domain domain(log_n);
    std::vector<Fr> a = random_values(domain.size(), 3), b = random_values(domain.size(), 4),
                    c(domain.size());
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = a[i] * b[i];
    c[5] += Fr::one();
    quotient(domain, a, b, c);
    EXPECT_FALSE(a.back().is_zero());
  }
}

TEST(Quotient, IfmaAndPortableAgreeOnEveryDivision) {
  for (const unsigned log_n : {10u, 13u, 15u}) {
    const Domain portable(log_n, {.allow_ifma = false});
    const std::vector<Fr> a = random_values(portable.size(), 5), b = random_values(portable.size(), 6),
                          c = random_values(portable.size(), 7);
    std::vector<Fr> expected = a, x = b, y = c;
    quotient(portable, expected, x, y);
    for (const unsigned row_levels : {6u, 8u, 9u, 12u, 13u}) {
      for (const unsigned column_levels : {1u, 3u, 4u, 7u}) {
        const Domain domain(log_n, {true, row_levels, column_levels});
        std::vector<Fr> h = a;
        x = b, y = c;
        quotient(domain, h, x, y);
        ASSERT_EQ(h, expected) << log_n << " " << row_levels << " " << column_levels;
      }
    }
  }
}

// The largest values at every butterfly and product.
TEST(Quotient, IfmaAndPortableAgreeOnExtremeInputs) {
  constexpr unsigned kLogN = 13;
  const Domain portable(kLogN, {.allow_ifma = false});
  typename Fr::Repr top = Fr::modulus();
  top[0] -= 1;
  for (int kind = 0; kind < 3; ++kind) {
    std::vector<Fr> a(portable.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (kind == 0 || (kind == 1 && i % 2 == 0) || (kind == 2 && i % 3 == 0))
        a[i] = Fr::from_montgomery(top);
    }
    std::vector<Fr> expected = a, b = a, c = a;
    quotient(portable, expected, b, c);
    for (const unsigned row_levels : {6u, 9u, 12u, 13u}) {
      for (const unsigned column_levels : {3u, 7u}) {
        std::vector<Fr> h = a;
        b = a, c = a;
        quotient(Domain(kLogN, {true, row_levels, column_levels}), h, b, c);
        ASSERT_EQ(h, expected) << kind << " " << row_levels << " " << column_levels;
      }
    }
  }
}

TEST(Quotient, PortableDivisionsAgree) {
  const std::vector<Fr> a = random_values(1024, 8), b = random_values(1024, 9), c = random_values(1024, 10);
  std::vector<Fr> expected;
  for (const unsigned row_levels : {3u, 5u, 10u}) {
    for (const unsigned column_levels : {2u, 4u}) {
      const Domain domain(10, {false, row_levels, column_levels});
      std::vector<Fr> h = a, x = b, y = c;
      quotient(domain, h, x, y);
      if (expected.empty()) expected = h;
      ASSERT_EQ(h, expected);
    }
  }
}

TEST(QuotientDeathTest, RefusesOtherLengths) {
  const Domain domain(3);
  std::vector<Fr> a(8), b(8), c(4);
  EXPECT_DEATH(quotient(domain, a, b, c), "another length");
}

}  // namespace
}  // namespace cuzk
