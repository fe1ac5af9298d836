// Boolean: a constant, an allocated bit, or the negation of one. Negation and constants cost nothing.
//
// The case distinctions and their order fix which variables a circuit has, so they follow bellpepper-core
// 0.2.1 (boolean.rs) to the letter. Source: docs/formats/circuits.md 1.1.
#pragma once

#include <cstdint>

#include "gadget/allocated_bit.h"

namespace cuzk {

class Boolean {
 public:
  constexpr Boolean() noexcept = default;  // constant false
  static constexpr Boolean constant(bool value) noexcept {
    return Boolean(Kind::constant, AllocatedBit(kOneVariable, value));
  }
  constexpr Boolean(const AllocatedBit& bit) noexcept : Boolean(Kind::is, bit) {}

  constexpr Boolean operator!() const noexcept {
    switch (kind_) {
      case Kind::is:
        return Boolean(Kind::is_not, bit_);
      case Kind::is_not:
        return Boolean(Kind::is, bit_);
      default:
        return constant(!bit_.value());
    }
  }

  constexpr bool value() const noexcept { return bit_.value() != (kind_ == Kind::is_not); }
  constexpr bool is_constant() const noexcept { return kind_ == Kind::constant; }
  constexpr bool is_constant(bool value) const noexcept { return is_constant() && bit_.value() == value; }
  constexpr bool is_negated() const noexcept { return kind_ == Kind::is_not; }
  // The variable's bit, not negated. Only of a Boolean that is not constant.
  constexpr const AllocatedBit& bit() const noexcept { return bit_; }

  // lc += coefficient * this.
  void add_to_lc(LinearCombination& lc, const Fr& coefficient) const {
    if (kind_ == Kind::is) {
      lc.add(bit_.variable(), coefficient);
    } else if (value_on_one()) {
      lc.add(kOneVariable, coefficient);
    }
    if (kind_ == Kind::is_not) lc.add(bit_.variable(), -coefficient);
  }
  void add_to_lc(LinearCombination& lc) const { add_to_lc(lc, Fr::one()); }
  // lc -= this.
  void sub_from_lc(LinearCombination& lc) const { add_to_lc(lc, -Fr::one()); }

 private:
  enum class Kind : std::uint8_t { constant, is, is_not };
  constexpr Boolean(Kind kind, const AllocatedBit& bit) noexcept : bit_(bit), kind_(kind) {}
  // The share of ONE in a constant or a negation.
  constexpr bool value_on_one() const noexcept { return kind_ == Kind::is_not || bit_.value(); }

  AllocatedBit bit_;  // of a constant: ONE with the constant's value
  Kind kind_ = Kind::constant;
};

// At most one new bit.
template <ConstraintSystem CS>
Boolean xor_of(CS& cs, const Boolean& a, const Boolean& b) {
  if (a.is_constant()) return a.value() ? !b : b;
  if (b.is_constant()) return b.value() ? !a : a;
  if (a.is_negated() == b.is_negated()) return xor_of(cs, a.bit(), b.bit());
  // The operand that is not negated comes first, whatever the order of the call.
  return a.is_negated() ? !Boolean(xor_of(cs, b.bit(), a.bit())) : !Boolean(xor_of(cs, a.bit(), b.bit()));
}

// At most one new bit.
template <ConstraintSystem CS>
Boolean and_of(CS& cs, const Boolean& a, const Boolean& b) {
  if (a.is_constant()) return a.value() ? b : a;
  if (b.is_constant()) return b.value() ? a : b;
  if (a.is_negated() && b.is_negated()) return nor_of(cs, a.bit(), b.bit());
  if (a.is_negated()) return and_not_of(cs, b.bit(), a.bit());
  if (b.is_negated()) return and_not_of(cs, a.bit(), b.bit());
  return and_of(cs, a.bit(), b.bit());
}

// SHA-256's choice, (a and b) xor (not a and c), in at most one new bit.
template <ConstraintSystem CS>
Boolean sha256_ch(CS& cs, const Boolean& a, const Boolean& b, const Boolean& c) {
  const bool value = a.value() ? b.value() : c.value();
  if (a.is_constant() && b.is_constant() && c.is_constant()) return Boolean::constant(value);
  if (a.is_constant(false)) return c;
  if (b.is_constant(false)) return and_of(cs, !a, c);
  if (c.is_constant(false)) return and_of(cs, a, b);
  if (c.is_constant(true)) return !and_of(cs, a, !b);
  if (b.is_constant(true)) return !and_of(cs, !a, !c);
  const AllocatedBit ch(cs.alloc_bit(value), value);
  // (b - c) * a = ch - c
  cs.enforce(
      [&](LinearCombination& lc) {
        b.add_to_lc(lc);
        c.sub_from_lc(lc);
      },
      [&](LinearCombination& lc) { a.add_to_lc(lc); },
      [&](LinearCombination& lc) {
        lc.add(ch.variable());
        c.sub_from_lc(lc);
      });
  return ch;
}

// SHA-256's majority, (a and b) xor (a and c) xor (b and c), in at most two new bits.
template <ConstraintSystem CS>
Boolean sha256_maj(CS& cs, const Boolean& a, const Boolean& b, const Boolean& c) {
  const bool value = (a.value() && b.value()) || (a.value() && c.value()) || (b.value() && c.value());
  if (a.is_constant() && b.is_constant() && c.is_constant()) return Boolean::constant(value);
  if (a.is_constant(false)) return and_of(cs, b, c);
  if (b.is_constant(false)) return and_of(cs, a, c);
  if (c.is_constant(false)) return and_of(cs, a, b);
  if (c.is_constant(true)) return !and_of(cs, !a, !b);
  if (b.is_constant(true)) return !and_of(cs, !a, !c);
  if (a.is_constant(true)) return !and_of(cs, !b, !c);
  // maj is allocated before the bit of its inner product.
  const AllocatedBit maj(cs.alloc_bit(value), value);
  const Boolean bc = and_of(cs, b, c);
  // (2 bc - b - c) * a = bc - maj
  cs.enforce(
      [&](LinearCombination& lc) {
        bc.add_to_lc(lc);
        bc.add_to_lc(lc);
        b.sub_from_lc(lc);
        c.sub_from_lc(lc);
      },
      [&](LinearCombination& lc) { a.add_to_lc(lc); },
      [&](LinearCombination& lc) {
        bc.add_to_lc(lc);
        lc.sub(maj.variable());
      });
  return maj;
}

}  // namespace cuzk
