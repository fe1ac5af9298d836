// MetricWriter: the grammar of the Prometheus text format 0.0.4, apart from what is measured.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/metrics.h"

namespace cuzk {

// Families are written one after the other: family(), then its samples.
class MetricWriter {
 public:
  using Labels = std::vector<std::pair<std::string_view, std::string>>;

  // `type` is counter, gauge or histogram.
  void family(std::string_view name, std::string_view type, std::string_view help);
  void sample(const Labels& labels, double value);
  void sample(const Labels& labels, std::uint64_t value);
  // _bucket with le, _sum and _count.
  void histogram(const Labels& labels, const Histogram& histogram);

  std::string take() { return std::move(text_); }

 private:
  void line(std::string_view suffix, const Labels& labels, std::string_view value);

  std::string name_;
  std::string text_;
};

}  // namespace cuzk
