#include "vanilla/base64.h"

#include <gtest/gtest.h>

#include <random>

#include "vanilla/c1_test_data.h"

namespace cuzk {
namespace {

std::string decoded(std::string_view text) {
  const auto bytes = decode_base64(text);
  EXPECT_TRUE(bytes.is_ok()) << text << ": " << bytes.status().message();
  return bytes.is_ok() ? std::string(bytes.value().begin(), bytes.value().end()) : "";
}

TEST(Base64, Rfc4648) {
  EXPECT_EQ(decoded(""), "");
  EXPECT_EQ(decoded("Zg=="), "f");
  EXPECT_EQ(decoded("Zm8="), "fo");
  EXPECT_EQ(decoded("Zm9v"), "foo");
  EXPECT_EQ(decoded("Zm9vYg=="), "foob");
  EXPECT_EQ(decoded("Zm9vYmE="), "fooba");
  EXPECT_EQ(decoded("Zm9vYmFy"), "foobar");
}

TEST(Base64, RoundTrip) {
  std::mt19937 random(3);
  for (std::size_t length = 0; length < 300; ++length) {
    std::string bytes(length, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    EXPECT_EQ(decoded(encode_base64(bytes)), bytes);
  }
}

TEST(Base64, Slack) {
  const auto bytes = decode_base64("Zm8=", 5).value();
  EXPECT_EQ(bytes, (std::vector<std::uint8_t>{'f', 'o', 0, 0, 0, 0, 0}));
  EXPECT_EQ(decode_base64("", 3).value().size(), 3u);
}

TEST(Base64, Refused) {
  for (const char* text : {"Z", "Zg", "Zg=", "Z===", "====", "Zh==", "Zm9=", "Zg==Zg==", "Zm9v\n", "Zm 9",
                           "Zm-_", "=m9v", "Zm9vZm9vZ\x80m9", "Zm=v", "Z=9v"}) {
    EXPECT_EQ(decode_base64(text).status().code(), StatusCode::invalid_argument) << text;
  }
  EXPECT_EQ(decode_base64("Zm9vYm*y").status().message(), "not base64 at character 6");
  EXPECT_EQ(decode_base64("Zm*vYmFy").status().message(), "not base64 at character 2");
}

}  // namespace
}  // namespace cuzk
