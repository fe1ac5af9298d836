// Additions of pairs of affine points with one inversion for many (Montgomery's trick), over any field.
//
//   slope = (y2 - y1) / (x2 - x1), or 3 x1^2 / 2 y1 for a point added to itself
//   x = slope^2 - x1 - x2;  y = slope (x1 - x) - y1
// A chain of additions multiplies its denominators e up, the products so far kept, inverts the whole, and goes back:
//   1 / e = inverse * product before e;  inverse *= e
// 5 products and a square an addition, where an XYZZ accumulator takes 8 and 2. A pair without a denominator (one point is
// infinity, or the sum is) puts 1 into the chain, so no chain is ever 0.
//
// Written on operators that the device's fields and a wrapper of the host's have, so the same code is tested on the host:
// field: + - *, squared, is_zero, set_one; point: x, y, is_infinity, set_infinity.
#pragma once

#ifdef __CUDACC__
#define CUZK_PAIR_FUNCTION __device__ __forceinline__
#else
#define CUZK_PAIR_FUNCTION inline
#endif

namespace cuzk::cuda {

// What the formula does not cover.
enum class PairKind { addition, doubling, first, second, infinity };

// The denominator of a + b.
template <class Point, class F>
CUZK_PAIR_FUNCTION PairKind pair_denominator(const Point& a, const Point& b, F& e) {
  PairKind kind = PairKind::addition;
  if (is_infinity(b)) {
    kind = PairKind::first;
  } else if (is_infinity(a)) {
    kind = PairKind::second;
  } else {
    e = b.x - a.x;
    if (!is_zero(e)) return kind;
    e = a.y + b.y;  // 2 y or 0
    if (!is_zero(e)) return PairKind::doubling;
    kind = PairKind::infinity;
  }
  set_one(e);
  return kind;
}

// a + b, given its kind and 1 / e, in place of a.
template <class Point, class F>
CUZK_PAIR_FUNCTION void add_pair(Point& a, const Point& b, PairKind kind, const F& inverse_e) {
  if (kind == PairKind::first) return;
  if (kind == PairKind::second) {
    a = b;
    return;
  }
  if (kind == PairKind::infinity) {
    set_infinity(a);
    return;
  }
  F slope;
  if (kind == PairKind::doubling) {
    const F xx = squared(a.x);
    slope = (xx + xx + xx) * inverse_e;
  } else {
    slope = (b.y - a.y) * inverse_e;
  }
  const F x = squared(slope) - a.x - b.x;
  a.y = slope * (a.x - x) - a.y;
  a.x = x;
}

// Chain `chain` of `num_chains`: the pairs chain, chain + num_chains, .. below num_pairs. load(i, point) gives point i of
// 2 num_pairs (infinity where there is none), products has num_pairs elements, store(pair, point) takes a sum and leaves the
// inputs alone. `invert` is called once by every chain, with an element that is not 0.
template <class Point, class F, class Load, class Store, class Invert>
CUZK_PAIR_FUNCTION void add_pairs_of_chain(unsigned chain, unsigned num_chains, unsigned num_pairs,
                                           F* products, const Load& load, const Store& store,
                                           const Invert& invert) {
  F product;
  set_one(product);
  const unsigned rounds = (num_pairs + num_chains - 1) / num_chains;
  for (unsigned k = 0; k < rounds; ++k) {
    const unsigned pair = k * num_chains + chain;
    if (pair >= num_pairs) break;
    Point a, b;
    load(2 * pair, a);
    load(2 * pair + 1, b);
    F e;
    pair_denominator(a, b, e);
    products[pair] = product;
    product = product * e;
  }
  F inverse = invert(product);
  for (unsigned k = rounds; k-- > 0;) {
    const unsigned pair = k * num_chains + chain;
    if (pair >= num_pairs) continue;
    Point a, b;
    load(2 * pair, a);
    load(2 * pair + 1, b);
    F e;
    const PairKind kind = pair_denominator(a, b, e);
    const F inverse_e = inverse * products[pair];
    inverse = inverse * e;
    add_pair(a, b, kind, inverse_e);
    store(pair, a);
  }
}

}  // namespace cuzk::cuda
