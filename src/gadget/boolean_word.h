// BooleanWord: a 32-bit word as 32 Booleans, lowest first, and the operations of SHA-256 on it. Source:
// docs/formats/circuits.md 1.3.
//
// This is the direct transcription, for every system that wants constraints; witness_word.h is its twin for
// the one that does not. Both have the same interface, uint32.h picks.
#pragma once

#include <bit>
#include <span>

#include "base/check.h"
#include "gadget/boolean.h"
#include "gadget/multi_eq.h"

namespace cuzk {

inline constexpr std::size_t kMaxAddends = 10;

// The bits that a sum of `count` 32-bit words can have.
constexpr unsigned sum_bits(std::size_t count) noexcept {
  return static_cast<unsigned>(std::bit_width(std::uint64_t{count} * 0xffffffffu));
}

class BooleanWord {
 public:
  BooleanWord() noexcept = default;  // constant 0
  static BooleanWord constant(std::uint32_t value) noexcept;
  static BooleanWord from_bits(std::span<const Boolean, 32> bits) noexcept;

  const Boolean& operator[](std::size_t i) const noexcept { return bits_[i]; }
  std::span<const Boolean, 32> bits() const noexcept { return bits_; }
  std::uint32_t value() const noexcept;
  bool is_constant() const noexcept;

  BooleanWord rotr(unsigned count) const noexcept;  // count < 32
  BooleanWord shr(unsigned count) const noexcept;   // count < 32; constant zeros enter
  BooleanWord byteswapped() const noexcept;

  // lc += scale * sum 2^i bit_i. The constants are added as one term.
  void add_to_lc(LinearCombination& lc, const Fr& scale) const;

 private:
  std::array<Boolean, 32> bits_;
};

namespace detail {

template <class Operation>
BooleanWord bitwise(const Operation& operation) {
  std::array<Boolean, 32> bits;
  for (std::size_t i = 0; i < 32; ++i) bits[i] = operation(i);
  return BooleanWord::from_bits(bits);
}

}  // namespace detail

// Bit by bit from the lowest, as in boolean.h.
template <ConstraintSystem CS>
BooleanWord xor_of(CS& cs, const BooleanWord& a, const BooleanWord& b) {
  return detail::bitwise([&](std::size_t i) { return xor_of(cs, a[i], b[i]); });
}
template <ConstraintSystem CS>
BooleanWord sha256_ch(CS& cs, const BooleanWord& a, const BooleanWord& b, const BooleanWord& c) {
  return detail::bitwise([&](std::size_t i) { return sha256_ch(cs, a[i], b[i], c[i]); });
}
template <ConstraintSystem CS>
BooleanWord sha256_maj(CS& cs, const BooleanWord& a, const BooleanWord& b, const BooleanWord& c) {
  return detail::bitwise([&](std::size_t i) { return sha256_maj(cs, a[i], b[i], c[i]); });
}

// A sum modulo 2^32 that is carried out when its value is asked for, so that more addends can join it. At most
// kMaxAddends (checked).
class BooleanSum {
 public:
  explicit BooleanSum(const BooleanWord& first) { add(first); }

  BooleanSum& add(const BooleanWord& addend) {
    CUZK_CHECK(size_ < kMaxAddends, "a sum has at most kMaxAddends addends");
    addends_[size_++] = addend;
    return *this;
  }

  // One addend is the sum itself; if all are constant, so is the sum. Otherwise every bit of the full sum is a
  // new variable; the carries above bit 31 stay constrained and unused.
  template <ConstraintSystem CS>
  BooleanWord resolve(MultiEq<CS>& eq) const {
    if (size_ == 1) return addends_[0];
    std::uint64_t sum = 0;
    bool all_constant = true;
    for (const BooleanWord& addend : addends()) {
      sum += addend.value();
      all_constant = all_constant && addend.is_constant();
    }
    if (all_constant) return BooleanWord::constant(static_cast<std::uint32_t>(sum));

    const unsigned num_bits = sum_bits(size_);
    std::array<Boolean, sum_bits(kMaxAddends)> bits;
    for (unsigned i = 0; i < num_bits; ++i) bits[i] = AllocatedBit::alloc(eq.cs(), ((sum >> i) & 1) != 0);
    eq.enforce_equal(
        num_bits,
        [&](LinearCombination& lc, const Fr& scale) {
          for (const BooleanWord& addend : addends()) addend.add_to_lc(lc, scale);
        },
        [&](LinearCombination& lc, Fr coefficient) {
          for (unsigned i = 0; i < num_bits; ++i) {
            bits[i].add_to_lc(lc, coefficient);
            coefficient = coefficient.doubled();
          }
        });
    return BooleanWord::from_bits(std::span<const Boolean>(bits).first<32>());
  }

 private:
  std::span<const BooleanWord> addends() const noexcept { return std::span(addends_).first(size_); }

  std::array<BooleanWord, kMaxAddends> addends_;
  std::size_t size_ = 0;
};

}  // namespace cuzk
