// What the kernel says of this process.
#pragma once

#include <cstdint>

namespace cuzk {

// Zero where /proc says nothing.
struct ProcessFigures {
  std::uint64_t resident_bytes = 0;
  std::uint64_t open_files = 0;
  std::uint64_t max_files = 0;
  std::uint64_t threads = 0;
  double cpu_seconds = 0;  // user and system
};

ProcessFigures read_process_figures();

}  // namespace cuzk
