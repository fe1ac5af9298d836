// The fixed r and s of test vectors (docs/formats/proof.md). Whoever reads this knows them: such proofs hide nothing.
#pragma once

#include "groth16/blinding.h"

namespace cuzk {

// Of proof `index` of a batch: test_scalar("r <index>"), test_scalar("s <index>").
Blinding test_blinding(std::size_t index);

}  // namespace cuzk
