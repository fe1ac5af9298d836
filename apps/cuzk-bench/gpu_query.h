// What `nvidia-smi` says of one GPU at this moment.
#pragma once

#include <string>

#include "command.h"

namespace cuzk {

// Driver version, clocks, power, temperature; "unknown: <reason>" where the program is not there or does not answer.
Report query_nvidia_smi(const std::string& uuid);

// A line of `nvidia-smi --format=csv,noheader,nounits` as an object with these keys, numbers as numbers.
Report parse_smi_line(const std::string& line, const std::vector<std::string>& keys);

}  // namespace cuzk
