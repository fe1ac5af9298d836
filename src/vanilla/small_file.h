// A file of known size, whole.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace cuzk {

// At most `max_bytes` + 1 bytes are read, so that a parser sees that a longer file is too long, and a file that
// has no end does no harm. A file that cannot be read is unavailable; errors start with the path.
Result<std::vector<std::uint8_t>> read_small_file(const std::string& path, std::size_t max_bytes);

}  // namespace cuzk
