// Square and multiply over any ring of this folder.
#pragma once

#include <cstdint>
#include <span>

namespace cuzk {

// base^exponent, exponent a little-endian integer of any length; one for an empty or zero exponent.
template <typename Field>
Field binary_pow(const Field& base, std::span<const std::uint64_t> exponent) noexcept {
  Field result = Field::one();
  bool started = false;
  for (std::size_t i = exponent.size(); i-- > 0;) {
    for (int bit = 63; bit >= 0; --bit) {
      if (started) result = result.squared();
      if ((exponent[i] >> bit) & 1) {
        result *= base;
        started = true;
      }
    }
  }
  return result;
}

}  // namespace cuzk
