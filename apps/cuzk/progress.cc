#include "progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace cuzk {
namespace {

constexpr auto kShowAfter = std::chrono::seconds(2);
constexpr auto kRedrawEvery = std::chrono::milliseconds(100);
constexpr auto kPlainLineEvery = std::chrono::seconds(10);
constexpr std::size_t kBarWidth = 30, kShortestBar = 5;

double seconds_between(std::chrono::steady_clock::time_point begin,
                       std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

// Of standard error; 80 where the terminal does not say.
std::size_t terminal_columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string progress_line(const std::string& phase, double fraction, double elapsed_s, std::size_t columns) {
  char text[64];
  std::snprintf(text, sizeof text, " %3.0f %%  %.0f s", 100 * fraction, elapsed_s);
  std::string line = phase + text;
  const double left_s = fraction > 0.01 ? elapsed_s * (1 - fraction) / fraction : 0;
  std::snprintf(text, sizeof text, ", about %.0f s left", left_s);
  if (line.size() + std::strlen(text) < columns) line += text;
  // The last column stays free: some terminals begin a new line there.
  constexpr std::size_t kBrackets = 4;
  const std::size_t taken = line.size() + kBrackets;
  const std::size_t width = columns > taken ? std::min(columns - taken, kBarWidth) : 0;
  if (width < kShortestBar) return line.substr(0, columns - 1);
  const auto full = static_cast<std::size_t>(std::lround(fraction * static_cast<double>(width)));
  return line.insert(phase.size(), " [" + std::string(full, '#') + std::string(width - full, '.') + "]");
}

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
  std::fprintf(stderr, "\r\033[K%s", progress_line(phase_, fraction, elapsed, terminal_columns()).c_str());
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
