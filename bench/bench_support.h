// What the benches that span layers share.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/status.h"

namespace cuzk {

// The value, or an exception with the message: a bench has nobody else to tell.
template <class T>
T must(Result<T> result) {
  if (!result.is_ok()) throw std::runtime_error(result.status().message());
  return std::move(result).value();
}

inline std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

}  // namespace cuzk
