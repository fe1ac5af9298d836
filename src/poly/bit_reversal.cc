// Method: an index is (high, middle, low) with q bits in high and low. The 2^q x 2^q tile of one middle goes
// to the tile of the reversed middle, transposed, with rows and columns permuted. Both tiles lie in 2^q runs
// of 2^q values, so memory is touched in runs of several cache lines and a pair of tiles stays in the
// first-level cache (Carter and Gatlin, "Towards an optimal bit-reversal permutation program", 1998).
#include "poly/bit_reversal.h"

#include <array>
#include <bit>
#include <utility>

#include "base/check.h"
#include "base/thread_pool.h"
#include "poly/ntt_kernel.h"

namespace cuzk {
namespace {

constexpr unsigned kTileBits = 4;  // runs of 512 bytes; two tiles are 16 KB
constexpr std::size_t kTile = std::size_t{1} << kTileBits;

void bit_reverse_small(std::span<Fr> values, unsigned log_n) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t j = reverse_bits(i, log_n);
    if (i < j) std::swap(values[i], values[j]);
  }
}

}  // namespace

void bit_reverse(std::span<Fr> values) {
  CUZK_CHECK(std::has_single_bit(values.size()), "bit reversal needs a power of two");
  const auto log_n = static_cast<unsigned>(std::countr_zero(values.size()));
  if (log_n < 2 * kTileBits) return bit_reverse_small(values, log_n);
  const unsigned middle_bits = log_n - 2 * kTileBits;
  std::array<std::size_t, kTile> reversed;
  for (std::size_t i = 0; i < kTile; ++i) reversed[i] = reverse_bits(i, kTileBits);
  const std::size_t row = values.size() >> kTileBits;
  parallel_for(std::size_t{1} << middle_bits, 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t middle = begin; middle < end; ++middle) {
      const std::size_t target = reverse_bits(middle, middle_bits);
      if (target < middle) continue;
      Fr* from = values.data() + (middle << kTileBits);
      Fr* to = values.data() + (target << kTileBits);
      for (std::size_t high = 0; high < kTile; ++high) {
        for (std::size_t low = 0; low < kTile; ++low) {
          Fr& a = from[high * row + low];
          Fr& b = to[reversed[low] * row + reversed[high]];
          if (target != middle || &a < &b) std::swap(a, b);
        }
      }
    }
  });
}

}  // namespace cuzk
