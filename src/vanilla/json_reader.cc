#include "vanilla/json_reader.h"

#include <string>

namespace cuzk {

Status JsonReader::error(std::string_view message) const {
  const std::string where = path_.to_string();
  return invalid_argument(where.empty() ? std::string(message) : where + ": " + std::string(message));
}

Status JsonReader::malformed(simdjson::error_code code) const {
  return error(std::string("malformed JSON: ") + simdjson::error_message(code));
}

Status JsonReader::wrong_count(std::size_t min_count, std::size_t max_count, bool more,
                               std::size_t found) const {
  std::string wanted = std::to_string(max_count);
  if (min_count != max_count) wanted = std::to_string(min_count) + " to " + wanted;
  return error("expected " + wanted + " elements, found " + (more ? "more" : std::to_string(found)));
}

Status JsonReader::read_document(simdjson::padded_string_view text, std::initializer_list<JsonKey> keys) {
  if (text.empty()) return error("empty");
  simdjson::ondemand::document document;
  if (const auto code = parser_.iterate(text).get(document)) return malformed(code);
  simdjson::ondemand::object object;
  if (const auto code = document.get_object().get(object)) {
    return code == simdjson::INCORRECT_TYPE ? error("expected a JSON object") : malformed(code);
  }
  CUZK_TRY(read_fields(object, keys));
  const bool at_end = document.current_location().error() == simdjson::OUT_OF_BOUNDS;
  return at_end ? Status::ok() : error("malformed JSON: something follows the object");
}

Status JsonReader::read_object(JsonValue value, std::initializer_list<JsonKey> keys) {
  simdjson::ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return error("expected an object");
  return read_fields(object, keys);
}

Status JsonReader::read_fields(simdjson::ondemand::object object, std::initializer_list<JsonKey> keys) {
  std::uint32_t seen = 0;  // one bit per key
  for (auto element : object) {
    simdjson::ondemand::field field;
    if (const auto code = std::move(element).get(field)) return malformed(code);
    std::string_view name;
    if (const auto code = field.unescaped_key().get(name)) return malformed(code);
    std::uint32_t bit = 1;
    for (const JsonKey& key : keys) {
      if (key.name == name) {
        if ((seen & bit) != 0) return error("key \"" + std::string(key.name) + "\" occurs twice");
        seen |= bit;
        if (!key.in_path) {
          CUZK_TRY(key.read(field.value()));
        } else {
          const FieldPath::Scope scope(path_, key.name);
          CUZK_TRY(key.read(field.value()));
        }
        break;
      }
      bit <<= 1;
    }
  }
  std::uint32_t bit = 1;
  for (const JsonKey& key : keys) {
    if ((seen & bit) == 0) return error("key \"" + std::string(key.name) + "\" is missing");
    bit <<= 1;
  }
  return Status::ok();
}

Status JsonReader::read_u64(JsonValue value, std::uint64_t max, std::uint64_t& out) {
  if (value.get_uint64().get(out) != simdjson::SUCCESS) return error("expected an unsigned integer");
  if (out > max)
    return error(std::to_string(out) + " is more than the largest value, " + std::to_string(max));
  return Status::ok();
}

Status JsonReader::read_u32(JsonValue value, std::uint32_t max, std::uint32_t& out) {
  std::uint64_t wide = 0;
  CUZK_TRY(read_u64(value, max, wide));
  out = static_cast<std::uint32_t>(wide);
  return Status::ok();
}

Status JsonReader::read_bytes32(JsonValue value, Bytes32& out) {
  simdjson::ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) return error("expected an array of 32 bytes");
  std::size_t count = 0;
  for (auto item : array) {
    std::uint64_t byte = 0;
    if (item.get_uint64().get(byte) != simdjson::SUCCESS || byte > 255) {
      return error("byte " + std::to_string(count) + " is not an integer from 0 to 255");
    }
    if (count == out.size()) return error("expected 32 bytes, found more");
    out[count++] = static_cast<std::uint8_t>(byte);
  }
  if (count != out.size()) return error("expected 32 bytes, found " + std::to_string(count));
  return Status::ok();
}

Status JsonReader::read_fr(JsonValue value, Fr& out) {
  Bytes32 bytes;
  CUZK_TRY(read_bytes32(value, bytes));
  const std::optional<Fr> element = Fr::from_bytes_le(bytes);
  if (!element) return error("not below the field modulus");
  out = *element;
  return Status::ok();
}

Status JsonReader::read_string(JsonValue value, std::string_view& out) {
  if (value.get_string().get(out) != simdjson::SUCCESS) return error("expected a string");
  return Status::ok();
}

}  // namespace cuzk
