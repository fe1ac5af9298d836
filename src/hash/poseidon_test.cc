// Published digests (neptune's tests), the plain algorithm of the paper as the slow twin, and the trace
// against the equations of the circuit.
#include "hash/poseidon.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace cuzk {
namespace {

std::string hex_be(const Fr& value) {
  auto bytes = value.to_bytes_le();
  std::reverse(bytes.begin(), bytes.end());
  return to_hex(bytes);
}

std::vector<Fr> counting(unsigned arity) {
  std::vector<Fr> out(arity);
  for (unsigned i = 0; i < arity; ++i) out[i] = Fr::from_u64(i);
  return out;
}

std::vector<Fr> random_elements(std::mt19937_64& random, unsigned count) {
  std::vector<Fr> out(count);
  for (Fr& element : out) element = Fr::from_repr_unchecked({random(), random(), random(), random() >> 2});
  return out;
}

// The plain form of docs/formats/poseidon.md: every round adds its constants, applies the S-box and
// multiplies by the MDS matrix.
Fr plain_poseidon(std::span<const Fr> preimage, const Fr& tag) {
  const PoseidonConstants& constants = poseidon_constants(static_cast<unsigned>(preimage.size()));
  const unsigned width = constants.width;
  std::vector<Fr> state = {tag};
  state.insert(state.end(), preimage.begin(), preimage.end());
  const unsigned half = constants.full_rounds / 2;
  for (unsigned round = 0; round < constants.full_rounds + constants.partial_rounds; ++round) {
    for (unsigned i = 0; i < width; ++i)
      state[i] += constants.round_constants[std::size_t{round} * width + i];
    const bool full = round < half || round >= half + constants.partial_rounds;
    for (unsigned i = 0; i < (full ? width : 1); ++i) state[i] = state[i].pow(5);
    std::vector<Fr> mixed(width);
    for (unsigned i = 0; i < width; ++i) {
      for (unsigned j = 0; j < width; ++j) mixed[i] += constants.mds[std::size_t{i} * width + j] * state[j];
    }
    state = mixed;
  }
  return state[1];
}

struct Digest {
  unsigned arity;
  const char* hex;
};
constexpr Digest kDigests[] = {
    {2, "396508d75e76a56b739e0fd902efe161a6fba9339d05a69d2e203c369a02e7ff"},
    {4, "58a54b10a9e5848a00db3c6579229399fb6b4605bf1327ec019814ff6662075d"},
    {8, "2394611da3a5de5512010042116770774b682e9d9cc4aed92a9934f56d38a5e6"},
    {11, "0c0fc1b2e5227f286ca537e232ebe87a09f3dcd8ccb08fc1cee3bbc32b693163"},
    {16, "2d3ae2663381ae8ac1c2fb5a6f871e635b8dbc6d30680a6f1291c74060266d37"},
    {24, "63beb8831f11ae15066f39bf783f3d9fc3e779f6468815b1d7ef3569f585b321"},
    {36, "699303082a6e5d5f540a30e03c10bbaa75cd368df8a8ac3c4473606dfa4e8140"},
};

TEST(Poseidon, PublishedDigests) {
  for (const Digest& want : kDigests)
    EXPECT_EQ(hex_be(poseidon_hash(counting(want.arity))), want.hex) << want.arity;
}

TEST(Poseidon, GenRandomnessTag) {
  EXPECT_EQ(hex_be(poseidon_hash(counting(2), Fr::from_u64(kPoseidonGenRandomnessTag))),
            "314a35c4e7f0924ead1fc58134a0fe25e3580bea397367c7e5a74ec4bc077758");
}

TEST(Poseidon, EightBytesStringsOfCurio) {
  const char* const inputs[] = {"f743111428ecda9b74a18826f1cc62d48ae1510de17e58645997559f86442f31",
                                "197a6efa37086e3a37108f8460c52bc810e2781aff0091bfd7b74e3f6f752f02",
                                "01c2c12f7930bbb59e3b36dae1c694b33ac6b3f199ec32a8665fadb8338f4f21",
                                "bbe672a853f65cdb2563339ca61d6ad648473b4b4ce44bf3a48486424b865a2d",
                                "937d57295f488cea8099f5525958f1af39c6241614b917835292e8e2314cf908",
                                "3272570cd8ba38c1183629ca72d5e9149d76786ed22c1d591db3d2bccfa7d308",
                                "2d3fc90e11aaf601bd1beae80fc3aba15a9e1f886d8140533ce36cda3dd9f936",
                                "0a017e264d0728bfcd2edb3c6c60cc5a05a02af31a71cdd7bb2da27616f5f630"};
  std::vector<Fr> preimage;
  for (const char* hex : inputs) preimage.push_back(*Fr::from_bytes_le(bytes32_from_hex(hex).value()));
  EXPECT_EQ(to_hex(poseidon_hash(preimage).to_bytes_le()),
            "0737ca506df7d4544f8512df35aaa07ed8a40691e96ae868c23320220fec6866");
}

TEST(Poseidon, EqualsThePlainForm) {
  constexpr unsigned kSeed = 7;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  for (const unsigned arity : {2u, 4u, 8u, 11u, 16u, 24u, 36u}) {
    for (int i = 0; i < 5; ++i) {
      const std::vector<Fr> preimage = random_elements(random, arity);
      const Fr tag = random_elements(random, 1)[0];
      EXPECT_EQ(poseidon_hash(preimage, tag), plain_poseidon(preimage, tag)) << arity;
      EXPECT_EQ(poseidon_hash(preimage), plain_poseidon(preimage, poseidon_constants(arity).merkle_tag))
          << arity;
    }
  }
  EXPECT_EQ(poseidon_hash2(Fr::zero(), Fr::one()), poseidon_hash(counting(2)));
}

// Reads a trace as the circuit would allocate it and checks every relation between its values.
class TraceReader {
 public:
  explicit TraceReader(const std::vector<Fr>& values) : values_(values) {}
  const Fr& next() { return values_.at(position_++); }
  bool at_end() const { return position_ == values_.size(); }
  // Returns l5.
  Fr expect_sbox(const Fr& l, const Fr& key) {
    const Fr l2 = next();
    const Fr l4 = next();
    const Fr l5 = next();
    EXPECT_EQ(l * l, l2);
    EXPECT_EQ(l2 * l2, l4);
    EXPECT_EQ(l * l4, l5 - key);
    return l5;
  }

