#include "config_keys.h"

#include <algorithm>
#include <cctype>

#include "config_text.h"

namespace cuzk {
namespace {

std::string replaced(std::string_view name, char dot, char underscore, int (*change)(int)) {
  std::string text;
  for (const char c : name) {
    const char other = c == '.' ? dot : c == '_' ? underscore : c;
    text += static_cast<char>(change(static_cast<unsigned char>(other)));
  }
  return text;
}

Status check_limits(const ConfigKey& key, std::uint64_t value, std::string (*print)(std::uint64_t)) {
  if (value < key.min) return invalid_argument(print(value) + " is less than " + print(key.min));
  if (value > key.max) return invalid_argument(print(value) + " is more than " + print(key.max));
  return Status::ok();
}

std::string print_integer(std::uint64_t value) {
  return std::to_string(value);
}

Status check_choice(const ConfigKey& key, const std::string& text) {
  if (key.choices.empty() || std::ranges::find(key.choices, text) != key.choices.end()) return Status::ok();
  std::string wanted;
  for (const std::string_view choice : key.choices)
    wanted += (wanted.empty() ? "" : ", ") + std::string(choice);
  return invalid_argument("\"" + text + "\" is none of " + wanted);
}

// Parses `text` and stores it through the pointer that the field holds.
struct Store {
  const ConfigKey& key;
  const ConfigValue& value;
  const std::string& text;

  Status operator()(std::string* field) const {
    *field = text;
    return check_choice(key, text);
  }
  Status operator()(std::filesystem::path* field) const {
    if (text.find('\0') != std::string::npos) return invalid_argument("a path with a zero byte");
    *field = text;
    return Status::ok();
  }
  Status operator()(bool* field) const {
    if (text != "true" && text != "false")
      return invalid_argument("\"" + text + "\" is neither true nor false");
    *field = text == "true";
    return Status::ok();
  }
  Status operator()(std::uint64_t* field) const {
    const bool is_size = key.kind == ValueKind::size;
    CUZK_ASSIGN(*field, is_size ? parse_size(text) : parse_integer(text));
    return check_limits(key, *field, is_size ? print_size : print_integer);
  }
  Status operator()(std::chrono::milliseconds* field) const {
    CUZK_ASSIGN(*field, parse_duration(text));
    const auto print = [](std::uint64_t ms) { return print_duration(std::chrono::milliseconds(ms)); };
    return check_limits(key, static_cast<std::uint64_t>(field->count()), print);
  }
  Status operator()(std::vector<std::string>* field) const {
    *field = value;
    return Status::ok();
  }
};

}  // namespace

std::string ConfigKey::flag() const {
  return "--" + replaced(name, '-', '-', std::tolower);
}

std::string ConfigKey::environment() const {
  return "CUZK_" + replaced(name, '_', '_', std::toupper);
}

const ConfigKey* find_config_key(std::string_view name) {
  for (const ConfigKey& key : all_config_keys())
    if (key.name == name) return &key;
  return nullptr;
}

std::string describe_kind(const ConfigKey& key) {
  switch (key.kind) {
    case ValueKind::text:
    case ValueKind::path:
      return "a string";
    case ValueKind::boolean:
      return "true or false";
    case ValueKind::integer:
      return "an integer";
    case ValueKind::size:
      return "a size such as \"16MiB\"";
    case ValueKind::duration:
      return "a time such as \"90s\"";
    case ValueKind::list:
      return "a list of strings";
  }
  return "a value";
}

Status set_config_value(const ConfigKey& key, const ConfigValue& value, DaemonConfig& config) {
  static const std::string none;
  const std::string& text = value.empty() ? none : value.front();
  CUZK_TRY(std::visit(Store{key, value, text}, key.field(config)));
  return key.check == nullptr ? Status::ok() : key.check(value);
}

}  // namespace cuzk
