// The source of everything arbitrary in a generated sector. Each value is a function of a 64-bit seed, a
// label and two numbers, so that values do not depend on the order in which, or the thread on which, they are
// drawn:
//   value = SHA-256("cuzk gen" | le64(seed) | le64(a) | le64(b) | label)
// It is no secret and no randomness: equal seeds give equal sectors, on every machine.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "field/fr.h"

namespace cuzk {

class SeedStream {
 public:
  explicit SeedStream(std::uint64_t seed) noexcept : seed_(seed) {}

  // Any 32 bytes.
  Bytes32 bytes(std::string_view label, std::uint64_t a = 0, std::uint64_t b = 0) const noexcept;
  // 32 bytes that are a field element: below 2^254.
  Bytes32 node(std::string_view label, std::uint64_t a = 0, std::uint64_t b = 0) const noexcept;
  Fr fr(std::string_view label, std::uint64_t a = 0, std::uint64_t b = 0) const noexcept;
  // fr(label, i) for i = 0..count-1.
  std::vector<Fr> frs(std::string_view label, std::size_t count) const;

 private:
  std::uint64_t seed_;
};

}  // namespace cuzk
