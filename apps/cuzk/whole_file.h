// Files of the user, read and written whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"

namespace cuzk {

// invalid_argument with the path: it cannot be read, is a folder, or holds more than `most_bytes`.
Result<std::string> read_file(const std::filesystem::path& path, std::size_t most_bytes = SIZE_MAX);

inline std::span<const std::uint8_t> bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// A folder that is missing or cannot be written to, or a path that is a folder, shows here and not after minutes of work.
Status check_writable(const std::string& path);

// Whole or not at all: under a temporary name, then renamed, and Ctrl-C meanwhile takes effect afterwards. A symbolic link to a file stays, and its
// target is replaced. What is no file (/dev/stdout, a pipe) is written to as it is. Errors name the path.
Status write_file(const std::string& path, std::span<const std::uint8_t> bytes);
Status write_file(const std::string& path, std::string_view text);

}  // namespace cuzk
