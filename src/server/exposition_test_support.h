// A strict reader of the Prometheus text format 0.0.4, after https://prometheus.io/docs/instrumenting/exposition_formats/. It refuses
// what a lenient scraper might let pass.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/status.h"

namespace cuzk {

struct Sample {
  std::string name;
  std::map<std::string, std::string> labels;
  double value = 0;
};

struct MetricFamily {
  std::string type;
  std::string help;
  std::vector<Sample> samples;
};

// By name. invalid_argument, with the line, for: a line that does not follow the grammar; HELP or TYPE missing, twice, or not directly
// before the samples; a sample of another family; the same labels twice; a counter whose name does not end in _total, or below zero; a
// histogram whose buckets do not ascend, lack +Inf, or differ from _count.
Result<std::map<std::string, MetricFamily>> read_exposition(const std::string& text);

}  // namespace cuzk
