// Reads bincode 1.x as the reference writes it: fixed-width little-endian integers, lengths as u64, enum tags as
// u32, no length before arrays. Source: docs/formats/vanilla-proofs.md.
//
// The shape of a sector fixes every length, so each is compared with what it must be, and with the bytes that
// are left, before anything is allocated for it. The reference ignores bytes behind the object; they are refused
// here, because they mean that the file is not what it is taken for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "field/fr.h"
#include "vanilla/field_path.h"

namespace cuzk {

// Errors are invalid_argument and start with the path of the field: "sector 5, challenge 3,
// inclusion_proof.leaf: not below the field modulus".
class BincodeReader {
 public:
  // `bytes` must outlive the reader.
  explicit BincodeReader(std::span<const std::uint8_t> bytes) : bytes_(bytes), left_(bytes) {}

  FieldPath& path() noexcept { return path_; }
  std::size_t bytes_left() const noexcept { return left_.size(); }
  Status error(std::string_view message) const;

  Status read_u32(std::uint32_t& out);
  Status read_u64(std::uint64_t& out);
  // 0..last
  Status read_index(std::uint64_t last, std::uint64_t& out);
  // The length of a sequence: exactly `wanted` elements, each of at least `element_bytes`, so that what is left
  // can hold them.
  Status read_length(std::size_t wanted, std::size_t element_bytes);
  // 32 bytes, below the modulus.
  Status read_fr(Fr& out);
  // Nothing may follow.
  Status finish() const;

 private:
  Status take(std::size_t count, const std::uint8_t*& out);

  std::span<const std::uint8_t> bytes_;
  std::span<const std::uint8_t> left_;
  FieldPath path_;
};

// Reads one field under its name.
template <class Read>
Status read_field(BincodeReader& reader, std::string_view name, Read read) {
  const FieldPath::Scope scope(reader.path(), name);
  return read();
}

}  // namespace cuzk
