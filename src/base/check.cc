#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace cuzk {

void check_failed(const char* file, int line, const char* condition, std::string_view message) noexcept {
  std::fprintf(stderr, "%s:%d: check failed: %s: %.*s\n", file, line, condition,
               static_cast<int>(message.size()), message.data());
  std::abort();
}

}  // namespace cuzk
