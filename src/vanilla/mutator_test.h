// Changes one value of an object that a visitor walks over (c1_visit_test.h, post_visit_test.h). For tests only.
#pragma once

#include <cstddef>
#include <string>

#include "base/bytes.h"
#include "field/fr.h"

namespace cuzk {

// Changes the byte at `position` of one value; returns false if the type cannot hold the change.
inline bool change_byte(Fr& value, std::size_t position) {
  auto bytes = value.to_bytes_le();
  bytes[position] ^= 1;
  const auto changed = Fr::from_bytes_le(bytes);
  if (changed) value = *changed;
  return changed.has_value();
}
inline bool change_byte(Bytes32& value, std::size_t position) {
  value[position] ^= 1;
  return true;
}
template <class Integer>
bool change_byte(Integer& value, std::size_t position) {
  value ^= 1;  // stays below any even bound: node numbers, indices
  return position == 0;
}

// Counts the values, or changes number `target` of them.
struct Mutator {
  std::size_t target = ~std::size_t{0};
  std::size_t position = 0;
  std::size_t seen = 0;
  bool changed = false;
  std::string owner = {};
  std::string name = {};

  template <class Value>
  void operator()(const std::string& value_owner, const std::string& value_name, Value& value) {
    if (seen++ != target) return;
    owner = value_owner;
    name = value_name;
    changed = change_byte(value, position);
  }
};

}  // namespace cuzk
