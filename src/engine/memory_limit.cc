#include "engine/memory_limit.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace cuzk {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

// The number in a file; "max" and anything else is no limit.
std::uint64_t limit_in(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::uint64_t value = 0;
  return stream >> value ? value : kUnlimited;
}

// The least limit of a group and of all groups above it, up to `root`.
std::uint64_t limit_of_group(const std::filesystem::path& root, const std::string& group, const char* file) {
  std::uint64_t limit = limit_in(root / file);
  std::filesystem::path path = root;
  for (const auto& part : std::filesystem::path(group).relative_path()) {
    path /= part;
    limit = std::min(limit, limit_in(path / file));
  }
  return limit;
}

// Lines are "0::/group" (v2) and "5:memory:/group" (v1).
std::uint64_t cgroup_limit(const std::filesystem::path& root, const std::filesystem::path& proc_cgroup) {
  std::uint64_t limit = kUnlimited;
  std::ifstream stream(proc_cgroup);
  for (std::string line; std::getline(stream, line);) {
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) limit = std::min(limit, limit_of_group(root, group, "memory.max"));
    if (controllers.find("memory") != std::string::npos)
      limit = std::min(limit, limit_of_group(root / "memory", group, "memory.limit_in_bytes"));
  }
  return limit;
}

std::uint64_t resource_limit(int resource) {
  struct rlimit limit {};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return kUnlimited;
  return limit.rlim_cur == RLIM_INFINITY ? kUnlimited : limit.rlim_cur;
}

}  // namespace

std::uint64_t allowed_memory_bytes(const std::filesystem::path& cgroup_root,
                                   const std::filesystem::path& proc_cgroup) {
  const std::uint64_t physical = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                                 static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return std::min({physical, cgroup_limit(cgroup_root, proc_cgroup), resource_limit(RLIMIT_AS),
                   resource_limit(RLIMIT_DATA)});
}

std::uint64_t resident_set_bytes() {
  std::ifstream stream("/proc/self/statm");
  std::uint64_t total = 0, resident = 0;
  if (!(stream >> total >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace cuzk
