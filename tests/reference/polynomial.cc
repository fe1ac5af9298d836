#include "reference/polynomial.h"

#include "base/check.h"

namespace cuzk::reference {

Fr root_of_unity(std::size_t n) {
  Fr w = kFrRootOfUnity;
  for (std::size_t size = std::size_t{1} << kFrTwoAdicity; size > n; size /= 2) w = w * w;
  return w;
}

std::vector<Fr> dft(const std::vector<Fr>& coefficients, const Fr& w) {
  std::vector<Fr> values(coefficients.size());
  Fr x = Fr::one();
  for (Fr& value : values) {
    for (std::size_t i = coefficients.size(); i-- > 0;) value = value * x + coefficients[i];
    x = x * w;
  }
  return values;
}

std::vector<Fr> interpolate(const std::vector<Fr>& values) {
  std::vector<Fr> coefficients = dft(values, root_of_unity(values.size()).inverse());
  const Fr scale = Fr::from_u64(values.size()).inverse();
  for (Fr& coefficient : coefficients) coefficient = coefficient * scale;
  return coefficients;
}

std::vector<Fr> quotient(const std::vector<Fr>& a, const std::vector<Fr>& b, const std::vector<Fr>& c) {
  const std::size_t n = a.size();
  const std::vector<Fr> a_poly = interpolate(a);
  const std::vector<Fr> b_poly = interpolate(b);
  const std::vector<Fr> c_poly = interpolate(c);
  std::vector<Fr> rest(2 * n);  // A B - C
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) rest[i + k] += a_poly[i] * b_poly[k];
    rest[i] -= c_poly[i];
  }
  // Long division by x^n - 1, from the highest coefficient down.
  std::vector<Fr> q(n);
  for (std::size_t i = n; i-- > 0;) {
    q[i] = rest[n + i];
    rest[n + i] = Fr::zero();
    rest[i] += q[i];
  }
  for (const Fr& coefficient : rest)
    CUZK_CHECK(coefficient.is_zero(), "A B - C is not a multiple of x^n - 1");
  CUZK_CHECK(q.back().is_zero(), "the quotient has degree n - 2");
  q.pop_back();
  return q;
}

std::vector<Fr> lagrange(std::size_t n, const Fr& tau) {
  const Fr w = root_of_unity(n);
  std::vector<Fr> points(n, Fr::one());
  for (std::size_t i = 1; i < n; ++i) points[i] = points[i - 1] * w;
  std::vector<Fr> values(n);
  for (std::size_t j = 0; j < n; ++j) {
    Fr numerator = Fr::one();
    Fr denominator = Fr::one();
    for (std::size_t k = 0; k < n; ++k) {
      if (k == j) continue;
      numerator = numerator * (tau - points[k]);
      denominator = denominator * (points[j] - points[k]);
    }
    values[j] = numerator * denominator.inverse();
  }
  return values;
}

}  // namespace cuzk::reference
