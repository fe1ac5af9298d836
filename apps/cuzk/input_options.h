// The flags that say what is to be proved, the same for prove, verify and validate, and the input that they describe.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "circuit/proof_input.h"

namespace cuzk {

struct InputOptions {
  std::string c1;
  std::string kind;
  std::string sector_size;
  std::vector<std::string> vanilla;
  std::optional<std::uint64_t> miner_id;
  std::string randomness;
  std::string comm_r_old;
  std::string comm_r_new;
  std::string comm_d_new;
  std::string post_version = "1.2";
  std::optional<std::uint64_t> partition;

  // `miner_required`: whether --miner-id must be given with --c1.
  void add_to(CLI::App& command, bool miner_required);
  // Reads and types everything. All failures are invalid_argument and name the file or the flag.
  Result<std::unique_ptr<ProofInput>> read() const;

 private:
  Result<std::unique_ptr<ProofInput>> read_porep() const;
  Result<std::unique_ptr<ProofInput>> read_post(const SectorShape& shape) const;
  Result<std::unique_ptr<ProofInput>> read_update(const SectorShape& shape) const;
};

// "1.0" or "1.2".
Result<ApiVersion> post_version_from_text(const std::string& text);
// 64 hexadecimal digits; the error names the flag.
Result<Bytes32> bytes32_option(const char* flag, const std::string& text);

}  // namespace cuzk
