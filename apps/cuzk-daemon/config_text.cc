#include "config_text.h"

#include <charconv>
#include <limits>
#include <span>

namespace cuzk {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

// Ascending within each family; printing takes the first family only.
constexpr Unit kBinaryUnits[] = {
    {"B", 1}, {"KiB", 1u << 10}, {"MiB", 1u << 20}, {"GiB", 1u << 30}, {"TiB", std::uint64_t{1} << 40}};
constexpr Unit kDecimalUnits[] = {
    {"kB", 1000}, {"MB", 1'000'000}, {"GB", 1'000'000'000}, {"TB", 1'000'000'000'000}};
constexpr Unit kTimeUnits[] = {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

struct Split {
  std::uint64_t number;
  std::string_view unit;
};

Result<Split> split_unit(std::string_view text) {
  Split split{0, {}};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), split.number);
  if (error == std::errc::result_out_of_range) return invalid_argument(quoted(text) + " is too large");
  if (error != std::errc()) return invalid_argument(quoted(text) + " does not begin with a whole number");
  split.unit = text.substr(static_cast<std::size_t>(end - text.data()));
  return split;
}

const Unit* find_unit(std::span<const Unit> units, std::string_view name) {
  for (const Unit& unit : units)
    if (unit.name == name) return &unit;
  return nullptr;
}

Result<std::uint64_t> scaled(std::string_view text, std::uint64_t number, const Unit& unit) {
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (number > most / unit.factor) return invalid_argument(quoted(text) + " is too large");
  return number * unit.factor;
}

std::string printed(std::span<const Unit> units, std::uint64_t value) {
  const Unit* best = &units.front();
  for (const Unit& unit : units)
    if (value != 0 && value % unit.factor == 0) best = &unit;
  return std::to_string(value / best->factor) + std::string(best->name);
}

}  // namespace

Result<std::uint64_t> parse_integer(std::string_view text) {
  CUZK_ASSIGN(const Split split, split_unit(text));
  if (!split.unit.empty()) return invalid_argument(quoted(text) + " is no whole number");
  return split.number;
}

Result<std::uint64_t> parse_size(std::string_view text) {
  CUZK_ASSIGN(const Split split, split_unit(text));
  const Unit* unit = split.unit.empty() ? &kBinaryUnits[0] : find_unit(kBinaryUnits, split.unit);
  if (unit == nullptr) unit = find_unit(kDecimalUnits, split.unit);
  if (unit == nullptr) {
    return invalid_argument(quoted(text) + ": " + quoted(split.unit) +
                            " is no unit of size; wanted B, KiB, MiB, GiB, TiB, kB, MB, GB or TB");
  }
  return scaled(text, split.number, *unit);
}

Result<std::chrono::milliseconds> parse_duration(std::string_view text) {
  CUZK_ASSIGN(const Split split, split_unit(text));
  if (split.unit.empty() && split.number == 0) return std::chrono::milliseconds(0);
  const Unit* unit = find_unit(kTimeUnits, split.unit);
  if (unit == nullptr) {
    return invalid_argument(quoted(text) + ": " + quoted(split.unit) +
                            " is no unit of time; wanted ms, s, m, h or d");
  }
  CUZK_ASSIGN(const std::uint64_t ms, scaled(text, split.number, *unit));
  return std::chrono::milliseconds(ms);
}

std::string print_size(std::uint64_t bytes) {
  return printed(kBinaryUnits, bytes);
}

std::string print_duration(std::chrono::milliseconds time) {
  return printed(kTimeUnits, static_cast<std::uint64_t>(time.count()));
}

}  // namespace cuzk
