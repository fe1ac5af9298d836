#include "gpu_query.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace cuzk {
namespace {

const std::vector<std::string> kKeys = {"driver_version", "clocks.sm",  "clocks.mem",
                                        "clocks.max.sm",  "power.draw", "temperature.gpu"};

// A GPU's uuid goes into a command line.
bool is_plain(const std::string& uuid) {
  return std::all_of(uuid.begin(), uuid.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
}

}  // namespace

Report parse_smi_line(const std::string& line, const std::vector<std::string>& keys) {
  Report report;
  std::istringstream fields(line);
  std::string field;
  for (const std::string& key : keys) {
    if (!std::getline(fields, field, ',')) return "unknown: nvidia-smi printed \"" + line + "\"";
    const std::size_t begin = field.find_first_not_of(' ');
    const std::size_t end = field.find_last_not_of(" \n");
    field = begin == std::string::npos ? "" : field.substr(begin, end - begin + 1);
    char* rest = nullptr;
    const double number = std::strtod(field.c_str(), &rest);
    // A driver's version has two dots or one; only what is a number and no version is a number.
    if (!field.empty() && *rest == '\0' && key.find("version") == std::string::npos) {
      report[key] = number;
    } else {
      report[key] = field;
    }
  }
  return report;
}

Report query_nvidia_smi(const std::string& uuid) {
  if (!is_plain(uuid)) return "unknown: the GPU's uuid is \"" + uuid + "\"";
  std::string keys;
  for (const std::string& key : kKeys) keys += (keys.empty() ? "" : ",") + key;
  const std::string command =
      "nvidia-smi --id=" + uuid + " --query-gpu=" + keys + " --format=csv,noheader,nounits 2>/dev/null";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "unknown: nvidia-smi could not be started";
  std::string output;
  char buffer[256];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) output += buffer;
  const int status = ::pclose(pipe);
  if (status != 0 || output.empty()) return "unknown: nvidia-smi is not there or failed";
  return parse_smi_line(output, kKeys);
}

}  // namespace cuzk
