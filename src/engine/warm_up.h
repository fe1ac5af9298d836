// Warm-up: a whole proof of a tiny circuit, made up on the spot, so that the first real proof does not pay for what a backend does
// once (loading kernels, growing pools).
#pragma once

#include "base/status.h"
#include "groth16/backend.h"

namespace cuzk {

// Loads, proves and verifies; everything is gone on return. The failure of the backend, or prover_fault if its proof is wrong.
Status warm_up(Backend& backend);

}  // namespace cuzk
