// The exit codes of cuzk-daemon, stable for service managers and scripts: those of the offline tool, and what only a service has.
#pragma once

#include "exit_code.h"

namespace cuzk {

inline constexpr int kExitInUse = 4;  // an address or the journal cannot be used; another process may have it
inline constexpr int kExitNoDevice = 5;  // no device that can prove
inline constexpr int kExitCutOff = 130;  // a second signal ended the process before the work did

}  // namespace cuzk
