#include "cuda/runtime/memory_text.h"

#include <cstdio>

namespace cuzk::cuda {

std::string readable_bytes(std::uint64_t bytes) {
  char text[40];
  if (bytes >= 1'000'000'000) {
    std::snprintf(text, sizeof text, "%.2f GB", static_cast<double>(bytes) * 1e-9);
  } else if (bytes >= 1'000'000) {
    std::snprintf(text, sizeof text, "%.2f MB", static_cast<double>(bytes) * 1e-6);
  } else {
    std::snprintf(text, sizeof text, "%llu bytes", static_cast<unsigned long long>(bytes));
  }
  return text;
}

std::string shortage_text(std::uint64_t needed, std::uint64_t free, std::uint64_t total,
                          const std::string& gpu) {
  // An allocation that the driver makes for itself, for code or stacks, does not say its size.
  const std::string needs = needed == 0 ? "the driver needs more" : "needs " + readable_bytes(needed);
  return needs + ", " + readable_bytes(free) + " free of " + readable_bytes(total) + " on " + gpu;
}

}  // namespace cuzk::cuda
