#include "server/metric_writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "server/text.h"

namespace cuzk {
namespace {

// Shortest text that reads back as the same number.
std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  std::array<char, 32> digits;
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), result.ptr};
}

// A backslash and a line feed are escaped everywhere, a quote in label values only.
std::string escaped(std::string_view text, bool is_label) {
  std::string out;
  for (const char c : clean_utf8(text)) {
    if (c == '\\' || (is_label && c == '"')) out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out;
}

}  // namespace

void MetricWriter::family(std::string_view name, std::string_view type, std::string_view help) {
  name_ = name;
  text_.append("# HELP ").append(name).append(" ").append(escaped(help, false)).append("\n");
  text_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void MetricWriter::line(std::string_view suffix, const Labels& labels, std::string_view value) {
  text_.append(name_).append(suffix);
  char separator = '{';
  for (const auto& [name, label] : labels) {
    text_.append(1, separator).append(name).append("=\"").append(escaped(label, true)).append("\"");
    separator = ',';
  }
  if (!labels.empty()) text_ += '}';
  text_.append(" ").append(value).append("\n");
}

void MetricWriter::sample(const Labels& labels, double value) {
  line("", labels, number(value));
}

void MetricWriter::sample(const Labels& labels, std::uint64_t value) {
  line("", labels, std::to_string(value));
}

void MetricWriter::histogram(const Labels& labels, const Histogram& histogram) {
  Labels with_bound = labels;
  with_bound.emplace_back("le", "");
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    with_bound.back().second = number(Histogram::kBucketSeconds[i]);
    line("_bucket", with_bound, std::to_string(histogram.counts[i]));
  }
  with_bound.back().second = "+Inf";
  line("_bucket", with_bound, std::to_string(histogram.count));
  line("_sum", labels, number(histogram.sum_seconds));
  line("_count", labels, std::to_string(histogram.count));
}

}  // namespace cuzk
