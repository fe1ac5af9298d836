// --circuit and --sector-size: which circuit a command is about.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/status.h"
#include "r1cs/r1cs.h"
#include "vanilla/sector_shape.h"

namespace cuzk {

struct CircuitOption {
  std::string circuit;
  std::string sector_size;

  void add_to(CLI::App& command);
  // invalid_argument, listing what there is, for a name that is not known.
  Result<const SectorShape*> shape() const;
};

// Records the circuit of this name ("porep") and size.
R1cs record_circuit(const std::string& circuit, const SectorShape& shape);
// The name of its parameter files without "v28-" and extension.
std::string circuit_cache_id(const std::string& circuit, const SectorShape& shape);

}  // namespace cuzk
