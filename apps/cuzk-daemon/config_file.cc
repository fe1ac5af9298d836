#include "config_file.h"

#include <toml++/toml.h>
#include <algorithm>
#include <optional>

#include "nearest_name.h"
#include "whole_file.h"

namespace cuzk {
namespace {

// Settings are a few KiB; a file that has no end must do no harm.
constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;

std::string place(const std::string& file, const toml::source_region& source) {
  return file + ":" + std::to_string(source.begin.line) + ":" + std::to_string(source.begin.column);
}

const char* type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number with a fraction";
    case toml::node_type::boolean:
      return "true or false";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::table:
      return "a table";
    default:
      return "a date or time";
  }
}

std::optional<ConfigValue> strings_of(const toml::array& array) {
  ConfigValue items;
  for (const toml::node& item : array) {
    const auto* text = item.as_string();
    if (text == nullptr) return std::nullopt;
    items.push_back(text->get());
  }
  return items;
}

// The node as text if its type is one of the key's.
std::optional<ConfigValue> value_of(const ConfigKey& key, const toml::node& node) {
  const bool takes_number = key.kind == ValueKind::integer || key.kind == ValueKind::size;
  if (key.kind == ValueKind::list) {
    if (const auto* array = node.as_array()) return strings_of(*array);
  } else if (const auto* number = node.as_integer(); number != nullptr && takes_number) {
    return ConfigValue{std::to_string(number->get())};
  } else if (const auto* boolean = node.as_boolean(); boolean != nullptr && key.kind == ValueKind::boolean) {
    return ConfigValue{boolean->get() ? "true" : "false"};
  }
  const auto* text = node.as_string();
  const bool takes_text = key.kind != ValueKind::integer && key.kind != ValueKind::boolean;
  if (text != nullptr && takes_text) return ConfigValue{text->get()};
  return std::nullopt;
}

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {
    for (const ConfigKey& key : all_config_keys()) {
      names_.emplace_back(key.name);
      sections_.emplace_back(key.section());
    }
  }

  void read(const toml::table& root) {
    for (const auto& [section, node] : root) {
      const std::string name(section.str());
      const toml::table* table = node.as_table();
      if (table == nullptr || !is_section(name)) {
        if (table != nullptr) {
          unknown(section.source(), "section [" + name + "]", "[" + nearest_name(name, sections_) + "]");
        } else {
          unknown(section.source(), "key " + name, nearest_name(name + ".", names_));
        }
        continue;
      }
      for (const auto& [key, value] : *table)
        read_key(name + "." + std::string(key.str()), key.source(), value);
    }
  }

  Result<std::map<std::string, OriginatedValue>> result() && {
    if (!errors_.empty()) return invalid_argument(std::move(errors_));
    return std::move(values_);
  }

 private:
  bool is_section(const std::string& name) const {
    return std::ranges::find(sections_, name) != sections_.end();
  }

  void read_key(const std::string& name, const toml::source_region& source, const toml::node& node) {
    const ConfigKey* key = find_config_key(name);
    if (key == nullptr) return unknown(source, "key " + name, nearest_name(name, names_));
    std::optional<ConfigValue> value = value_of(*key, node);
    if (!value) {
      return error(node.source(), name + ": found " + type_name(node) + ", wanted " + describe_kind(*key));
    }
    values_[name] = {std::move(*value), place(file_, node.source())};
  }

  void unknown(const toml::source_region& source, const std::string& what, const std::string& nearest) {
    error(source, "there is no " + what + "; the nearest is " + nearest);
  }

  void error(const toml::source_region& source, const std::string& text) {
    errors_ += (errors_.empty() ? "" : "\n") + place(file_, source) + ": " + text;
  }

  std::string file_;
  std::vector<std::string> names_;
  std::vector<std::string> sections_;  // of names_
  std::string errors_;
  std::map<std::string, OriginatedValue> values_;
};

}  // namespace

Result<std::map<std::string, OriginatedValue>> parse_config_text(std::string_view text,
                                                                 const std::string& name) {
  Reader reader(name);
  try {
    reader.read(toml::parse(text));
  } catch (const toml::parse_error& error) {
    return invalid_argument(place(name, error.source()) + ": " + std::string(error.description()));
  }
  return std::move(reader).result();
}

Result<std::map<std::string, OriginatedValue>> read_config_file(const std::filesystem::path& path) {
  CUZK_ASSIGN(const std::string text, read_file(path, kMaxFileBytes));
  return parse_config_text(text, path.string());
}

}  // namespace cuzk
