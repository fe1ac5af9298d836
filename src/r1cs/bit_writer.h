// BitWriter: appends to a range of a bit map while others write the ranges beside it.
//
// Ranges of bits share words at their ends. A word that lies within one range is stored whole by its writer; a word at either
// end is combined with what the neighbours have there, atomically, so it must be zero before the first of them writes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cuzk {

class BitWriter {
 public:
  BitWriter() noexcept = default;
  // Writes from bit `position` of the map on. The map must reach as far as is appended.
  BitWriter(std::uint64_t* words, std::size_t position) noexcept
      : next_(words + position / 64), position_(position), shared_(position % 64 != 0) {}

  // The next bit's place in the map.
  std::size_t position() const noexcept { return position_; }

  // Appends the low `count` bits of `bits`, lowest first; count <= 64. Higher bits of `bits` must be zero.
  void append(std::uint64_t bits, unsigned count) noexcept {
    const auto used = static_cast<unsigned>(position_ % 64);
    pending_ |= bits << used;
    position_ += count;
    if (used + count < 64) return;
    store();
    pending_ = used == 0 ? 0 : bits >> (64 - used);
  }
  // Ends the range: all its bits are in the map. Nothing may be appended afterwards.
  void finish() noexcept {
    if (position_ % 64 != 0) combine();
    pending_ = 0;
  }

 private:
  void combine() const noexcept {
    std::atomic_ref<std::uint64_t>(*next_).fetch_or(pending_, std::memory_order_relaxed);
  }
  void store() noexcept {
    if (shared_) {
      combine();
      shared_ = false;
    } else {
      *next_ = pending_;
    }
    ++next_;
  }

  std::uint64_t* next_ = nullptr;  // where pending_ goes
  std::uint64_t pending_ = 0;      // the bits of position_'s word that this writer has
  std::size_t position_ = 0;
  bool shared_ = false;  // the word at next_ began before this range
};

}  // namespace cuzk
