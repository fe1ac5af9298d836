// CUZK_CHECK: an invariant that only a bug can break. It is on in release builds and never reachable from
// input.
#pragma once

#include <string_view>

namespace cuzk {

// Prints file, line, condition and message to stderr, then aborts.
[[noreturn]] void check_failed(const char* file, int line, const char* condition,
                               std::string_view message) noexcept;

}  // namespace cuzk

#define CUZK_CHECK(condition, message)                               \
  do {                                                               \
    if (!(condition)) [[unlikely]]                                   \
      ::cuzk::check_failed(__FILE__, __LINE__, #condition, message); \
  } while (false)
