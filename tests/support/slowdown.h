// How much slower everything is in this build than in a usual one: limits of time in tests are multiplied by it.
#pragma once

namespace cuzk {

#if defined(__SANITIZE_THREAD__)
inline constexpr int kSlowdown = 20;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr int kSlowdown = 5;
#else
inline constexpr int kSlowdown = 1;
#endif

}  // namespace cuzk
