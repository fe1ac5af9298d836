// The one table of the daemon's settings. The keys of the file, the flags, the environment variables, --check-config and the help
// are all read from it, so they cannot differ.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/status.h"
#include "daemon_config.h"

namespace cuzk {

enum class ValueKind { text, path, boolean, integer, size, duration, list };

using ConfigField = std::variant<std::string*, std::filesystem::path*, bool*, std::uint64_t*,
                                 std::chrono::milliseconds*, std::vector<std::string>*>;

// A value as text, one item for each element of a list and exactly one for anything else.
using ConfigValue = std::vector<std::string>;

// A value and where it came from: "default", "flag --log-level", "environment CUZK_LOG_LEVEL", "/etc/cuzk/cuzk.toml:12:9".
struct OriginatedValue {
  ConfigValue value;
  std::string origin;
};

struct ConfigKey {
  std::string_view name;  // "section.key"
  ValueKind kind;
  std::string_view help;
  ConfigField (*field)(DaemonConfig& config);
  ConfigValue default_value;
  // Of an integer, of bytes or of milliseconds.
  std::uint64_t min = 0;
  std::uint64_t max = UINT64_MAX;
  std::vector<std::string_view> choices = {};           // of a text; empty: any
  OriginatedValue (*find_default)() = nullptr;          // instead of default_value
  Status (*check)(const ConfigValue& value) = nullptr;  // beyond kind and limits

  std::string flag() const;         // "--section-key"
  std::string environment() const;  // "CUZK_SECTION_KEY"
  std::string_view section() const { return name.substr(0, name.find('.')); }
};

// Sections in a row, in the order of printing. Static.
std::span<const ConfigKey> all_config_keys();
const ConfigKey* find_config_key(std::string_view name);
// "integer", "\"16MiB\"", ...: what a value of this key looks like, for messages.
std::string describe_kind(const ConfigKey& key);

// Sets the key's field. invalid_argument, without the name of the key, for a value that is none of its kind or out of its limits.
Status set_config_value(const ConfigKey& key, const ConfigValue& value, DaemonConfig& config);

}  // namespace cuzk
