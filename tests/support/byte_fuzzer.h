// ByteFuzzer: damaged copies of good bytes, for the tests of whatever reads bytes from outside. Such a reader must neither
// crash nor hang nor take memory beyond a bound (allocation_watch.h), whatever it is given.
//
// The damage is the same every time. CUZK_FUZZ_SEED makes it another; CUZK_FUZZ_SECONDS makes every loop last that long, for a
// hunt under the sanitizers.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuzk {

class ByteFuzzer {
 public:
  using Bytes = std::vector<std::uint8_t>;

  // Prints the seed. `rounds`: how often next() is true, unless CUZK_FUZZ_SECONDS is set.
  explicit ByteFuzzer(std::uint64_t rounds);

  // Begins the next round, or says that it is enough.
  bool next();
  // Of the round that next() began, from 1.
  std::uint64_t round() const noexcept { return round_; }
  // 0 .. bound - 1; bound >= 1
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

  // A copy of `good` (not empty) with one to four changes: a flipped bit; another byte; a piece left out, doubled or put in; the
  // end cut off; bytes at the end; a number of 4 or 8 bytes, in either byte order, that is too large or nearly right. Numbers and
  // flips prefer `lengths`, the offsets at which `good` has lengths, counts or tags.
  Bytes damaged(std::span<const std::uint8_t> good, std::span<const std::size_t> lengths = {});
  // The same for text, with words that mean something to its reader in place of numbers; `words` has spaces between them.
  std::string damaged_text(std::string_view good, std::string_view words);

 private:
  // Both have erase, insert, resize, begin, end.
  template <class Sequence>
  void damage_once(Sequence& bytes);
  void overwrite_number(Bytes& bytes, std::span<const std::size_t> lengths);
  std::string_view any_word(std::string_view words);

  std::mt19937_64 random_;
  std::uint64_t rounds_;
  std::uint64_t round_ = 0;
  std::chrono::seconds at_least_{0};
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace cuzk
