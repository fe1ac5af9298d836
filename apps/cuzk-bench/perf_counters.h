// Hardware counters by perf_event_open: what the calling thread, and all threads that it starts from then on, executed in user mode.
//
// Virtual machines often have no such counters, and kernel.perf_event_paranoid may forbid them; each counter is then missing and
// the reason is said in words. Counters that do not fit into the processor at the same time are scaled by the time that each was
// running, as perf does.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cuzk {

class PerfCounters {
 public:
  // Opens all counters that can be had. Those of a pool of threads are counted only if the pool is made later.
  PerfCounters();
  ~PerfCounters();
  PerfCounters(const PerfCounters&) = delete;
  PerfCounters& operator=(const PerfCounters&) = delete;

  // The counts between start() and stop() are what report() gives.
  void start();
  void stop();

  // Of the last stretch: instructions, cycles, instructions_per_cycle, branches, branch_misses, cache_references, cache_misses, page_faults,
  // of which each is a number or null; and, if any is null, "unavailable": why, in a sentence.
  nlohmann::ordered_json report() const;

 private:
  static double read(int fd);
  struct Counter {
    const char* name;
    int fd;
    double at_start;
    double value;
  };

  std::vector<Counter> counters_;
  std::string unavailable_;
};

}  // namespace cuzk
