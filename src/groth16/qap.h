// The polynomials of an R1CS at one point: a_i(tau) = sum over constraints j of A_j[i] L_j(tau), likewise b_i and c_i,
// where L_j are the Lagrange polynomials over the domain 1, w, w^2, ... (Gennaro, Gentry, Parno, Raykova, "Quadratic
// span programs and succinct NIZKs without PCPs", eprint 2012/215.) Used by the setup of test parameters.
#pragma once

#include <span>

#include "base/buffer.h"
#include "field/fr.h"
#include "r1cs/r1cs.h"

namespace cuzk {

// L_j(tau) for j < count, in the domain of size 2^log_domain. tau must not be in the domain (the result then is
// meaningless). count <= 2^log_domain. Parallel.
Buffer<Fr> lagrange_at(const Fr& tau, unsigned log_domain, std::size_t count);

enum class Matrix { a, b, c };

// The values of all variables' polynomials of one matrix: inputs first, then aux by index. `lagrange` has
// r1cs.num_domain_rows() values. The closing input constraints count. Parallel, and several calls may run at once; besides
// the result it needs, for the block that needs most, 6 bytes per non-zero and 4 per variable up to the block's last one.
Buffer<Fr> column_sums(const R1cs& r1cs, Matrix matrix, std::span<const Fr> lagrange);

}  // namespace cuzk