 private:
  const std::vector<Fr>& values_;
  std::size_t position_ = 0;
};

TEST(Poseidon, TraceHasTheValuesOfTheCircuit) {
  std::mt19937_64 random(11);
  const std::pair<unsigned, std::size_t> counts[] = {{2, 311},  {4, 377},   {8, 505},  {11, 598},
                                                     {16, 761}, {24, 1009}, {36, 1385}};
  for (const auto& [arity, count] : counts) {
    SCOPED_TRACE(arity);
    const PoseidonConstants& constants = poseidon_constants(arity);
    const std::vector<Fr> preimage = random_elements(random, arity);
    std::vector<Fr> values;
    const Fr digest = poseidon_trace(constants, constants.merkle_tag, preimage,
                                     [&](const Fr& value) { values.push_back(value); });
    ASSERT_EQ(values.size(), count);
    EXPECT_EQ(digest, poseidon_hash(preimage));
    EXPECT_EQ(values.back(), digest);

    TraceReader trace(values);
    std::size_t key = constants.width;
    for (unsigned i = 0; i < constants.width; ++i, ++key) {
      if (i > 0) trace.expect_sbox(preimage[i - 1] + constants.crc[i], constants.crc[key]);
    }
    for (; key < constants.crc.size(); ++key) {
      const Fr l = trace.next();
      trace.expect_sbox(l, constants.crc[key]);
    }
    Fr last;
    for (unsigned i = 0; i < constants.width; ++i) {
      const Fr l = trace.next();
      last += trace.expect_sbox(l, Fr::zero()) * constants.mds[std::size_t{i} * constants.width + 1];
    }
    EXPECT_EQ(trace.next(), last);
    EXPECT_TRUE(trace.at_end());
  }
}

}  // namespace
}  // namespace cuzk
