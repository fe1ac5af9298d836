#include "vanilla/c1_test_data.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <sstream>

#include "vanilla/base64.h"

namespace cuzk {

std::span<const C1Sample> c1_samples() {
  static constexpr std::array<C1Sample, 10> kSamples = {{
      {"porep-2k-c1.json", nullptr, nullptr},
      {"c1-2KiB-v1-4.json", "c1-2KiB-v1-4.meta.json", "c1-2KiB-v1-4.proof.json"},
      {"c1-2KiB-v1_1-1.json", "c1-2KiB-v1_1-1.meta.json", "c1-2KiB-v1_1-1.proof.json"},
      {"c1-2KiB-v1_1-2.json", "c1-2KiB-v1_1-2.meta.json", "c1-2KiB-v1_1-2.proof.json"},
      {"c1-2KiB-synthetic-4.json", "c1-2KiB-synthetic-4.meta.json", "c1-2KiB-synthetic-4.proof.json"},
      {"c1-2KiB-ni-4.json", "c1-2KiB-ni-4.meta.json", nullptr},
      {"c1-4KiB-v1_1-1.json", "c1-4KiB-v1_1-1.meta.json", nullptr},
      {"c1-16KiB-v1_1-1.json", "c1-16KiB-v1_1-1.meta.json", nullptr},
      {"c1-32KiB-v1_1-1.json", "c1-32KiB-v1_1-1.meta.json", "c1-32KiB-v1_1-1.proof.json"},
      {"c1-8MiB-v1_1-1.json", "c1-8MiB-v1_1-1.meta.json", nullptr},
  }};
  return kSamples;
}

std::string test_data_path(const std::string& name) {
  return std::string(CUZK_TEST_DATA) + "/" + name;
}

std::string read_test_data(const std::string& name) {
  std::ifstream file(test_data_path(name), std::ios::binary);
  EXPECT_TRUE(file.is_open()) << name;
  std::ostringstream content;
  content << file.rdbuf();
  return std::move(content).str();
}

nlohmann::json read_test_json(const std::string& name) {
  return nlohmann::json::parse(read_test_data(name));
}

C1 read_test_c1(const std::string& name) {
  Result<C1> c1 = read_c1_file(test_data_path(name));
  CUZK_CHECK(c1.is_ok(), c1.status().message());
  return std::move(c1).value();
}

std::string encode_base64(std::string_view bytes) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = (group << 8) | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    }
    for (unsigned i = 0; i < 4; ++i) {
      out += at + i > bytes.size() ? '=' : kAlphabet[(group >> (18 - 6 * i)) & 63];
    }
  }
  return out;
}

C1Text C1Text::load(const std::string& name) {
  C1Text text;
  text.wrapper = nlohmann::ordered_json::parse(read_test_data(name));
  const auto inner = decode_base64(text.wrapper["Phase1Out"].get<std::string>());
  text.inner = nlohmann::ordered_json::parse(inner.value());
  return text;
}

std::string C1Text::join() const {
  nlohmann::ordered_json out = wrapper;
  out["Phase1Out"] = encode_base64(inner.dump());
  return out.dump();
}

nlohmann::ordered_json& C1Text::proof(std::size_t partition, std::size_t challenge) {
  return inner["vanilla_proofs"].begin().value()[partition][challenge];
}

}  // namespace cuzk
