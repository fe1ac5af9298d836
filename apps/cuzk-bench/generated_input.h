// Valid input of any kind and size for a bench, without a sealed sector.
#pragma once

#include <memory>
#include <string>

#include "circuit/proof_input.h"

namespace cuzk {

// All partitions of one request: a PoRep, an update; for a PoSt as many sectors as fit one partition. With `first_only` one partition
// alone. Equal seeds give equal inputs. invalid_argument for a kind that has no generator or a size that does not exist.
Result<std::unique_ptr<ProofInput>> generate_input(const std::string& kind, const std::string& sector_size,
                                                   std::uint64_t seed, bool first_only);

}  // namespace cuzk
