#include "load_config.h"

#include <unistd.h>

#include <algorithm>

#include "config_file.h"
#include "nearest_name.h"

namespace cuzk {
namespace {

class Errors {
 public:
  void add(const std::string& line) { text_ += (text_.empty() ? "" : "\n") + line; }
  bool is_empty() const noexcept { return text_.empty(); }
  const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

// "a,b" -> a, b; "" -> nothing.
void split_commas(const std::string& text, ConfigValue& items) {
  if (text.empty()) return;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    items.push_back(text.substr(begin, end - begin));
    if (end == text.size()) return;
    begin = end + 1;
  }
}

ConfigValue from_text(const ConfigKey& key, const ConfigValue& texts) {
  if (key.kind != ValueKind::list) return texts;
  ConfigValue items;
  for (const std::string& text : texts) split_commas(text, items);
  return items;
}

using Values = std::map<std::string, OriginatedValue>;

void take_defaults(Values& values) {
  for (const ConfigKey& key : all_config_keys()) {
    values[std::string(key.name)] =
        key.find_default != nullptr ? key.find_default() : OriginatedValue{key.default_value, "default"};
  }
}

// Whether the name is CUZK_<section>_ of a section of ours; other variables of that prefix are none of our business.
bool is_of_a_section(const std::string& name) {
  return std::ranges::any_of(all_config_keys(), [&](const ConfigKey& key) {
    std::string prefix = key.environment();
    prefix.resize(std::string_view("CUZK_").size() + key.section().size() + 1);
    return name.starts_with(prefix);
  });
}

void take_environment(const std::vector<std::string>& environment, Values& values, Errors& errors) {
  std::map<std::string, const ConfigKey*> keys;
  std::vector<std::string> names;
  for (const ConfigKey& key : all_config_keys()) {
    keys[key.environment()] = &key;
    names.push_back(key.environment());
  }
  for (const std::string& setting : environment) {
    const std::size_t equals = std::min(setting.find('='), setting.size());
    const std::string name = setting.substr(0, equals);
    const auto found = keys.find(name);
    if (found != keys.end()) {
      const ConfigKey& key = *found->second;
      const std::string text = setting.substr(std::min(equals + 1, setting.size()));
      values[std::string(key.name)] = {from_text(key, {text}), "environment " + name};
    } else if (is_of_a_section(name)) {
      errors.add("environment " + name + ": there is no such setting; the nearest is " +
                 nearest_name(name, names));
    }
  }
}

void take_flags(const std::map<std::string, ConfigValue>& flags, Values& values, Errors& errors) {
  for (const auto& [name, texts] : flags) {
    const ConfigKey* key = find_config_key(name);
    CUZK_CHECK(key != nullptr, "a flag of the table");
    if (key->kind != ValueKind::list && texts.size() != 1) {
      errors.add("flag " + key->flag() + ": given " + std::to_string(texts.size()) + " times");
      continue;
    }
    values[name] = {from_text(*key, texts), "flag " + key->flag()};
  }
}

void check_tls(const LoadedConfig& loaded, Errors& errors) {
  const DaemonConfig& config = loaded.config;
  const auto needs = [&](const char* name, const std::filesystem::path& value, const char* other,
                         const std::filesystem::path& other_value) {
    if (!value.empty() && other_value.empty())
      errors.add(loaded.values.at(name).origin + ": " + name + " needs " + other + " too");
  };
  needs("tls.certificate", config.tls_certificate, "tls.key", config.tls_key);
  needs("tls.key", config.tls_key, "tls.certificate", config.tls_certificate);
  needs("tls.client_ca", config.tls_client_ca, "tls.certificate", config.tls_certificate);
}

void set_all(LoadedConfig& loaded, Errors& errors) {
  for (const ConfigKey& key : all_config_keys()) {
    const OriginatedValue& chosen = loaded.values.at(std::string(key.name));
    const Status set = set_config_value(key, chosen.value, loaded.config);
    if (!set.is_ok()) errors.add(chosen.origin + ": " + std::string(key.name) + ": " + set.message());
  }
}

std::string quoted(const std::string& text) {
  std::string quote = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quote += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      quote += escape;
    } else {
      quote += c;
    }
  }
  return quote + "\"";
}

std::string print_value(const ConfigKey& key, const ConfigValue& value) {
  if (key.kind == ValueKind::list) {
    std::string text;
    for (const std::string& item : value) text += (text.empty() ? "" : ", ") + quoted(item);
    return "[" + text + "]";
  }
  const std::string text = value.empty() ? "" : value.front();
  const bool is_bare = key.kind == ValueKind::integer || key.kind == ValueKind::boolean;
  return is_bare ? text : quoted(text);
}

}  // namespace

Result<LoadedConfig> load_config(const std::filesystem::path& file,
                                 const std::map<std::string, ConfigValue>& flags,
                                 const std::vector<std::string>& environment) {
  LoadedConfig loaded;
  Errors errors;
  loaded.source = file.empty() ? "defaults" : file.string();
  take_defaults(loaded.values);
  if (!file.empty()) {
    auto read = read_config_file(file);
    if (!read.is_ok()) errors.add(read.status().message());
    if (read.is_ok()) {
      for (auto& [name, value] : read.value()) loaded.values[name] = std::move(value);
    }
  }
  take_environment(environment, loaded.values, errors);
  take_flags(flags, loaded.values, errors);
  set_all(loaded, errors);
  if (errors.is_empty()) check_tls(loaded, errors);
  if (!errors.is_empty()) return invalid_argument(errors.text());
  return loaded;
}

std::string print_config(const LoadedConfig& loaded) {
  std::string text = "# in force; read from: " + loaded.source + "\n";
  std::string_view section;
  for (const ConfigKey& key : all_config_keys()) {
    if (key.section() != section) text += "\n[" + std::string(key.section()) + "]\n";
    section = key.section();
    const OriginatedValue& chosen = loaded.values.at(std::string(key.name));
    std::string line =
        std::string(key.name.substr(section.size() + 1)) + " = " + print_value(key, chosen.value);
    line.resize(std::max<std::size_t>(line.size(), 48), ' ');
    text += line + "  # " + chosen.origin + "\n";
  }
  return text;
}

std::vector<std::string> process_environment() {
  std::vector<std::string> settings;
  for (char** setting = environ; setting != nullptr && *setting != nullptr; ++setting)
    settings.emplace_back(*setting);
  return settings;
}

}  // namespace cuzk
