// Counts of what the engine has done since it started. Recording takes no lock that a reader could hold for long.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "vanilla/registered_proofs.h"

namespace cuzk {

// Cumulative as Prometheus has it: counts[i] observations were at most kBucketSeconds[i].
struct Histogram {
  static constexpr std::array<double, 17> kBucketSeconds = {
      0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 300, 1800};
  std::array<std::uint64_t, kBucketSeconds.size()> counts{};
  std::uint64_t count = 0;
  double sum_seconds = 0;

  void observe(double seconds) noexcept;
};

struct MetricsSnapshot {
  // (phase, kind) -> how long one stretch of it took
  std::map<std::pair<std::string, ProofKind>, Histogram> phases;
  // kind -> acceptance to completion, and acceptance to the first stage
  std::map<ProofKind, Histogram> total, queue_wait;
  // (kind, error class) -> failed jobs; refusals at submit have kind and class too
  std::map<std::pair<ProofKind, std::string>, std::uint64_t> failed, refused;
};

class Metrics {
 public:
  void phase(const std::string& phase, ProofKind kind, double ms);
  void completed(ProofKind kind, double queue_ms, double total_ms);
  void failed(ProofKind kind, const std::string& error_class);
  void refused(ProofKind kind, const std::string& error_class);
  MetricsSnapshot snapshot() const;

 private:
  mutable std::mutex mutex_;
  MetricsSnapshot data_;
};

}  // namespace cuzk
