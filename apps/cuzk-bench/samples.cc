#include "samples.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cuzk {

double Samples::sum() const noexcept {
  return std::accumulate(values_.begin(), values_.end(), 0.0);
}

double Samples::percentile(double p) const noexcept {
  if (values_.empty()) return 0;
  std::vector<double> sorted = values_;
  std::sort(sorted.begin(), sorted.end());
  // The product first: 0.99 * 100 is not 99 in binary.
  const double rank = std::ceil(std::clamp(p, 0.0, 100.0) * static_cast<double>(sorted.size()) / 100.0);
  return sorted[rank < 1 ? 0 : static_cast<std::size_t>(rank) - 1];
}

nlohmann::ordered_json Samples::summary(const std::string& unit) const {
  return {{"runs", size()}, {"min_" + unit, min()}, {"median_" + unit, median()}, {"max_" + unit, max()}};
}

nlohmann::ordered_json Samples::percentiles(const std::string& unit) const {
  return {{"p50_" + unit, percentile(50)},
          {"p90_" + unit, percentile(90)},
          {"p99_" + unit, percentile(99)},
          {"min_" + unit, min()},
          {"max_" + unit, max()}};
}

}  // namespace cuzk
