// BitVector: a sequence of bits in 64-bit words, bit i in word i/64 at position i%64.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "r1cs/large_vector.h"

namespace cuzk {

class BitVector {
 public:
  std::size_t size() const noexcept { return size_; }
  bool operator[](std::size_t i) const noexcept { return ((words_[i / 64] >> (i % 64)) & 1) != 0; }
  // (size() + 63) / 64 words; the bits past size() are zero.
  std::span<const std::uint64_t> words() const noexcept { return words_; }

  void reserve(std::size_t bits) { words_.reserve((bits + 63) / 64); }
  // Appends the low `count` bits of `bits`, lowest first; count <= 64. Higher bits of `bits` must be zero.
  void append(std::uint64_t bits, unsigned count) {
    if (count == 0) return;
    const unsigned used = static_cast<unsigned>(size_ % 64);
    if (used == 0) {
      words_.push_back(bits);
    } else {
      words_.back() |= bits << used;
      if (used + count > 64) words_.push_back(bits >> (64 - used));
    }
    size_ += count;
  }
  void push_back(bool bit) { append(bit ? 1 : 0, 1); }
  // Appends all bits of another vector.
  void append(const BitVector& other) {
    std::size_t left = other.size_;
    for (const std::uint64_t word : other.words_) {
      const unsigned count = left < 64 ? static_cast<unsigned>(left) : 64;
      append(word, count);
      left -= count;
    }
  }
  // Sets the bits from `position` on that are set in `other`; they must exist.
  void set_all(std::size_t position, const BitVector& other) noexcept {
    const std::size_t first = position / 64;
    const auto shift = static_cast<unsigned>(position % 64);
    for (std::size_t i = 0; i < other.words_.size(); ++i) {
      const std::uint64_t word = other.words_[i];
      words_[first + i] |= word << shift;
      if (shift != 0 && word >> (64 - shift) != 0) words_[first + i + 1] |= word >> (64 - shift);
    }
  }
  // Sets bit i, which must exist.
  void set(std::size_t i) noexcept { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  // Makes the vector `bits` long; new bits are zero.
  void resize(std::size_t bits) {
    words_.resize((bits + 63) / 64, 0);
    if (bits < size_ && bits % 64 != 0) words_.back() &= (std::uint64_t{1} << (bits % 64)) - 1;
    size_ = bits;
  }
  // Makes the vector `bits` long with any content, which must then be set through mutable_words().
  void resize_for_overwrite(std::size_t bits) {
    words_.resize((bits + 63) / 64);
    size_ = bits;
  }
  // words() to write to; the bits past size() must stay zero, or be set to it.
  std::span<std::uint64_t> mutable_words() noexcept { return words_; }
  std::size_t count_ones() const noexcept {
    std::size_t ones = 0;
    for (const std::uint64_t word : words_) ones += static_cast<std::size_t>(std::popcount(word));
    return ones;
  }
  friend bool operator==(const BitVector&, const BitVector&) = default;

 private:
  LargeVector<std::uint64_t> words_;
  std::size_t size_ = 0;
};

}  // namespace cuzk
