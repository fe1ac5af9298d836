// The parameter x of the BLS family from which BLS12-381 is made: r = x^4 - x^2 + 1, p = (x - 1)^2 r / 3 + x.
#pragma once

#include <cstdint>

namespace cuzk {

// x is negative; this is |x|. Six of its bits are set, which is what makes loops over them short.
inline constexpr std::uint64_t kAbsX = 0xd201000000010000;
inline constexpr int kAbsXTopBit = 63;

}  // namespace cuzk
