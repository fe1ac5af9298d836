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
// --sector-size; another value than the name of a size is refused with all names.
CLI::Option* add_sector_size_option(CLI::App& command, std::string* sector_size, const std::string& help);

}  // namespace cuzk
