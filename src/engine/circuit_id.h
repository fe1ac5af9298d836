// The short names by which people and clients know a circuit: "porep-32g", "wpost-32g", "winning-32g", "snap-32g",
// "snap-poseidon-32g"; a kind and a sector size. The sizes are 2k, 4k, 16k, 32k, 8m, 16m, 512m, 1g, 32g, 64g.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "vanilla/registered_proofs.h"

namespace cuzk {

std::string circuit_id(const CircuitParameters& circuit);
// Status code not_found for anything that is not exactly such a name; the message lists what there is.
Result<const CircuitParameters*> find_circuit(std::string_view id);

}  // namespace cuzk
