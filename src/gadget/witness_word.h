// WitnessWord: the twin of BooleanWord for WitnessSystem. The 32 Booleans are three masks, so an operation
// takes a few instructions on whole words and appends its new bits at once; no variable is known, because
// nobody asks for one.
//
// For every mixture of constant, plain and negated bits it allocates exactly the bits that BooleanWord does,
// with the same values, in the same order. As there, a new bit holds the value of the variable, which for a
// negated result is the complement of the result.
#pragma once

#include <array>
#include <bit>
#include <span>

#include "base/check.h"
#include "gadget/boolean.h"
#include "gadget/boolean_word.h"
#include "r1cs/witness_system.h"

namespace cuzk {

class WitnessWord {
 public:
  constexpr WitnessWord() noexcept = default;  // constant 0
  // Bit i of the masks says whether Boolean i is constant, or the negation of a variable; not both.
  constexpr WitnessWord(std::uint32_t value, std::uint32_t constant, std::uint32_t negated) noexcept
      : value_(value), constant_(constant), negated_(negated) {}
  static constexpr WitnessWord constant(std::uint32_t value) noexcept { return {value, ~0u, 0}; }
  // 32 variables, none negated.
  static constexpr WitnessWord allocated(std::uint32_t value) noexcept { return {value, 0, 0}; }
  static WitnessWord from_bits(std::span<const Boolean, 32> bits) noexcept;

  constexpr std::uint32_t value() const noexcept { return value_; }
  constexpr std::uint32_t constant_mask() const noexcept { return constant_; }
  constexpr std::uint32_t negated_mask() const noexcept { return negated_; }
  constexpr bool is_constant() const noexcept { return constant_ == ~0u; }
  // The bits that are constant with this value.
  constexpr std::uint32_t constant_mask(bool value) const noexcept {
    return constant_ & (value ? value_ : ~value_);
  }

  constexpr WitnessWord operator~() const noexcept { return {~value_, constant_, negated_ ^ ~constant_}; }
  constexpr WitnessWord rotr(unsigned count) const noexcept {
    const int n = static_cast<int>(count);
    return {std::rotr(value_, n), std::rotr(constant_, n), std::rotr(negated_, n)};
  }
  constexpr WitnessWord shr(unsigned count) const noexcept {
    return {value_ >> count, ~(~constant_ >> count), negated_ >> count};
  }
  constexpr WitnessWord byteswapped() const noexcept {
    return {__builtin_bswap32(value_), __builtin_bswap32(constant_), __builtin_bswap32(negated_)};
  }

  friend constexpr bool operator==(const WitnessWord&, const WitnessWord&) noexcept = default;

 private:
  std::uint32_t value_ = 0;
  std::uint32_t constant_ = ~0u;
  std::uint32_t negated_ = 0;
};

namespace detail {

// One new bit for each bit of `mask`, lowest first, with the value at its position.
inline void alloc_masked(WitnessSystem& cs, std::uint64_t values, std::uint64_t mask) {
  if ((mask & (mask + 1)) == 0) {
    // A run from bit 0, as nearly all masks are.
    cs.alloc_bits(values & mask, static_cast<unsigned>(std::bit_width(mask)));
    return;
  }
  std::uint64_t gathered = 0;
  unsigned count = 0;
  for (; mask != 0; mask &= mask - 1, ++count) gathered |= ((values >> std::countr_zero(mask)) & 1) << count;
  cs.alloc_bits(gathered, count);
}

// Bit i of `word` at position 2 i.
constexpr std::uint64_t spread_bits(std::uint32_t word) noexcept {
  std::uint64_t x = word;
  x = (x | (x << 16)) & 0x0000ffff0000ffff;
  x = (x | (x << 8)) & 0x00ff00ff00ff00ff;
  x = (x | (x << 4)) & 0x0f0f0f0f0f0f0f0f;
  x = (x | (x << 2)) & 0x3333333333333333;
  return (x | (x << 1)) & 0x5555555555555555;
}

// A result and where it is a new variable; nothing is allocated yet.
struct PendingWord {
  WitnessWord word;
  std::uint32_t allocated;  // mask

  // The value of the variable under each bit.
  constexpr std::uint32_t variables() const noexcept { return word.value() ^ word.negated_mask(); }
  constexpr PendingWord operator~() const noexcept { return {~word, allocated}; }
};

// and_of of boolean.h, bit by bit.
constexpr PendingWord pending_and(const WitnessWord& a, const WitnessWord& b) noexcept {
  const std::uint32_t value = a.value() & b.value();
  // A false decides; a true gives way to the other operand; two variables make a new one, never negated.
  const std::uint32_t constant =
      a.constant_mask(false) | b.constant_mask(false) | (a.constant_mask() & b.constant_mask());
  const std::uint32_t negated =
      (a.constant_mask(true) & b.negated_mask()) | (b.constant_mask(true) & a.negated_mask());
  return {WitnessWord(value, constant, negated), ~(a.constant_mask() | b.constant_mask())};
}

// Composes a word from the cases of a "first match wins" list.
class CaseList {
 public:
  explicit constexpr CaseList(std::uint32_t value) noexcept : value_(value) {}
  // Bits under `condition` that no earlier case took are those of `result`.
  constexpr void take(std::uint32_t condition, const PendingWord& result) noexcept {
    const std::uint32_t taken = remaining_ & condition;
    remaining_ &= ~condition;
    constant_ |= taken & result.word.constant_mask();
    negated_ |= taken & result.word.negated_mask();
    allocated_ |= taken & result.allocated;
  }
  // What no case took: new variables, not negated.
  constexpr std::uint32_t remaining() const noexcept { return remaining_; }
  constexpr PendingWord result() const noexcept {
    return {WitnessWord(value_, constant_, negated_), allocated_ | remaining_};
  }

