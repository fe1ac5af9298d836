#include "engine/metrics.h"

namespace cuzk {

void Histogram::observe(double seconds) noexcept {
  for (std::size_t i = 0; i < kBucketSeconds.size(); ++i) {
    if (seconds <= kBucketSeconds[i]) ++counts[i];
  }
  ++count;
  sum_seconds += seconds;
}

void Metrics::phase(const std::string& phase, ProofKind kind, double ms) {
  const std::lock_guard lock(mutex_);
  data_.phases[{phase, kind}].observe(ms / 1000);
}

void Metrics::completed(ProofKind kind, double queue_ms, double total_ms) {
  const std::lock_guard lock(mutex_);
  data_.total[kind].observe(total_ms / 1000);
  data_.queue_wait[kind].observe(queue_ms / 1000);
}

void Metrics::failed(ProofKind kind, const std::string& error_class) {
  const std::lock_guard lock(mutex_);
  ++data_.failed[{kind, error_class}];
}

void Metrics::refused(ProofKind kind, const std::string& error_class) {
  const std::lock_guard lock(mutex_);
  ++data_.refused[{kind, error_class}];
}

MetricsSnapshot Metrics::snapshot() const {
  const std::lock_guard lock(mutex_);
  return data_;
}

}  // namespace cuzk
