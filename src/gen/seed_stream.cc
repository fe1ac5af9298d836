#include "gen/seed_stream.h"

#include "hash/sha256.h"

namespace cuzk {

Bytes32 SeedStream::bytes(std::string_view label, std::uint64_t a, std::uint64_t b) const noexcept {
  return Sha256()
      .update("cuzk gen")
      .update_u64_le(seed_)
      .update_u64_le(a)
      .update_u64_le(b)
      .update(label)
      .digest();
}

Bytes32 SeedStream::node(std::string_view label, std::uint64_t a, std::uint64_t b) const noexcept {
  return truncate_254(bytes(label, a, b));
}

Fr SeedStream::fr(std::string_view label, std::uint64_t a, std::uint64_t b) const noexcept {
  return *Fr::from_bytes_le(node(label, a, b));
}

std::vector<Fr> SeedStream::frs(std::string_view label, std::size_t count) const {
  std::vector<Fr> values;
  values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) values.push_back(fr(label, i));
  return values;
}

}  // namespace cuzk
