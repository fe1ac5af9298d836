// --circuit and --sector-size: which circuit a command is about.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/status.h"
#include "vanilla/registered_proofs.h"

namespace cuzk {

struct CircuitOption {
  std::string circuit;
  std::string sector_size;

  void add_to(CLI::App& command);
  // invalid_argument for a size that is not known, or that the circuit does not have.
  Result<const CircuitParameters*> find() const;
};

// "2KiB, 4KiB, ..."
std::string sector_size_names();

}  // namespace cuzk
