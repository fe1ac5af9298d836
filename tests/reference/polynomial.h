// Polynomials by the textbook, as lists of coefficients, lowest first: quadratic time, no tricks.
#pragma once

#include <vector>

#include "field/fr.h"

namespace cuzk::reference {

// A primitive n-th root of unity; n a power of two.
Fr root_of_unity(std::size_t n);

// values[j] = sum of coefficients[i] w^(ij).
std::vector<Fr> dft(const std::vector<Fr>& coefficients, const Fr& w);
// The polynomial of degree < n with these values at 1, w, .., w^(n-1).
std::vector<Fr> interpolate(const std::vector<Fr>& values);

// (A B - C) / (x^n - 1) for the polynomials with the given n values each; n - 1 coefficients. The division must be
// exact (checked).
std::vector<Fr> quotient(const std::vector<Fr>& a, const std::vector<Fr>& b, const std::vector<Fr>& c);

// L_j(tau) = product over k != j of (tau - w^k) / (w^j - w^k), for all j < n.
std::vector<Fr> lagrange(std::size_t n, const Fr& tau);

}  // namespace cuzk::reference
