// How much memory this process may use: what the machine has, what its control group and its resource limits allow.
#pragma once

#include <cstdint>
#include <filesystem>

namespace cuzk {

// The least of physical memory, memory.max (cgroup v2) or memory.limit_in_bytes (v1) of this process's group and the groups above
// it, RLIMIT_AS and RLIMIT_DATA. `cgroup_root` and `proc_cgroup` are other places for tests.
std::uint64_t allowed_memory_bytes(const std::filesystem::path& cgroup_root = "/sys/fs/cgroup",
                                   const std::filesystem::path& proc_cgroup = "/proc/self/cgroup");

// What the process holds in memory now (VmRSS), 0 if the kernel does not say.
std::uint64_t resident_set_bytes();

}  // namespace cuzk
