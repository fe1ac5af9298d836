// The signals of the process, taken one at a time by whoever waits for them instead of by handlers.
#pragma once

#include <chrono>
#include <optional>

namespace cuzk {

// Blocks SIGTERM, SIGINT and SIGHUP for this thread and all that it starts, and ignores SIGPIPE. Call first thing in main.
void block_signals();
// The next of them, or nothing when the time is up.
std::optional<int> wait_for_signal(std::chrono::milliseconds timeout);

}  // namespace cuzk
