#include "vanilla/bincode_reader.h"

#include "base/bytes.h"

namespace cuzk {

Status BincodeReader::error(std::string_view message) const {
  const std::string where = path_.to_string();
  return invalid_argument(where.empty() ? std::string(message) : where + ": " + std::string(message));
}

Status BincodeReader::take(std::size_t count, const std::uint8_t*& out) {
  if (left_.size() < count) {
    return error("expected " + std::to_string(count) + " bytes at offset " +
                 std::to_string(bytes_.size() - left_.size()) + ", found " + std::to_string(left_.size()));
  }
  out = left_.data();
  left_ = left_.subspan(count);
  return Status::ok();
}

Status BincodeReader::read_u32(std::uint32_t& out) {
  const std::uint8_t* bytes = nullptr;
  CUZK_TRY(take(sizeof(out), bytes));
  out = load_le<std::uint32_t>(bytes);
  return Status::ok();
}

Status BincodeReader::read_u64(std::uint64_t& out) {
  const std::uint8_t* bytes = nullptr;
  CUZK_TRY(take(sizeof(out), bytes));
  out = load_le<std::uint64_t>(bytes);
  return Status::ok();
}

Status BincodeReader::read_index(std::uint64_t last, std::uint64_t& out) {
  CUZK_TRY(read_u64(out));
  if (out <= last) return Status::ok();
  return error(std::to_string(out) + " is more than the largest value, " + std::to_string(last));
}

Status BincodeReader::read_length(std::size_t wanted, std::size_t element_bytes) {
  std::uint64_t found = 0;
  CUZK_TRY(read_u64(found));
  if (found != wanted)
    return error("expected " + std::to_string(wanted) + " elements, found " + std::to_string(found));
  if (left_.size() / element_bytes < wanted) {
    return error("expected " + std::to_string(wanted) + " elements of " + std::to_string(element_bytes) +
                 " bytes or more, found " + std::to_string(left_.size()) + " bytes");
  }
  return Status::ok();
}

Status BincodeReader::read_fr(Fr& out) {
  const std::uint8_t* bytes = nullptr;
  CUZK_TRY(take(Fr::kBytes, bytes));
  const auto value = Fr::from_bytes_le(std::span<const std::uint8_t, Fr::kBytes>(bytes, Fr::kBytes));
  if (!value) return error("not below the field modulus");
  out = *value;
  return Status::ok();
}

Status BincodeReader::finish() const {
  if (left_.empty()) return Status::ok();
  return error("expected the end at offset " + std::to_string(bytes_.size() - left_.size()) + ", found " +
               std::to_string(left_.size()) + " bytes more");
}

}  // namespace cuzk
