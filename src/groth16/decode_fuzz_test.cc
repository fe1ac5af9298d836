// Damaged verifying keys and proofs: refused with a reason, or decoded to something that verifies nothing it should not.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "groth16/proof.h"
#include "groth16/verify.h"
#include "support/allocation_watch.h"
#include "support/byte_fuzzer.h"

namespace cuzk {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr const char* kPorep2KiB =
    "v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"
    "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f.vk";
// Beyond what the points of the bytes take: messages, and the threads that read ic.
constexpr std::size_t kSlackBytes = std::size_t{1} << 20;

Bytes read_file(const std::string& name) {
  std::ifstream file(std::filesystem::path(CUZK_TEST_DATA) / name, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Fr> public_inputs() {
  const auto json = nlohmann::json::parse(read_file("c1-2KiB-v1_1-1.proof.json"));
  std::vector<Fr> inputs;
  for (const auto& hex : json.at("public_inputs_le_hex").at(0))
    inputs.push_back(*Fr::from_bytes_le(bytes32_from_hex(hex.get<std::string>()).value()));
  return inputs;
}

template <class Decoded>
void expect_reason(const Result<Decoded>& decoded) {
  EXPECT_EQ(decoded.status().code(), StatusCode::invalid_argument);
  EXPECT_FALSE(decoded.status().message().empty());
  EXPECT_LT(decoded.status().message().size(), 300u);
}

TEST(DecodeFuzz, VerifyingKeys) {
  ByteFuzzer fuzzer(400);
  const Bytes good = read_file(kPorep2KiB);
  ASSERT_TRUE(VerifyingKey::decode(good).is_ok());
  // The first bytes of all points, which have the flags, and the count.
  std::vector<std::size_t> places = {0, 96, 192, 384, 576, 672, VerifyingKey::kFixedBytes};
  for (std::size_t at = VerifyingKey::kHeadBytes; at < good.size(); at += 96) places.push_back(at);
  std::size_t decoded = 0;
  while (fuzzer.next()) {
    const Bytes bytes = fuzzer.damaged(good, places);
    const AllocationWatch memory;
    const Result<VerifyingKey> key = VerifyingKey::decode(bytes);
    EXPECT_LT(memory.peak_bytes(), 2 * bytes.size() + kSlackBytes);
    if (!key.is_ok()) expect_reason(key);
    if (!key.is_ok()) continue;
    ++decoded;
    EXPECT_EQ(key.value().encode(), bytes) << "two encodings of one key";
  }
  EXPECT_LT(decoded, fuzzer.round() / 4);
}

TEST(DecodeFuzz, Proofs) {
  ByteFuzzer fuzzer(1500);
  const PreparedVerifyingKey key(VerifyingKey::decode(read_file(kPorep2KiB)).value());
  const std::vector<Fr> inputs = public_inputs();
  const Bytes good = read_file("c1-2KiB-v1_1-1.proof");
  Bytes three = good;
  for (int i = 0; i < 2; ++i) three.insert(three.end(), good.begin(), good.end());
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < three.size(); at += 48) places.push_back(at);
  ASSERT_TRUE(verify(key, inputs, Proof::decode(good).value()).is_ok());
  while (fuzzer.next()) {
    const Bytes bytes = fuzzer.damaged(three, places);
    const AllocationWatch memory;
    const Result<std::vector<Proof>> proofs = decode_proofs(bytes);
    EXPECT_LT(memory.peak_bytes(), 10 * bytes.size() + kSlackBytes);
    if (!proofs.is_ok()) expect_reason(proofs);
    if (!proofs.is_ok()) continue;
    EXPECT_EQ(encode_proofs(proofs.value()), bytes) << "two encodings of one proof";
    for (const Proof& proof : proofs.value()) {
      const bool is_good = std::ranges::equal(proof.encode(), good);
      EXPECT_EQ(verify(key, inputs, proof).is_ok(), is_good);
    }
  }
}

}  // namespace
}  // namespace cuzk
