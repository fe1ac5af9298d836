#include "engine/job_id.h"

#include <span>

#include "base/bytes.h"
#include "groth16/blinding.h"

namespace cuzk {

Result<std::string> random_job_id() {
  CUZK_ASSIGN(const Fr random, random_fr());
  auto bytes = random.to_bytes_le();
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3f) | 0x80);
  const std::string hex = to_hex(std::span(bytes).first(16));
  return hex.substr(0, 8) + '-' + hex.substr(8, 4) + '-' + hex.substr(12, 4) + '-' + hex.substr(16, 4) + '-' +
         hex.substr(20, 12);
}

}  // namespace cuzk
