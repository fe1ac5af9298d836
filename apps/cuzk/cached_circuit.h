// The recorded circuit of a command: from the circuit cache of this user (circuit/circuit_cache.h) where that is possible.
#pragma once

#include "r1cs/r1cs.h"
#include "vanilla/registered_proofs.h"

namespace cuzk {

// Says on stderr, unless `quiet`, why a cache file was not used or could not be written.
R1cs cached_circuit(const CircuitParameters& circuit, bool quiet);

}  // namespace cuzk
