// Values of settings as people write them: sizes and times with a unit.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace cuzk {

// All are invalid_argument for anything else than a whole number and, where there are any, one of the units, without a space; also
// for what does not fit.
Result<std::uint64_t> parse_integer(std::string_view text);
// "100GiB": B, KiB, MiB, GiB, TiB, or kB, MB, GB, TB for powers of 1000; no unit: bytes.
Result<std::uint64_t> parse_size(std::string_view text);
// "90s": ms, s, m, h, d; no unit only for 0.
Result<std::chrono::milliseconds> parse_duration(std::string_view text);

// In the largest unit that gives a whole number.
std::string print_size(std::uint64_t bytes);
std::string print_duration(std::chrono::milliseconds time);

}  // namespace cuzk
