// The exit codes of `cuzk`, stable for scripts.
#pragma once

#include "base/status.h"

namespace cuzk {

inline constexpr int kExitSuccess = 0;
inline constexpr int kExitFailure = 1;     // verification said no, or a fault of the program or the machine
inline constexpr int kExitBadInput = 2;    // wrong flags or a wrong input file; nothing was written
inline constexpr int kExitParameters = 3;  // a parameter file is missing, damaged or of another circuit

constexpr int exit_code_of(StatusCode code) noexcept {
  switch (code) {
    case StatusCode::ok:
      return kExitSuccess;
    case StatusCode::invalid_argument:
    case StatusCode::not_found:
    case StatusCode::already_exists:
    case StatusCode::not_satisfied:
      return kExitBadInput;
    case StatusCode::unavailable:
      return kExitParameters;
    default:
      return kExitFailure;
  }
}

}  // namespace cuzk
