// The C1 objects of tests/data, and C1 text taken apart and put together again. For tests only.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vanilla/c1.h"

namespace cuzk {

struct C1Sample {
  const char* file;   // in tests/data
  const char* meta;   // file with prover id and commitments, or null
  const char* proof;  // file with the public inputs of the reference, or null
};
// Every variant and tree shape; the order is stable.
std::span<const C1Sample> c1_samples();

std::string test_data_path(const std::string& name);
// The whole file; the test fails if it is not there.
std::string read_test_data(const std::string& name);
nlohmann::json read_test_json(const std::string& name);
C1 read_test_c1(const std::string& name);

inline std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
std::string encode_base64(std::string_view bytes);

// The wrapper and the decoded inner object, to be changed and joined again.
struct C1Text {
  nlohmann::ordered_json wrapper;
  nlohmann::ordered_json inner;

  static C1Text load(const std::string& name);
  std::string join() const;
  // The proof of one challenge.
  nlohmann::ordered_json& proof(std::size_t partition, std::size_t challenge);
};

}  // namespace cuzk
