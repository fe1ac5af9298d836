#include "interrupt.h"

#include <unistd.h>

#include <csignal>

namespace cuzk {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

extern "C" void on_interrupt(int) {
  if (g_interrupted != 0) ::_exit(kExitInterrupted);
  g_interrupted = 1;
}

Status check_interrupt() {
  return interrupted() ? Status(StatusCode::cancelled, "interrupted; nothing was left behind") : Status::ok();
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() noexcept {
  return g_interrupted != 0;
}

Status InterruptibleSink::begin(const VerifyingKey& vk, const SrsCounts& counts) {
  CUZK_TRY(check_interrupt());
  return sink_.begin(vk, counts);
}

Status InterruptibleSink::append(Query query, std::span<const std::uint8_t> encoded) {
  CUZK_TRY(check_interrupt());
  return sink_.append(query, encoded);
}

Status InterruptibleSink::finish() {
  CUZK_TRY(check_interrupt());
  return sink_.finish();
}

}  // namespace cuzk
