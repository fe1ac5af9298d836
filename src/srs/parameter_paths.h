// Where parameter files are, and what stands beside them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/status.h"

namespace cuzk {

// $FIL_PROOFS_PARAMETER_CACHE, or /var/tmp/filecoin-proof-parameters when that is unset or empty. Whether the folder
// exists is not looked at.
std::filesystem::path parameter_directory();

struct ParameterPaths {
  std::filesystem::path params;
  std::filesystem::path vk;
  std::filesystem::path meta;
};

// <directory>/v28-<cache_id>.params, .vk and .meta.
ParameterPaths parameter_paths(const std::filesystem::path& directory, std::string_view cache_id);

// The content of a .meta file. `test_only` marks parameters whose toxic scalars are known: proofs made with them can
// be forged.
struct ParameterMeta {
  std::uint64_t sector_size = 0;
  bool test_only = false;
};

// unavailable when the file is missing, unreadable, or not a JSON object with an unsigned sector_size.
Result<ParameterMeta> read_meta(const std::filesystem::path& path);
// Replaces the file at once or not at all; errors as AtomicFile (atomic_file.h).
Status write_meta(const std::filesystem::path& path, const ParameterMeta& meta);

}  // namespace cuzk
