// How a scalar of 254 bits is cut into windows, and how many of them are best for a number of points.
//
// A scalar is first brought to 0 <= k <= (r - 1) / 2 by a change of sign (digits.h), so it has 254 bits. W windows have
// 255 bits in all: the digits of the lower ones are signed, |d| <= 2^(width - 1); the top one is not, and takes a carry
// instead, so of its width only width - 1 bits are the scalar's. r / 2 is 0.906 * 2^254: the top window is as full as
// the others, no bucket is much longer than its neighbours, and every window has 2^(width - 1) buckets. Widths differ
// by at most one, the wide windows being the lower ones.
//
// Pure functions without containers, for any backend.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuzk {

struct Windows {
  unsigned count;     // W, 10 to 255
  unsigned narrow;    // width of a narrow window
  unsigned num_wide;  // windows 0 .. num_wide - 1 have one bit more

  static constexpr unsigned kBits = 255;
  static constexpr unsigned kMinCount = 10;
  static constexpr unsigned kMaxCount = 255;

  static constexpr Windows of(unsigned count) noexcept { return {count, kBits / count, kBits % count}; }

  constexpr unsigned width(unsigned i) const noexcept { return narrow + (i < num_wide ? 1 : 0); }
  // Position of the window's lowest bit.
  constexpr unsigned bit_offset(unsigned i) const noexcept {
    return i * narrow + (i < num_wide ? i : num_wide);
  }
  constexpr std::size_t num_buckets(unsigned i) const noexcept { return std::size_t{1} << (width(i) - 1); }
  // Buckets of all windows stand in one row; this is where those of window i begin. i = count gives their number.
  constexpr std::size_t bucket_offset(unsigned i) const noexcept {
    const std::size_t twice = i <= num_wide ? std::size_t{i} * 2 : std::size_t{i} + num_wide;
    return twice << narrow >> 1;
  }
};

// The number of windows that makes `n` points cheapest, in units of one affine addition: n additions a window, for every
// bucket two additions when the buckets are summed and about one for its share of fixed costs, and about 14 additions'
// time for each of the 2^(width / 2) rows and columns of a window's bucket matrix. The weights were fitted to measured
// minima from 2^8 to 2^20 points on Zen 4; the minimum is flat.
constexpr Windows choose_windows(std::size_t n) noexcept {
  Windows best = Windows::of(Windows::kMinCount);
  double best_cost = 0;
  for (unsigned count = Windows::kMinCount; count <= 64; ++count) {
    const Windows windows = Windows::of(count);
    const std::size_t side = std::size_t{2} << (windows.narrow / 2);
    const double cost = static_cast<double>(n) * count +
                        3.0 * static_cast<double>(windows.bucket_offset(count)) +
                        14.0 * count * static_cast<double>(side);
    if (count == Windows::kMinCount || cost < best_cost) {
      best = windows;
      best_cost = cost;
    }
  }
  return best;
}

}  // namespace cuzk
