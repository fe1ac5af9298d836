// Hardware counters of the calling thread, by perf_event_open: what a stretch of code executed, in user mode.
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
  // Opens all counters that can be had, stopped, for the thread that calls.
  PerfCounters();
  ~PerfCounters();
  PerfCounters(const PerfCounters&) = delete;
  PerfCounters& operator=(const PerfCounters&) = delete;

  // Sets all to zero and counts until stop().
  void start();
  void stop();

  // Of the last stretch: instructions, cycles, instructions_per_cycle, branches, branch_misses, cache_references, cache_misses, page_faults,
  // of which each is a number or null; and, if any is null, "unavailable": why, in a sentence.
  nlohmann::ordered_json report() const;

 private:
  struct Counter {
    const char* name;
    int fd;
    double value;
  };

  std::vector<Counter> counters_;
  std::string unavailable_;
};

}  // namespace cuzk
