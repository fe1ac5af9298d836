// The round constants of Poseidon: Grain in self-shrinking mode, as in the reference generator of the
// Poseidon paper (Grassi et al., USENIX Security 2021, appendix E), with the parameters of neptune.
#pragma once

#include <vector>

#include "field/fr.h"

namespace cuzk {

// The (full_rounds + partial_rounds) * width constants, round by round. The field size is 255 bits, the S-box
// field is 1.
std::vector<Fr> grain_round_constants(unsigned width, unsigned full_rounds, unsigned partial_rounds);

}  // namespace cuzk
