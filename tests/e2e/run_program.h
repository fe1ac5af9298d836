// Runs a program to its end and keeps what it printed.
#pragma once

#include <string>
#include <vector>

namespace cuzk {

struct ProgramResult {
  int exit_code = -1;  // 128 + signal if a signal ended it
  std::string out;
  std::string err;
};

// `arguments[0]` is the program's path. stdin is /dev/null. `environment` lists extra NAME=VALUE settings.
ProgramResult run_program(const std::vector<std::string>& arguments,
                          const std::vector<std::string>& environment = {});

}  // namespace cuzk
