#include "timing_text.h"

#include <algorithm>
#include <cstdio>

namespace cuzk {
namespace {

bool is_gpu(std::string_view backend) {
  return backend == "cuda";
}

std::string worker_text(int worker, std::span<const std::string> backends) {
  const std::string number = std::to_string(worker);
  const auto index = static_cast<std::size_t>(worker);
  if (index >= backends.size()) return " worker=" + number;
  if (is_gpu(backends[index])) return " gpu=" + number;
  return " worker=" + number + " backend=" + backends[index];
}

}  // namespace

std::vector<std::string> backend_names(std::span<const std::unique_ptr<Backend>> backends) {
  std::vector<std::string> names;
  for (const std::unique_ptr<Backend>& backend : backends) names.emplace_back(backend->name());
  return names;
}

std::string device_word(std::span<const std::string> backends) {
  if (std::ranges::all_of(backends, is_gpu)) return "gpu";
  const bool is_one = std::ranges::all_of(backends, [&](const std::string& b) { return b == backends[0]; });
  return is_one ? backends[0] : "prove";
}

std::string timing_line(const PhaseSpan& span, std::span<const std::string> backends) {
  std::string line = "CUZK_TIMING phase=" + span.phase;
  if (span.partition >= 0) line += " partition=" + std::to_string(span.partition);
  if (span.worker >= 0) line += worker_text(span.worker, backends);
  char ms[32];
  std::snprintf(ms, sizeof ms, " ms=%.1f", span.ms);
  return line + ms;
}

}  // namespace cuzk
