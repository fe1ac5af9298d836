// Wall-clock time of a phase, in milliseconds, from the steady clock.
#pragma once

#include <chrono>

namespace cuzk {

class Stopwatch {
 public:
  double elapsed_ms() const noexcept {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }
  void restart() noexcept { start_ = std::chrono::steady_clock::now(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace cuzk
