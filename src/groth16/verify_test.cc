// Verification against the proofs, keys and public inputs that the network's reference prover wrote: all are accepted,
// and nothing that differs from them is.
#include "groth16/verify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "base/bytes.h"

namespace cuzk {
namespace {

const std::filesystem::path kData = CUZK_TEST_DATA;
constexpr const char* kWindow2KiB =
    "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
    "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0.vk";
constexpr const char* kPorep2KiB =
    "v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"
    "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f.vk";

struct ReferenceProof {
  const char* name;  // <name>.proof and <name>.proof.json
  const char* vk;
};
const ReferenceProof kReferenceProofs[] = {
    {"c1-2KiB-v1-4", kPorep2KiB},
    {"c1-2KiB-v1_1-1", kPorep2KiB},
    {"c1-2KiB-v1_1-2", kPorep2KiB},
    {"c1-2KiB-synthetic-4", kPorep2KiB},
    {"c1-32KiB-v1_1-1",
     "v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-8-2-sha256_hasher-"
     "2a21b24b412f71b8441648d2cd849229afd278d96964baf1a0f2712f4afbadfd.vk"},
    {"update-2KiB",
     "v28-empty-sector-update-merkletree-poseidon_hasher-8-0-0-"
     "fb9e095bebdd77511c0269b967b4d87ba8b8a525edaa0e165de23ba454510194.vk"},
    {"window-2KiB", kWindow2KiB},
    {"windowv1-2KiB", kWindow2KiB},
    {"window-8MiB",
     "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
     "5294475db5237a2e83c3e52fd6c2b03859a1831d45ed08c4f35dbf9a803165a9.vk"},
    {"window-32KiB",
     "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-8-2-"
     "0f2270b825bd80be1b341ad648b96c9cbf744a38c50921dc734e4a251a48447b.vk"},
    {"winning-2KiB",
     "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
     "3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e.vk"},
    {"winning-8MiB",
     "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
     "50c7368dea9593ed0989e70974d28024efa9d156d585b7eea1be22b2e753f331.vk"},
};

std::vector<std::uint8_t> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

PreparedVerifyingKey read_key(const char* name) {
  Result<VerifyingKey> vk = VerifyingKey::decode(read_file(kData / name));
  EXPECT_TRUE(vk.is_ok()) << name << ": " << vk.status().to_string();
  return PreparedVerifyingKey(std::move(vk).value());
}

// The public inputs of each partition.
std::vector<std::vector<Fr>> read_public_inputs(const std::string& name) {
  const nlohmann::json json = nlohmann::json::parse(read_file(kData / (name + ".proof.json")));
  std::vector<std::vector<Fr>> partitions;
  for (const auto& partition : json.at("public_inputs_le_hex")) {
    std::vector<Fr>& inputs = partitions.emplace_back();
    for (const auto& hex : partition)
      inputs.push_back(*Fr::from_bytes_le(bytes32_from_hex(hex.get<std::string>()).value()));
  }
  return partitions;
}

class ReferenceProofs : public testing::TestWithParam<ReferenceProof> {};

TEST_P(ReferenceProofs, Verify) {
  const auto& [name, vk_name] = GetParam();
  const PreparedVerifyingKey key = read_key(vk_name);
  const auto inputs = read_public_inputs(name);
  const std::vector<std::uint8_t> bytes = read_file(kData / (std::string(name) + ".proof"));
  const Result<std::vector<Proof>> proofs = decode_proofs(bytes);
  ASSERT_TRUE(proofs.is_ok()) << proofs.status().to_string();
  ASSERT_EQ(proofs.value().size(), inputs.size());
  ASSERT_FALSE(inputs.empty());
  EXPECT_EQ(encode_proofs(proofs.value()), bytes);
  for (std::size_t k = 0; k < inputs.size(); ++k)
    EXPECT_TRUE(verify(key, inputs[k], proofs.value()[k]).is_ok()) << "partition " << k;
}

INSTANTIATE_TEST_SUITE_P(All, ReferenceProofs, testing::ValuesIn(kReferenceProofs), [](const auto& test) {
  std::string name = test.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// One good statement; every test changes it.
class Verify : public testing::Test {
 protected:
  const PreparedVerifyingKey key_ = read_key(kPorep2KiB);
  std::vector<Fr> inputs_ = read_public_inputs("c1-2KiB-v1_1-1").front();
  std::vector<std::uint8_t> bytes_ = read_file(kData / "c1-2KiB-v1_1-1.proof");
  const Proof proof_ = Proof::decode(bytes_).value();
};

TEST_F(Verify, RefusesEveryFlippedBit) {
  for (std::size_t bit = 0; bit < 8 * bytes_.size(); ++bit) {
    bytes_[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
    const Result<Proof> proof = Proof::decode(bytes_);
    if (proof.is_ok()) {
      EXPECT_EQ(verify(key_, inputs_, proof.value()).code(), StatusCode::not_satisfied) << "bit " << bit;
    } else {
      EXPECT_EQ(proof.status().code(), StatusCode::invalid_argument);
    }
    bytes_[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
  }
}

TEST_F(Verify, RefusesASortFlagThatIsFlipped) {
  for (const std::size_t point : {0, 48, 144}) {
    auto bytes = bytes_;
    bytes[point] ^= 0x20;
    const Result<Proof> proof = Proof::decode(bytes);
    ASSERT_TRUE(proof.is_ok()) << proof.status().to_string();
    EXPECT_EQ(verify(key_, inputs_, proof.value()).code(), StatusCode::not_satisfied);
  }
}

TEST_F(Verify, RefusesAnyChangedInput) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    inputs_[i] += Fr::one();
    EXPECT_EQ(verify(key_, inputs_, proof_).code(), StatusCode::not_satisfied) << "input " << i;
    inputs_[i] -= Fr::one();
  }
  std::swap(inputs_[0], inputs_[1]);
  EXPECT_EQ(verify(key_, inputs_, proof_).code(), StatusCode::not_satisfied);
}

TEST_F(Verify, RefusesAWrongNumberOfInputsWithBothNumbers) {
  const std::string wanted = std::to_string(inputs_.size());
  inputs_.push_back(Fr::zero());
  const Status more = verify(key_, inputs_, proof_);
  EXPECT_EQ(more.code(), StatusCode::invalid_argument);
  EXPECT_NE(more.message().find(std::to_string(inputs_.size()) + " public inputs"), std::string::npos);
  EXPECT_NE(more.message().find(wanted), std::string::npos);
  inputs_.resize(inputs_.size() - 2);
  EXPECT_EQ(verify(key_, inputs_, proof_).code(), StatusCode::invalid_argument);
  EXPECT_EQ(verify(key_, {}, proof_).code(), StatusCode::invalid_argument);
}

TEST_F(Verify, RefusesTheKeyAndInputsOfAnother) {
  EXPECT_EQ(verify(key_, read_public_inputs("c1-2KiB-v1_1-2").front(), proof_).code(),
            StatusCode::not_satisfied);
  VerifyingKey vk = key_.vk();
  vk.delta_g2 = vk.gamma_g2;
  EXPECT_EQ(verify(PreparedVerifyingKey(vk), inputs_, proof_).code(), StatusCode::not_satisfied);
}

TEST_F(Verify, ChecksThePointsThemselves) {
  Proof proof = proof_;
  proof.a.y = -proof.a.y + Fp::one();
  EXPECT_EQ(verify(key_, inputs_, proof).code(), StatusCode::invalid_argument);
  proof = proof_;
  proof.b = G2Affine::infinity();
  EXPECT_EQ(verify(key_, inputs_, proof).code(), StatusCode::invalid_argument);
  proof = proof_;
  proof.c = {Fp::zero(), Fp::one().doubled()};  // order 3
  ASSERT_TRUE(proof.c.is_on_curve());
  EXPECT_EQ(verify(key_, inputs_, proof).code(), StatusCode::invalid_argument);
}

TEST_F(Verify, ACommitmentStandsForItsInputsAlone) {
  const Result<InputCommitment> own = commit_inputs(key_, inputs_);
  ASSERT_TRUE(own.is_ok()) << own.status().to_string();
  EXPECT_TRUE(verify_committed(key_, own.value(), proof_).is_ok());
  const InputCommitment others = commit_inputs(key_, read_public_inputs("c1-2KiB-v1_1-2").front()).value();
  EXPECT_EQ(verify_committed(key_, others, proof_).code(), StatusCode::not_satisfied);
  Proof proof = proof_;
  proof.a = G1Affine::infinity();
  EXPECT_EQ(verify_committed(key_, own.value(), proof).code(), StatusCode::invalid_argument);
  EXPECT_EQ(commit_inputs(key_, std::span(inputs_).first(1)).status().code(), StatusCode::invalid_argument);
  // All zero: what is left is the point of ONE.
  const std::vector<Fr> zeros(inputs_.size());
  EXPECT_EQ(commit_inputs(key_, zeros).value().ic, key_.vk().ic.front());
}

TEST_F(Verify, BatchAcceptsValidAndNamesTheFirstInvalid) {
  const std::vector<Fr> other_inputs = read_public_inputs("c1-2KiB-v1_1-2").front();
  const Proof other = Proof::decode(read_file(kData / "c1-2KiB-v1_1-2.proof")).value();
  std::vector<ProofStatement> statements = {{inputs_, proof_}, {other_inputs, other}, {inputs_, proof_}};
  EXPECT_TRUE(verify_batch(key_, {}).is_ok());
  EXPECT_TRUE(verify_batch(key_, statements).is_ok());
  // Two wrong statements whose errors would cancel in a sum without random coefficients.
  std::swap(statements[0].proof.c, statements[1].proof.c);
  const Status status = verify_batch(key_, statements);
  EXPECT_EQ(status.code(), StatusCode::not_satisfied);
  EXPECT_EQ(status.message().rfind("proof 0: ", 0), 0u) << status.message();
  std::swap(statements[0].proof.c, statements[1].proof.c);
  statements[2].public_inputs = other_inputs;
  EXPECT_EQ(verify_batch(key_, statements).message().rfind("proof 2: ", 0), 0u);
  statements[1].public_inputs = std::span(other_inputs).first(3);
  EXPECT_EQ(verify_batch(key_, statements).code(), StatusCode::invalid_argument);
}

}  // namespace
}  // namespace cuzk
