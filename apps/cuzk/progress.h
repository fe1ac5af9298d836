// Progress of the long phases (set-up, loading parameters, proving) for a person: a bar on a terminal that appears when a
// phase has taken two seconds, and plain lines elsewhere.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace cuzk {

// "proving [######........]  42 %  12 s, about 17 s left", shorter than `columns`, which is not 0; what is least needed is left out.
// `fraction`: 0 to 1.
std::string progress_line(const std::string& phase, double fraction, double elapsed_s, std::size_t columns);

class Progress {
 public:
  // `quiet` shows nothing. All output goes to stderr.
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `done` of `total` units of the named phase are finished; a new name starts a new phase. Any thread.
  void update(const std::string& phase, std::size_t done, std::size_t total);
  // Ends the phase shown, if any.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void draw(double fraction, Clock::time_point now);
  void end_phase(Clock::time_point now);

  std::mutex mutex_;
  const bool quiet_;
  const bool terminal_;
  std::string phase_;
  Clock::time_point phase_start_;
  Clock::time_point last_draw_;
  bool drawn_ = false;
};

}  // namespace cuzk
