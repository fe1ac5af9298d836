// What the tests of generated proofs share. For tests only.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vanilla/registered_proof.h"
#include "vanilla/sector_shape.h"

namespace cuzk {

inline const SectorShape& shape_named(std::string_view name) {
  return *find_sector_shape(name).value();
}

inline SealProof seal_named(std::string_view name) {
  return seal_proof_from_name(name).value();
}

// A file of tests/data; the test fails if it is not there.
inline std::string read_test_data(const std::string& name) {
  std::ifstream file(std::string(CUZK_TEST_DATA) + "/" + name, std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// The findings of a validator as text, so that a failing test shows them.
template <class Finding>
std::string findings_text(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += finding.to_string() + "\n";
  return text;
}

}  // namespace cuzk
