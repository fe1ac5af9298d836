#include "server/exposition_test_support.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <regex>
#include <set>
#include <sstream>

namespace cuzk {
namespace {

using Labels = std::map<std::string, std::string>;

Status wrong(const std::string& what, const std::string& line) {
  return invalid_argument(what + ": " + line);
}

// Reads name="value" pairs up to the closing brace; `at` is behind the opening one.
Result<Labels> read_labels(const std::string& line, std::size_t& at) {
  static const std::regex pair_start(R"([a-zA-Z_][a-zA-Z0-9_]*=")");
  Labels labels;
  while (at < line.size() && line[at] != '}') {
    std::smatch match;
    const auto from = line.begin() + static_cast<std::ptrdiff_t>(at);
    if (!std::regex_search(from, line.end(), match, pair_start, std::regex_constants::match_continuous))
      return wrong("no label", line);
    const std::string name = match.str().substr(0, match.str().size() - 2);
    at += match.str().size();
    std::string value;
    for (; at < line.size() && line[at] != '"'; ++at) {
      if (line[at] == '\\') {
        const char next = ++at < line.size() ? line[at] : '\0';
        if (next != '\\' && next != '"' && next != 'n') return wrong("bad escape", line);
        value += next == 'n' ? '\n' : next;
      } else {
        value += line[at];
      }
    }
    if (at >= line.size()) return wrong("label without end", line);
    ++at;
    if (!labels.emplace(name, value).second) return wrong("label twice", line);
    if (at < line.size() && line[at] == ',' && line[at + 1] != '}') ++at;
  }
  if (at >= line.size()) return wrong("labels without end", line);
  ++at;
  return labels;
}

Result<double> read_number(const std::string& text) {
  if (text == "+Inf") return std::numeric_limits<double>::infinity();
  static const std::regex decimal(R"([-+]?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?)");
  if (!std::regex_match(text, decimal)) return wrong("no number", text);
  return std::strtod(text.c_str(), nullptr);
}

Result<Sample> read_sample(const std::string& line) {
  Sample sample;
  std::size_t at = line.find_first_of("{ ");
  if (at == std::string::npos) return wrong("no value", line);
  sample.name = line.substr(0, at);
  if (!std::regex_match(sample.name, std::regex("[a-zA-Z_:][a-zA-Z0-9_:]*"))) return wrong("bad name", line);
  if (line[at] == '{') {
    ++at;
    CUZK_ASSIGN(sample.labels, read_labels(line, at));
  }
  if (at >= line.size() || line[at] != ' ') return wrong("no space before the value", line);
  CUZK_ASSIGN(sample.value, read_number(line.substr(at + 1)));
  return sample;
}

std::string without_suffix(const std::string& name) {
  for (const char* suffix : {"_bucket", "_sum", "_count"})
    if (name.ends_with(suffix)) return name.substr(0, name.size() - std::string(suffix).size());
  return name;
}

struct Buckets {
  double last_bound = -std::numeric_limits<double>::infinity();
  double last_count = 0;
  double count = -1;
  bool has_sum = false;
};

Status check_histogram(const std::string& name, const MetricFamily& family) {
  std::map<Labels, Buckets> series;
  for (const Sample& sample : family.samples) {
    Labels labels = sample.labels;
    labels.erase("le");
    Buckets& buckets = series[labels];
    if (sample.name == name + "_sum") buckets.has_sum = true;
    if (sample.name == name + "_count") buckets.count = sample.value;
    if (sample.name != name + "_bucket") continue;
    if (!sample.labels.contains("le")) return wrong("bucket without le", name);
    CUZK_ASSIGN(const double bound, read_number(sample.labels.at("le")));
    if (bound <= buckets.last_bound) return wrong("le does not ascend", name);
    if (sample.value < buckets.last_count) return wrong("buckets are not cumulative", name);
    buckets.last_bound = bound;
    buckets.last_count = sample.value;
  }
  for (const auto& [labels, buckets] : series) {
    if (!std::isinf(buckets.last_bound)) return wrong("no +Inf bucket", name);
    if (buckets.count != buckets.last_count) return wrong("_count differs from the +Inf bucket", name);
    if (!buckets.has_sum) return wrong("no _sum", name);
  }
  return Status::ok();
}

Status check_family(const std::string& name, const MetricFamily& family) {
  if (family.help.empty() || family.type.empty()) return wrong("HELP or TYPE is missing", name);
  std::set<std::pair<std::string, Labels>> seen;
  for (const Sample& sample : family.samples) {
    if (!seen.emplace(sample.name, sample.labels).second) return wrong("sample twice", sample.name);
    const bool is_part =
        family.type == "histogram" && sample.name != name && without_suffix(sample.name) == name;
    if (sample.name != name && !is_part) return wrong("sample of another family", sample.name);
    if (family.type == "counter" && (sample.value < 0 || !name.ends_with("_total")))
      return wrong("bad counter", name);
  }
  return family.type == "histogram" ? check_histogram(name, family) : Status::ok();
}

}  // namespace

Result<std::map<std::string, MetricFamily>> read_exposition(const std::string& text) {
  if (text.empty() || text.back() != '\n') return invalid_argument("the text does not end in a line feed");
  std::map<std::string, MetricFamily> families;
  std::string current;
  std::istringstream lines(text);
  static const std::regex comment(R"(# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+))");
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, match, comment)) {
      const bool is_help = match[1] == "HELP";
      if (is_help && families.contains(match[2])) return wrong("family twice", line);
      if (!is_help && current != match[2]) return wrong("TYPE does not follow its HELP", line);
      current = match[2];
      (is_help ? families[current].help : families[current].type) = match[3];
      if (!is_help && !std::regex_match(match[3].str(), std::regex("counter|gauge|histogram")))
        return wrong("bad type", line);
      continue;
    }
    CUZK_ASSIGN(Sample sample, read_sample(line));
    if (current.empty()) return wrong("sample before any family", line);
    families[current].samples.push_back(std::move(sample));
  }
  for (const auto& [name, family] : families) CUZK_TRY(check_family(name, family));
  return families;
}

}  // namespace cuzk
