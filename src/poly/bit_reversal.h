// The bit-reversal permutation of a vector, in place.
#pragma once

#include <span>

#include "field/fr.h"

namespace cuzk {

// Swaps values[i] and values[i with its bits in reverse order]. The length is a power of two (checked). All
// threads.
void bit_reverse(std::span<Fr> values);

}  // namespace cuzk
