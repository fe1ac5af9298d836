// cuzk.toml: the settings of a file, with their places.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "config_keys.h"

namespace cuzk {

// name -> value and "file:line:column". invalid_argument, one line an error and each with its place: a file that cannot be read, has more
// than 1 MiB or is no TOML, a key that does not exist (with the nearest that does), a value of another type.
Result<std::map<std::string, OriginatedValue>> read_config_file(const std::filesystem::path& path);
// The same for the content of a file; `name` stands for it in messages.
Result<std::map<std::string, OriginatedValue>> parse_config_text(std::string_view text,
                                                                 const std::string& name);

}  // namespace cuzk
