#include "perf_counters.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace cuzk {
namespace {

struct Kind {
  const char* name;
  std::uint32_t type;
  std::uint64_t config;
};

constexpr Kind kKinds[] = {
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"cache_references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"page_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
};

int open_counter(const Kind& kind) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = kind.type;
  attributes.config = kind.config;
  attributes.inherit = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

std::string reason(int error) {
  std::string text = std::string("perf_event_open: ") + std::strerror(error);
  if (error == ENOENT || error == ENODEV || error == EOPNOTSUPP) {
    return text + " (this machine shows no hardware counters, as in many virtual machines)";
  }
  std::string level = "unknown";
  std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> level;
  return text + " (not permitted here; kernel.perf_event_paranoid is " + level +
         ", and a container may forbid it)";
}

}  // namespace

PerfCounters::PerfCounters() {
  for (const Kind& kind : kKinds) {
    const int fd = open_counter(kind);
    if (fd < 0 && unavailable_.empty()) unavailable_ = reason(errno);
    counters_.push_back({kind.name, fd, 0, 0});
  }
}

PerfCounters::~PerfCounters() {
  for (const Counter& counter : counters_) {
    if (counter.fd >= 0) ::close(counter.fd);
  }
}

// The count so far. Counters that take turns in the processor are scaled to the whole time.
double PerfCounters::read(int fd) {
  struct {
    std::uint64_t value, enabled_ns, running_ns;
  } now{};
  if (::read(fd, &now, sizeof now) != sizeof now || now.running_ns == 0) return 0;
  return static_cast<double>(now.value) * static_cast<double>(now.enabled_ns) /
         static_cast<double>(now.running_ns);
}

void PerfCounters::start() {
  for (Counter& counter : counters_) {
    if (counter.fd >= 0) counter.at_start = read(counter.fd);
  }
}

void PerfCounters::stop() {
  for (Counter& counter : counters_) {
    if (counter.fd >= 0) counter.value = read(counter.fd) - counter.at_start;
  }
}

nlohmann::ordered_json PerfCounters::report() const {
  nlohmann::ordered_json report;
  double instructions = 0, cycles = 0;
  for (const Counter& counter : counters_) {
    if (counter.fd < 0) {
      report[counter.name] = nullptr;
    } else {
      report[counter.name] = static_cast<std::uint64_t>(counter.value);
    }
    if (std::strcmp(counter.name, "instructions") == 0) instructions = counter.value;
    if (std::strcmp(counter.name, "cycles") == 0) cycles = counter.value;
  }
  report["instructions_per_cycle"] = cycles > 0 ? nlohmann::ordered_json(instructions / cycles) : nullptr;
  if (!unavailable_.empty()) report["unavailable"] = unavailable_;
  return report;
}

}  // namespace cuzk
