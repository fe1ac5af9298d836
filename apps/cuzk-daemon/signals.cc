#include "signals.h"

#include <csignal>
#include <ctime>

namespace cuzk {
namespace {

sigset_t handled_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

}  // namespace

void block_signals() {
  const sigset_t signals = handled_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

std::optional<int> wait_for_signal(std::chrono::milliseconds timeout) {
  const sigset_t signals = handled_signals();
  timespec time{};
  time.tv_sec = timeout.count() / 1000;
  time.tv_nsec = timeout.count() % 1000 * 1'000'000;
  const int signal = ::sigtimedwait(&signals, nullptr, &time);
  return signal > 0 ? std::optional(signal) : std::nullopt;
}

}  // namespace cuzk
