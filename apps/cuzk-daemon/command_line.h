// The command line of cuzk-daemon: one flag for each key of the table, and the few that are no settings.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "config_keys.h"

namespace cuzk {

struct CommandLine {
  std::string config_file;  // --config, else $CUZK_CONFIG, else empty
  bool check_config = false;
  std::map<std::string, ConfigValue> flags;  // by key name; only those given
};

// An exit code if there is nothing left to do: help or version was printed, or the flags are wrong and that was said.
std::optional<int> parse_command_line(int argc, char** argv, CommandLine& command_line);

}  // namespace cuzk
