// How a transform of 2^log_n elements is cut into passes over memory.
//
// The index of an input is j = j_1 j_2 .. j_n in mixed radix, the most significant digit first; that of an output is
// k = k_n .. k_2 k_1. Pass i replaces the digit j_i by k_i. Before it the array is ordered
//   [j_i] [j_(i+1) .. j_n] [k_(i-1) .. k_1]   = radix x rest x done
// and after it
//   [j_(i+1) .. j_n] [k_i] [k_(i-1) .. k_1]   = rest x radix x done,
// so input and output of the whole are in natural order (the autosort of Stockham; Cochran et al., "What is the fast
// Fourier transform?", 1967). Between, element (k_i, rest) is multiplied by w^(k_i rest done), w of order 2^log_n.
//
// Pure functions, for host and device.
#pragma once

#include <cstddef>

namespace cuzk::cuda {

struct NttPass {
  unsigned log_radix;
  unsigned log_rest;
  unsigned log_done;
};

class NttPlan {
 public:
  static constexpr unsigned kMaxLogRadix =
      9;  // in a tile of 2^10 elements a row is 64 bytes, a memory access
  static constexpr unsigned kMaxPasses = 4;
  static constexpr unsigned kMaxLogN = 31;  // r - 1 has two-adicity 32, and a coset takes a root of order 2 n

  explicit constexpr NttPlan(unsigned log_n) noexcept
      : log_n_(log_n), num_passes_((log_n + kMaxLogRadix - 1) / kMaxLogRadix) {}

  constexpr unsigned log_n() const noexcept { return log_n_; }
  constexpr unsigned num_passes() const noexcept { return num_passes_; }  // 0 for one element
  // Radices differ by at most one bit, the larger first.
  constexpr NttPass pass(unsigned i) const noexcept {
    const unsigned narrow = log_n_ / num_passes_, num_wide = log_n_ % num_passes_;
    const unsigned log_radix = narrow + (i < num_wide ? 1 : 0);
    const unsigned log_done = i * narrow + (i < num_wide ? i : num_wide);
    return {log_radix, log_n_ - log_done - log_radix, log_done};
  }

 private:
  unsigned log_n_;
  unsigned num_passes_;
};

// Elements of a tile. Four blocks of 128 threads an SM, each with a tile of its own, wait less at their barriers than two
// of 256: 38.3 against 40.5 ms for 2^27 on an H200 (eight of 64, with tiles of 2^9: 40.3).
inline constexpr unsigned kNttLogTile = 10;

// A pass works on tiles of `radix` rows and 2^log_columns adjacent columns of the array seen as radix x (rest done).
constexpr unsigned ntt_log_columns(const NttPass& pass) noexcept {
  const unsigned wanted = kNttLogTile - pass.log_radix;
  const unsigned available = pass.log_rest + pass.log_done;
  return wanted < available ? wanted : available;
}

// Twiddles of a pass: one table [k][rest] when it has at most 2^kMaxLogTwiddles entries, else the product of two,
// [k][rest >> log_low] and [k][rest mod 2^log_low].
inline constexpr unsigned kMaxLogTwiddles = 18;
constexpr bool ntt_two_tables(const NttPass& pass) noexcept {
  return pass.log_radix + pass.log_rest > kMaxLogTwiddles;
}
constexpr unsigned ntt_log_low(const NttPass& pass) noexcept {
  return ntt_two_tables(pass) ? pass.log_rest / 2 : 0;
}

// Inside a tile the radix is taken in rounds of at most 3 bits, from the top: k = k_1 + 2^b_1 k_2 + .., and after the
// last round row r holds the output whose digits are those of r in reverse order of the rounds.
inline constexpr unsigned kMaxLogRound = 3;
constexpr unsigned ntt_round_bits(unsigned bits_left) noexcept {
  return bits_left % kMaxLogRound == 0 ? kMaxLogRound : bits_left % kMaxLogRound;
}
// The output index k of row `row`.
constexpr unsigned ntt_output_of_row(unsigned row, unsigned log_radix) noexcept {
  unsigned k = 0, shift = 0;
  for (unsigned left = log_radix; left > 0;) {
    const unsigned bits = ntt_round_bits(left);
    left -= bits;
    k |= ((row >> left) & ((1u << bits) - 1)) << shift;
    shift += bits;
  }
  return k;
}

}  // namespace cuzk::cuda
