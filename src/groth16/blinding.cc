#include "groth16/blinding.h"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>

namespace cuzk {
namespace {

Status fill_random(std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      return internal_error(std::string("getrandom: ") + std::strerror(errno));
    }
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return Status::ok();
}

}  // namespace

// Rejection of what is not below the modulus: about 2^255 / r = 1.1 draws.
Result<Fr> random_fr() {
  for (;;) {
    std::array<std::uint8_t, Fr::kBytes> bytes;
    CUZK_TRY(fill_random(bytes));
    bytes[31] &= 0x7f;
    if (const std::optional<Fr> value = Fr::from_bytes_le(bytes)) return *value;
  }
}

Result<Blinding> Blinding::random() {
  CUZK_ASSIGN(const Fr r, random_fr());
  CUZK_ASSIGN(const Fr s, random_fr());
  return Blinding{r, s};
}

}  // namespace cuzk
