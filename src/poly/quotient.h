// The quotient polynomial of Groth16.
#pragma once

#include <span>

#include "poly/domain.h"

namespace cuzk {

// On input a, b, c are the values of three polynomials A, B, C of degree below n on the domain, natural
// order, each of length n (checked). On output `a` holds the coefficients of h = (A B - C) / (X^n - 1),
// natural order, and b, c are unspecified. If A B = C on the domain, h has degree at most n - 2, so the last
// coefficient is 0; otherwise the result is (A B - C) / -2 interpolated on the coset where X^n = -1 and means
// nothing. The vectors must not overlap. All threads.
void quotient(const Domain& domain, std::span<Fr> a, std::span<Fr> b, std::span<Fr> c);

}  // namespace cuzk