 private:
  std::uint32_t value_;
  std::uint32_t remaining_ = ~0u;
  std::uint32_t constant_ = 0, negated_ = 0, allocated_ = 0;
};

}  // namespace detail

// The operations of boolean_word.h.

inline WitnessWord xor_of(WitnessSystem& cs, const WitnessWord& a, const WitnessWord& b) {
  const std::uint32_t value = a.value() ^ b.value();
  const std::uint32_t constant = a.constant_mask() & b.constant_mask();
  const std::uint32_t negated =
      a.negated_mask() ^ b.negated_mask() ^ a.constant_mask(true) ^ b.constant_mask(true);
  const WitnessWord result(value, constant, negated & ~constant);
  detail::alloc_masked(cs, value ^ result.negated_mask(), ~(a.constant_mask() | b.constant_mask()));
  return result;
}

inline WitnessWord sha256_ch(WitnessSystem& cs, const WitnessWord& a, const WitnessWord& b,
                             const WitnessWord& c) {
  const std::uint32_t value = (a.value() & b.value()) ^ (~a.value() & c.value());
  detail::CaseList cases(value);
  if ((a.constant_mask() | b.constant_mask() | c.constant_mask()) != 0) {
    cases.take(a.constant_mask() & b.constant_mask() & c.constant_mask(), {WitnessWord::constant(value), 0});
    cases.take(a.constant_mask(false), {c, 0});
    cases.take(b.constant_mask(false), detail::pending_and(~a, c));
    cases.take(c.constant_mask(false), detail::pending_and(a, b));
    cases.take(c.constant_mask(true), ~detail::pending_and(a, ~b));
    cases.take(b.constant_mask(true), ~detail::pending_and(~a, ~c));
  }
  const detail::PendingWord result = cases.result();
  detail::alloc_masked(cs, result.variables(), result.allocated);
  return result.word;
}

inline WitnessWord sha256_maj(WitnessSystem& cs, const WitnessWord& a, const WitnessWord& b,
                              const WitnessWord& c) {
  const std::uint32_t bc = b.value() & c.value();
  const std::uint32_t value = (a.value() & (b.value() ^ c.value())) ^ bc;
  detail::CaseList cases(value);
  if ((a.constant_mask() | b.constant_mask() | c.constant_mask()) != 0) {
    cases.take(a.constant_mask() & b.constant_mask() & c.constant_mask(), {WitnessWord::constant(value), 0});
    cases.take(a.constant_mask(false), detail::pending_and(b, c));
    cases.take(b.constant_mask(false), detail::pending_and(a, c));
    cases.take(c.constant_mask(false), detail::pending_and(a, b));
    cases.take(c.constant_mask(true), ~detail::pending_and(~a, ~b));
    cases.take(b.constant_mask(true), ~detail::pending_and(~a, ~c));
    cases.take(a.constant_mask(true), ~detail::pending_and(~b, ~c));
  }
  const detail::PendingWord result = cases.result();
  // Bit by bit: the result, then, in the generic case only, the inner product of b and c.
  detail::alloc_masked(cs, detail::spread_bits(result.variables()) | (detail::spread_bits(bc) << 1),
                       detail::spread_bits(result.allocated) | (detail::spread_bits(cases.remaining()) << 1));
  return result.word;
}

// BooleanSum of boolean_word.h: only the sum so far is kept.
class WitnessSum {
 public:
  explicit WitnessSum(const WitnessWord& first) noexcept
      : first_(first), sum_(first.value()), constant_(first.constant_mask()) {}

  WitnessSum& add(const WitnessWord& addend) {
    CUZK_CHECK(size_ < kMaxAddends, "a sum has at most kMaxAddends addends");
    ++size_;
    sum_ += addend.value();
    constant_ &= addend.constant_mask();
    return *this;
  }

  WitnessWord resolve(MultiEq<WitnessSystem>& eq) const {
    if (size_ == 1) return first_;
    const auto value = static_cast<std::uint32_t>(sum_);
    if (constant_ == ~0u) return WitnessWord::constant(value);
    eq.cs().alloc_bits(sum_, sum_bits(size_));
    return WitnessWord::allocated(value);
  }

 private:
  WitnessWord first_;
  std::uint64_t sum_;
  std::uint32_t constant_;  // the bits that are constant in all addends
  unsigned size_ = 1;
};

}  // namespace cuzk
