#include "timeline.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <map>
#include <set>

namespace cuzk {
namespace {

constexpr double kLeft = 190, kWidth = 1000, kRow = 18, kTop = 60;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // XML 1.0 has no other control characters.
        out += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return out;
}

[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...) {
  char text[256];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return text;
}

// Colours that differ for those who do not tell red from green (Okabe and Ito), and then their lighter tints.
const std::map<std::string, std::string>& known_colours() {
  static const std::map<std::string, std::string> kColours = {
      {"parse", "#999999"},    {"validate", "#bbbbbb"},  {"srs_load", "#cc79a7"}, {"synth", "#0072b2"},
      {"prep_msm", "#f7dd72"}, {"r1cs_eval", "#e69f00"}, {"ntt", "#d55e00"},      {"msm_h", "#009e73"},
      {"msm_l", "#56b4e9"},    {"msm_a", "#8fd0f5"},     {"msm_b_g1", "#66c5ab"}, {"msm_b_g2", "#7a4fa0"},
      {"assemble", "#444444"}, {"verify", "#f0e442"},    {"release", "#dddddd"},  {"overhead", "#ff0000"}};
  return kColours;
}

std::string colour_of(const std::string& phase) {
  const auto found = known_colours().find(phase);
  return found == known_colours().end() ? "#a6761d" : found->second;
}

// 1, 2 or 5 times a power of ten, for about ten marks.
double tick_ms(double total_ms) {
  const double rough = std::max(total_ms, 1e-3) / 10;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (step * power >= rough) return step * power;
  }
  return 10 * power;
}

class Picture {
 public:
  explicit Picture(const std::vector<TimelineJob>& jobs) {
    for (const TimelineJob& job : jobs) {
      for (const PhaseSpan& span : job.spans)
        end_ms_ = std::max(end_ms_, job.offset_ms + span.start_ms + span.ms);
    }
  }

  void job(const TimelineJob& job) {
    std::map<int, std::vector<const PhaseSpan*>> rows;
    for (const PhaseSpan& span : job.spans) rows[span.partition].push_back(&span);
    bool is_first = true;
    for (const auto& [partition, spans] : rows) {
      const std::string label = partition < 0 ? "whole job" : "partition " + std::to_string(partition);
      text(8, y_ + 13, is_first ? job.title : "", "start");
      text(kLeft - 6, y_ + 13, label, "end");
      for (const PhaseSpan* span : spans) bar(*span, job.offset_ms + span->start_ms);
      is_first = false;
      y_ += kRow;
    }
    y_ += 6;
  }

  std::string document() {
    const double height = y_ + 20;
    std::string svg = formatted(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
        "font-family=\"sans-serif\" font-size=\"11\">\n",
        kLeft + kWidth + 20, height, kLeft + kWidth + 20, height);
    svg += "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n" + axis() + legend() + body_ + "</svg>\n";
    return svg;
  }

 private:
  double x(double ms) const { return kLeft + (end_ms_ > 0 ? ms / end_ms_ * kWidth : 0); }

  void text(double at_x, double at_y, const std::string& words, const char* anchor) {
    if (words.empty()) return;
    body_ += formatted("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", at_x, at_y, anchor) +
             escaped(words) + "</text>\n";
  }

  void bar(const PhaseSpan& span, double start_ms) {
    phases_.insert(span.phase);
    body_ += formatted("<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.0f\" fill=\"", x(start_ms),
                       y_ + 2, x(start_ms + span.ms) - x(start_ms), kRow - 4) +
             colour_of(span.phase) + "\"><title>" + escaped(span.phase) +
             formatted(": %.1f ms from %.1f ms", span.ms, start_ms) +
             (span.worker >= 0 ? ", worker " + std::to_string(span.worker) : "") + "</title></rect>\n";
  }

  std::string axis() const {
    std::string svg;
    const double step = tick_ms(end_ms_);
    const int marks = end_ms_ > 0 ? static_cast<int>(end_ms_ / step + 1e-9) : 0;
    for (int i = 0; i <= marks; ++i) {
      const double at = x(i * step);
      svg += formatted("<line x1=\"%.1f\" y1=\"%.0f\" x2=\"%.1f\" y2=\"%.0f\" stroke=\"#dddddd\"/>\n", at,
                       kTop - 6, at, y_);
      svg += step < 1000 ? formatted("<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%g ms</text>\n", at,
                                     kTop - 10, i * step)
                         : formatted("<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%g s</text>\n", at,
                                     kTop - 10, i * step / 1000);
    }
    return svg;
  }

  std::string legend() const {
    std::string svg;
    double at = 8;
    if (phases_.empty()) return "<text x=\"8\" y=\"20\">No phase of any job is known.</text>\n";
    for (const std::string& phase : phases_) {
      svg += formatted("<rect x=\"%.0f\" y=\"10\" width=\"12\" height=\"12\" fill=\"", at) +
             colour_of(phase) + "\"/>" + formatted("<text x=\"%.0f\" y=\"20\">", at + 16) + escaped(phase) +
             "</text>\n";
      at += 30 + 7 * static_cast<double>(phase.size());
    }
    return svg;
  }

  double end_ms_ = 0;
  double y_ = kTop;
  std::string body_;
  std::set<std::string> phases_;
};

}  // namespace

std::string timeline_svg(const std::vector<TimelineJob>& jobs) {
  Picture picture(jobs);
  for (const TimelineJob& job : jobs) picture.job(job);
  return picture.document();
}

}  // namespace cuzk
