// Conditional choice: pick, select, and the insertion of a node among its siblings. Source:
// docs/formats/circuits.md 1.6; the order of the picks is that of storage-proofs-core 19.1
// (gadgets/insertion.rs).
#pragma once

#include <span>
#include <vector>

#include "base/check.h"
#include "gadget/allocated_num.h"

namespace cuzk {

inline constexpr std::size_t kMaxTreeArity = 8;

// condition ? x : y, a new variable: (y - x) * condition = y - result.
template <ConstraintSystem CS>
AllocatedNum pick(CS& cs, const AllocatedBit& condition, const AllocatedNum& x, const AllocatedNum& y) {
  const AllocatedNum result = AllocatedNum::alloc(cs, condition.value() ? x.value() : y.value());
  cs.enforce(
      [&](LinearCombination& lc) {
        lc.add(y.variable());
        lc.sub(x.variable());
      },
      term(condition.variable()),
      [&](LinearCombination& lc) {
        lc.add(y.variable());
        lc.sub(result.variable());
      });
  return result;
}

// from[index], index given by its bits, lowest first; from.size() = 2^bits.size() (checked).
template <ConstraintSystem CS>
AllocatedNum select(CS& cs, std::span<const AllocatedNum> from, std::span<const AllocatedBit> bits) {
  CUZK_CHECK(from.size() == std::size_t{1} << bits.size(), "2^n numbers to select from with n bits");
  std::vector<AllocatedNum> left(from.begin(), from.end());
  for (std::size_t level = bits.size(); level-- > 0;) {
    const std::size_t half = left.size() / 2;
    for (std::size_t j = 0; j < half; ++j) left[j] = pick(cs, bits[level], left[half + j], left[j]);
    left.resize(half);
  }
  return left[0];
}

namespace detail {

template <ConstraintSystem CS>
void insert_2(CS& cs, const AllocatedNum& a, std::span<const AllocatedBit> bits,
              std::span<const AllocatedNum> siblings, std::span<AllocatedNum> out) {
  out[0] = pick(cs, bits[0], siblings[0], a);
  out[1] = pick(cs, bits[0], a, siblings[0]);
}

template <ConstraintSystem CS>
void insert_4(CS& cs, const AllocatedNum& a, std::span<const AllocatedBit> bits,
              std::span<const AllocatedNum> siblings, std::span<AllocatedNum> out) {
  const AllocatedBit &b0 = bits[0], &b1 = bits[1];
  const AllocatedNum &b = siblings[0], &c = siblings[1], &d = siblings[2];
  AllocatedNum x = pick(cs, b0, b, a);
  out[0] = pick(cs, b1, b, x);
  x = pick(cs, b0, a, b);
  out[1] = pick(cs, b1, c, x);
  x = pick(cs, b0, d, a);
  out[2] = pick(cs, b1, x, c);
  x = pick(cs, b0, a, d);
  out[3] = pick(cs, b1, x, d);
}

template <ConstraintSystem CS>
void insert_8(CS& cs, const AllocatedNum& a, std::span<const AllocatedBit> bits,
              std::span<const AllocatedNum> siblings, std::span<AllocatedNum> out) {
  const AllocatedBit &b0 = bits[0], &b1 = bits[1], &b2 = bits[2];
  const AllocatedNum &b = siblings[0], &c = siblings[1], &d = siblings[2], &e = siblings[3], &f = siblings[4],
                     &g = siblings[5], &h = siblings[6];
  const AllocatedBit neither = nor_of(cs, b0, b1);
  const AllocatedBit both = and_of(cs, b0, b1);

  AllocatedNum x = pick(cs, neither, a, b);
  out[0] = pick(cs, b2, b, x);
  x = pick(cs, b0, a, b);
  AllocatedNum y = pick(cs, b1, c, x);
  out[1] = pick(cs, b2, c, y);
  x = pick(cs, b0, d, a);
  y = pick(cs, b1, x, c);
  out[2] = pick(cs, b2, d, y);
  x = pick(cs, both, a, d);
  out[3] = pick(cs, b2, e, x);
  x = pick(cs, neither, a, f);
  out[4] = pick(cs, b2, x, e);
  x = pick(cs, b0, a, f);
  y = pick(cs, b1, g, x);
  out[5] = pick(cs, b2, y, f);
  x = pick(cs, b0, h, a);
  y = pick(cs, b1, x, g);
  out[6] = pick(cs, b2, y, g);
  x = pick(cs, both, a, h);
  out[7] = pick(cs, b2, x, h);
}

}  // namespace detail

// out = the siblings with `element` inserted at the position that the bits give, lowest first. The arity
// out.size() is 2, 4 or 8, with one sibling fewer and log2 of it bits (checked).
template <ConstraintSystem CS>
void insert(CS& cs, const AllocatedNum& element, std::span<const AllocatedBit> bits,
            std::span<const AllocatedNum> siblings, std::span<AllocatedNum> out) {
  CUZK_CHECK(out.size() == siblings.size() + 1 && out.size() == std::size_t{1} << bits.size(),
             "an insertion at n bits has 2^n results and one sibling fewer");
  switch (out.size()) {
    case 2:
      return detail::insert_2(cs, element, bits, siblings, out);
    case 4:
      return detail::insert_4(cs, element, bits, siblings, out);
    case 8:
      return detail::insert_8(cs, element, bits, siblings, out);
    default:
      CUZK_CHECK(false, "trees have the arities 2, 4 and 8");
  }
}

}  // namespace cuzk
