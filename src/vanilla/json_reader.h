// Typed reading of JSON over simdjson's on-demand parser: objects by a table of keys in any order, arrays by
// a fixed count, byte strings as arrays of numbers. Every failure is invalid_argument and says where. No DOM
// is built; nothing recurses over the input, so its nesting cannot exhaust the stack.
#pragma once

#include <simdjson.h>

#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/bytes.h"
#include "base/status.h"
#include "field/fr.h"
#include "vanilla/field_path.h"

namespace cuzk {

using JsonValue = simdjson::ondemand::value;

// A reference to something callable with (JsonValue), valid while that something lives.
class JsonHandler {
 public:
  template <class Callable>
  requires(!std::is_same_v<std::remove_cvref_t<Callable>, JsonHandler>)
      JsonHandler(Callable&& callable)  // NOLINT: meant to convert
      : object_(&callable), call_([](const void* object, JsonValue value) -> Status {
          return (*static_cast<const std::remove_reference_t<Callable>*>(object))(value);
        }) {}
  Status operator()(JsonValue value) const { return call_(object_, value); }

 private:
  const void* object_;
  Status (*call_)(const void*, JsonValue);
};

struct JsonKey {
  std::string_view name;  // a literal
  JsonHandler read;
  bool in_path = true;  // whether errors below it name it
};

class JsonReader {
 public:
  FieldPath& path() noexcept { return path_; }
  // invalid_argument with the present path before `message`.
  Status error(std::string_view message) const;

  // read_object of a whole text, after which only white space may follow. The text must be followed by
  // simdjson::SIMDJSON_PADDING readable bytes.
  Status read_document(simdjson::padded_string_view text, std::initializer_list<JsonKey> keys);

  // Every key exactly once, in any order; others are skipped.
  Status read_object(JsonValue value, std::initializer_list<JsonKey> keys);
  // An object with exactly one key, given to read(name, value); the name is valid during the call.
  template <class Read>
  Status read_single_key(JsonValue value, Read read);
  // An array of `min_count` to `max_count` elements: read(index, element).
  template <class Read>
  Status read_array(JsonValue value, std::size_t min_count, std::size_t max_count, Read read);

  Status read_u64(JsonValue value, std::uint64_t max, std::uint64_t& out);
  Status read_u32(JsonValue value, std::uint32_t max, std::uint32_t& out);
  // An array of 32 numbers 0..255.
  Status read_bytes32(JsonValue value, Bytes32& out);
  // The same, as a little-endian integer below the field modulus.
  Status read_fr(JsonValue value, Fr& out);
  Status read_string(JsonValue value, std::string_view& out);

 private:
  Status read_fields(simdjson::ondemand::object object, std::initializer_list<JsonKey> keys);
  Status malformed(simdjson::error_code code) const;
  Status wrong_count(std::size_t min_count, std::size_t max_count, bool more, std::size_t found) const;

  FieldPath path_;
  simdjson::ondemand::parser parser_;
};

template <class Read>
Status JsonReader::read_single_key(JsonValue value, Read read) {
  simdjson::ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return error("expected an object with one key");
  std::size_t count = 0;
  for (auto element : object) {
    simdjson::ondemand::field field;
    if (const auto code = std::move(element).get(field)) return malformed(code);
    if (++count > 1) return error("expected one key, found more");
    std::string_view name;
    if (const auto code = field.unescaped_key().get(name)) return malformed(code);
    CUZK_TRY(read(name, field.value()));
  }
  return count == 1 ? Status::ok() : error("expected one key, found none");
}

template <class Read>
Status JsonReader::read_array(JsonValue value, std::size_t min_count, std::size_t max_count, Read read) {
  simdjson::ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) return error("expected an array");
  std::size_t count = 0;
  for (auto item : array) {
    JsonValue element;
    if (const auto code = std::move(item).get(element)) return malformed(code);
    if (count == max_count) return wrong_count(min_count, max_count, true, count);
    CUZK_TRY(read(count, element));
    ++count;
  }
  return count >= min_count ? Status::ok() : wrong_count(min_count, max_count, false, count);
}

}  // namespace cuzk
