// The inner loops of the transforms, behind one interface with two implementations: portable and AVX-512
// IFMA. Their results are bit-identical. Internal to src/poly; domain.h is the public face.
//
// A transform of n = 2^log_n values is log_n levels of butterflies. Level s sees the vector as 2^s blocks of
// n / 2^s values; block b pairs its lower half x with its upper half y:
//   to bit-reversed order (levels 0, 1, ...):     x, y <- x + c y, x - c y          (Cooley and Tukey)
//   to natural order      (levels ..., 1, 0):     x, y <- x + y, (x - y) c          (Gentleman and Sande)
// with one factor c = T[b] for the whole block: T is the sequence of roots of unity in bit-reversed order,
// T[0] = 1, T[2^s + b] = T[b] w_{2^(s+2)} for b < 2^s, w_m a fixed primitive m-th root. T does not depend on
// n, and level s uses its first 2^s entries. The first network, with the roots of w, takes natural to
// bit-reversed order and gives the values at the powers of w; the second, with the same roots, does it from
// bit-reversed to natural order. (X^m - c^2 splits into X^(m/2) - c and X^(m/2) + c: see Bernstein,
// "Multidigit multiplication for mathematicians", sections 2 and 3, 2001.)
//
// Levels are done in passes over memory. The last row_levels levels touch only contiguous rows of
// 2^row_levels values. The levels before are done in column passes: a block of one pass is a matrix of
// 2^levels rows, and eight adjacent columns of it are gathered, transformed in the cache, and scattered. Row
// r of the last pass needs T[(r << s) + b] = T[b] t^(2^(row_levels - 1 - s)), t = w^(bit-reversed r): made on
// the fly, so of T no more is kept than 2^(log_n - row_levels) entries for the column passes and
// 2^(row_levels - 1) for the rows.
#pragma once

#include <memory>
#include <vector>

#include "field/fr.h"

namespace cuzk {

enum class Root { forward, inverse };  // powers of w, or of 1/w

// Levels [level, level + levels). `stride` values lie between the rows of a block's matrix; it is a multiple
// of 8.
struct ColumnPass {
  unsigned level;
  unsigned levels;
  std::size_t stride;
};

// How the levels of a transform are divided. Without column passes the whole vector is one row.
struct PassPlan {
  unsigned log_n;
  unsigned row_levels;
  std::vector<ColumnPass> columns;

  PassPlan(unsigned log_n, unsigned max_row_levels, unsigned max_column_levels);
  std::size_t num_rows() const noexcept { return std::size_t{1} << (log_n - row_levels); }
  std::size_t row_length() const noexcept { return std::size_t{1} << row_levels; }
};

// Multiplies coefficient i, wherever it lies, by factor * base^i; base is 1, g or 1/g, g the square root of w that
// root_of_unity gives. The values of the coefficients f_i g^i are those of f on the coset g <w>.
struct Scale {
  enum class Base { one, coset, inverse_coset };
  Base base = Base::one;
  Fr factor = Fr::one();

  bool is_trivial() const noexcept { return base == Base::one && factor.is_one(); }
};

// All methods are const and safe to call from several threads on disjoint data. Values are canonical before
// and after a whole transform; between passes they may be lazily reduced (below 2p), so nothing else may look
// at them.
class NttKernel {
 public:
  virtual ~NttKernel() = default;

  // Eight adjacent columns of block `block`; `first` is the one in row 0.
  virtual void columns_to_bit_reversed(Fr* first, const ColumnPass& pass, std::size_t block,
                                       Root root) const = 0;
  virtual void columns_to_natural(Fr* first, const ColumnPass& pass, std::size_t block, Root root) const = 0;
  // Row number `index`, the first of them scaled after the levels.
  virtual void row_to_bit_reversed(Fr* row, std::size_t index, Root root, const Scale& after) const = 0;
  virtual void row_to_natural(Fr* row, std::size_t index, Root root) const = 0;
  // Row number `index` of two vectors: to coefficients (inverse root), scaled, and on to values (forward
  // root).
  virtual void rows_through_coefficients(Fr* const rows[2], std::size_t index, const Scale& scale) const = 0;
  // Eight adjacent columns of the only block of a pass at level 0: a, b to natural order with the forward
  // root; a <- a b; a back to bit-reversed order with the inverse root. b is left unspecified.
  virtual void product_columns(Fr* a, Fr* b, const ColumnPass& pass) const = 0;
};

// T[0 .. length), length a power of two.
std::vector<Fr> bit_reversed_roots(Root root, std::size_t length);
// (base^num_rows)^(bit-reversed j), j < row_length: with the factor base^(bit-reversed r) of row r, the
// powers of base in bit-reversed order.
std::vector<Fr> bit_reversed_powers(const PassPlan& plan, const Fr& base);
Fr base_of(Scale::Base base, unsigned log_n) noexcept;
// A primitive 2^log_order-th root of unity, log_order <= 32: docs/formats/proof.md.
Fr root_of_unity(unsigned log_order, Root root) noexcept;
// `value` with its low `bits` bits in reverse order; value < 2^bits.
std::size_t reverse_bits(std::size_t value, unsigned bits) noexcept;

std::unique_ptr<const NttKernel> make_portable_kernel(const PassPlan& plan);
// Only where cpu_features().avx512_ifma, and for row_levels >= 6.
std::unique_ptr<const NttKernel> make_ifma_kernel(const PassPlan& plan);

}  // namespace cuzk
