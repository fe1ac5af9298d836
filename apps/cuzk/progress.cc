#include "progress.h"

#include <unistd.h>

#include <cstdio>

namespace cuzk {
namespace {

constexpr auto kShowAfter = std::chrono::seconds(2);
constexpr auto kRedrawEvery = std::chrono::milliseconds(100);
constexpr auto kPlainLineEvery = std::chrono::seconds(10);
constexpr int kBarWidth = 30;

double seconds_between(std::chrono::steady_clock::time_point begin,
                       std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

Progress::Progress(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  finish();
}

void Progress::update(const std::string& phase, std::size_t done, std::size_t total) {
  if (quiet_) return;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (phase != phase_) {
    end_phase(now);
    phase_ = phase;
    phase_start_ = last_draw_ = now;
  }
  if (now - phase_start_ < kShowAfter) return;
  if (now - last_draw_ < (terminal_ ? Clock::duration(kRedrawEvery) : Clock::duration(kPlainLineEvery)))
    return;
  draw(total == 0 ? 0.0 : static_cast<double>(done) / static_cast<double>(total), now);
}

void Progress::finish() {
  const std::lock_guard lock(mutex_);
  end_phase(Clock::now());
}

void Progress::draw(double fraction, Clock::time_point now) {
  last_draw_ = now;
  drawn_ = true;
  const double elapsed = seconds_between(phase_start_, now);
  if (!terminal_) {
    std::fprintf(stderr, "%s: %.0f %% after %.0f s\n", phase_.c_str(), 100 * fraction, elapsed);
    return;
  }
  std::string bar;
  for (int i = 0; i < kBarWidth; ++i) bar += i < fraction * kBarWidth ? '#' : '.';
  const double left = fraction > 0.01 ? elapsed * (1 - fraction) / fraction : 0;
  std::fprintf(stderr, "\r\033[K%-22s [%s] %3.0f %%  %.0f s, about %.0f s left", phase_.c_str(), bar.c_str(),
               100 * fraction, elapsed, left);
  std::fflush(stderr);
}

void Progress::end_phase(Clock::time_point now) {
  if (drawn_) {
    std::fprintf(stderr, "%s%s: done in %.1f s\n", terminal_ ? "\r\033[K" : "", phase_.c_str(),
                 seconds_between(phase_start_, now));
  }
  drawn_ = false;
  phase_.clear();
}

}  // namespace cuzk
