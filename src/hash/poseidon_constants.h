// The constants of Poseidon as Filecoin uses it (neptune, strength "standard"): state of arity + 1 elements,
// S-box x^5, 8 full rounds around R_P partial rounds, and the equivalent constants of the optimised
// evaluation.
//
// The optimised form is needed exactly: its values are coefficients of the R1CS. Source:
// docs/formats/poseidon.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "field/fr.h"

namespace cuzk {

inline constexpr unsigned kPoseidonMaxArity = 36;
inline constexpr unsigned kPoseidonMaxWidth = kPoseidonMaxArity + 1;

// The mixing matrix of one partial round: first column w_hat, first row (w_hat[0], v_rest...), the identity
// elsewhere.
struct PoseidonSparseMatrix {
  std::vector<Fr> w_hat;   // width values
  std::vector<Fr> v_rest;  // width - 1 values
};

struct PoseidonConstants {
  unsigned arity;
  unsigned width;           // t = arity + 1
  unsigned full_rounds;     // R_F
  unsigned partial_rounds;  // R_P
  Fr merkle_tag;            // 2^arity - 1

  std::vector<Fr> round_constants;  // of the plain form, (R_F + R_P) * t, round by round
  std::vector<Fr> crc;  // compressed: t for the pre-add, t per full round but the last, 1 per partial round
  std::vector<Fr> mds;  // t * t, row by row; symmetric
  std::vector<Fr> pre_sparse;  // t * t, row by row: out[j] = sum_i state[i] * pre_sparse[i * t + j]
  std::vector<Fr> pre_sparse_transposed;
  std::vector<PoseidonSparseMatrix> sparse;  // R_P matrices in order of use
};

// Whether the arity is one of 2, 4, 8, 11, 16, 24, 36.
bool poseidon_arity_supported(unsigned arity) noexcept;

// The constants of a supported arity (checked). Made once per arity, at first use; immutable, safe from any
// thread.
const PoseidonConstants& poseidon_constants(unsigned arity);

}  // namespace cuzk
