// From flags, environment, file and defaults to one DaemonConfig, and back to text that says where each value came from.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "config_keys.h"
#include "daemon_config.h"

namespace cuzk {

struct LoadedConfig {
  DaemonConfig config;
  std::map<std::string, OriginatedValue> values;  // of every key, what is in force
  std::string source;                             // the file, or "defaults"
};

// A flag goes before the environment, that before the file, that before the default. `file` may be empty. `flags` is by key name, lists not
// yet split at commas; `environment` is NAME=VALUE as in environ(7). invalid_argument, one line an error with its origin: what
// read_config_file says; a value out of its limits; a variable CUZK_<section>_... that is no key; a certificate without its key.
Result<LoadedConfig> load_config(const std::filesystem::path& file,
                                 const std::map<std::string, ConfigValue>& flags,
                                 const std::vector<std::string>& environment);

// As TOML that load_config would read again, each line with its origin in a comment.
std::string print_config(const LoadedConfig& loaded);

// The environment of this process.
std::vector<std::string> process_environment();

}  // namespace cuzk
