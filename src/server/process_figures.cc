#include "server/process_figures.h"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace cuzk {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

ProcessFigures read_process_figures() {
  ProcessFigures figures;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:"))
      figures.resident_bytes = std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
    if (line.starts_with("Threads:")) figures.threads = std::strtoull(line.c_str() + 8, nullptr, 10);
  }
  std::error_code error;
  for (std::filesystem::directory_iterator file("/proc/self/fd", error), end; !error && file != end;
       file.increment(error))
    ++figures.open_files;
  if (figures.open_files > 0) --figures.open_files;  // the one that reads the folder
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) figures.max_files = limit.rlim_cur;
  rusage usage = {};
  if (getrusage(RUSAGE_SELF, &usage) == 0)
    figures.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  return figures;
}

}  // namespace cuzk
