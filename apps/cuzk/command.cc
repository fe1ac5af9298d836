#include "command.h"

#include <sys/resource.h>

#include <cstdio>

namespace cuzk {
namespace {

std::string text_of(const Report& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_unsigned()) return grouped(value.get<std::uint64_t>());
  if (value.is_number_float()) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.1f", value.get<double>());
    return buffer;
  }
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.dump();
}

void print_object(const Report& object, int indent) {
  std::size_t width = 0;
  for (const auto& [key, value] : object.items()) width = std::max(width, key.size());
  for (const auto& [key, value] : object.items()) {
    if (value.is_object()) {
      std::printf("%*s%s:\n", indent, "", key.c_str());
      print_object(value, indent + 2);
      continue;
    }
    std::printf("%*s%s:%*s %s\n", indent, "", key.c_str(), static_cast<int>(width - key.size()), "",
                text_of(value).c_str());
  }
}

}  // namespace

void add_params_dir_option(CLI::App& command, std::string* params_dir) {
  command
      .add_option("--params-dir", *params_dir,
                  "folder of the parameter files (default: $FIL_PROOFS_PARAMETER_CACHE, or "
                  "/var/tmp/filecoin-proof-parameters)")
      ->type_name("DIR");
}

void print_report(const Report& report, const CommonOptions& common) {
  if (common.json) {
    std::printf("%s\n", report.dump(2).c_str());
  } else {
    print_object(report, 0);
  }
  std::fflush(stdout);
}

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::string grouped(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

}  // namespace cuzk
