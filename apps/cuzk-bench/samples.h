// The times of one thing over all its runs, and what is said of them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/stopwatch.h"

namespace cuzk {

// Samples in any unit. All statistics of no samples are 0.
class Samples {
 public:
  Samples() = default;
  explicit Samples(std::vector<double> values) : values_(std::move(values)) {}

  void add(double value) { values_.push_back(value); }
  std::size_t size() const noexcept { return values_.size(); }
  double sum() const noexcept;
  double min() const noexcept { return percentile(0); }
  double max() const noexcept { return percentile(100); }
  double median() const noexcept { return percentile(50); }
  // The smallest sample that at least p percent of all are not above (nearest rank), 0 <= p <= 100; p = 0 is the minimum. The
  // median of an even number is so the lower of the middle two: always a time that was measured.
  double percentile(double p) const noexcept;

  // {"runs", "min_<unit>", "median_<unit>", "max_<unit>"}
  nlohmann::ordered_json summary(const std::string& unit = "ms") const;
  // {"p50_<unit>", "p90_<unit>", "p99_<unit>", "min_<unit>", "max_<unit>"}
  nlohmann::ordered_json percentiles(const std::string& unit = "ms") const;

 private:
  std::vector<double> values_;
};

// Calls `body` once to warm up and `runs` times for the record; the milliseconds of each by the wall clock.
template <class Body>
Samples time_runs(int runs, Body body) {
  Samples samples;
  body();
  for (int i = 0; i < runs; ++i) {
    const Stopwatch watch;
    body();
    samples.add(watch.elapsed_ms());
  }
  return samples;
}

}  // namespace cuzk
