// The curve layer against what the reference implementation (blst, through blstrs 0.7) wrote:
// tests/data/vectors.json.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "curve/encoding.h"
#include "curve/pairing.h"
#include "curve/projective.h"
#include "curve/subgroup.h"
#include "curve/xyzz.h"

namespace cuzk {
namespace {

using nlohmann::json;

const json& vectors() {
  static const json value = json::parse(std::ifstream(std::string(CUZK_TEST_DATA) + "/vectors.json"));
  return value;
}

Fr scalar(const json& hex) {
  return Fr::from_bytes_le(bytes32_from_hex(hex.get<std::string>()).value()).value();
}

template <typename Affine>
void expect_encodings(const Affine& point, const json& wanted) {
  EXPECT_EQ(to_hex(encode_compressed(point)), wanted["compressed"].get<std::string>());
  EXPECT_EQ(to_hex(encode_uncompressed(point)), wanted["uncompressed"].get<std::string>());
  const auto compressed = decode_compressed_in_subgroup<Affine>(encode_compressed(point));
  ASSERT_TRUE(compressed.is_ok()) << compressed.status().to_string();
  EXPECT_EQ(compressed.value(), point);
  const auto uncompressed = decode_uncompressed_in_subgroup<Affine>(encode_uncompressed(point));
  ASSERT_TRUE(uncompressed.is_ok()) << uncompressed.status().to_string();
  EXPECT_EQ(uncompressed.value(), point);
}

TEST(CurveVectors, MultiplesOfTheGenerators) {
  ASSERT_GE(vectors()["curve"].size(), 10u);
  for (const json& item : vectors()["curve"]) {
    SCOPED_TRACE(item["k"].get<std::string>());
    const Fr k = scalar(item["k"]);
    expect_encodings(G1Projective::generator().mul(k).to_affine(), item["k_g1"]);
    expect_encodings(G2Projective::generator().mul(k).to_affine(), item["k_g2"]);
  }
}

template <typename F>
void check_msm(const json& wanted) {
  const json& msm = vectors()["msm"];
  ASSERT_EQ(msm["base_k"].size(), msm["scalars"].size());
  std::vector<ProjectivePoint<F>> bases;
  for (const json& k : msm["base_k"]) bases.push_back(ProjectivePoint<F>::generator().mul(scalar(k)));
  std::vector<AffinePoint<F>> affine(bases.size());
  batch_to_affine(std::span<const ProjectivePoint<F>>(bases), std::span<AffinePoint<F>>(affine));
  ProjectivePoint<F> sum;
  XyzzPoint<F> accumulator;
  for (std::size_t i = 0; i < affine.size(); ++i) {
    const ProjectivePoint<F> term = ProjectivePoint<F>(affine[i]).mul(scalar(msm["scalars"][i]));
    sum += term;
    accumulator.add(term.to_affine());
  }
  expect_encodings(sum.to_affine(), wanted);
  expect_encodings(accumulator.to_affine(), wanted);
}

TEST(CurveVectors, MsmSums) {
  check_msm<Fp>(vectors()["msm"]["sum_g1"]);
  check_msm<Fp2>(vectors()["msm"]["sum_g2"]);
}

// One disagreement is meant: the reference reads half of an uncompressed slot that carries the compression
// flag.
TEST(CurveVectors, G1EncodingVerdicts) {
  int seen = 0;
  for (const json& item : vectors()["g1_encodings"]) {
    const std::string name = item["case"].get<std::string>();
    SCOPED_TRACE(name);
    const std::vector<std::uint8_t> bytes = from_hex(item["bytes"].get<std::string>()).value();
    const bool wanted = item["reference_accepts"].get<bool>() && name != "uncompressed with compression flag";
    bool accepted = false;
    if (bytes.size() == 48) {
      accepted = decode_compressed_in_subgroup<G1Affine>(std::span<const std::uint8_t, 48>(bytes)).is_ok();
    } else {
      ASSERT_EQ(bytes.size(), 96u);
      accepted = decode_uncompressed_in_subgroup<G1Affine>(std::span<const std::uint8_t, 96>(bytes)).is_ok();
    }
    EXPECT_EQ(accepted, wanted);
    ++seen;
  }
  EXPECT_GE(seen, 12);
}

// The twelve coordinates, 48 big-endian bytes each, in the order of blst_bendian_from_fp12.
std::string fp12_hex(const Fp12& value) {
  const Fp2* const low[] = {&value.c0.c0, &value.c0.c1, &value.c0.c2};
  const Fp2* const high[] = {&value.c1.c0, &value.c1.c1, &value.c1.c2};
  std::string hex;
  const auto append = [&hex](const Fp& coordinate) {
    std::array<std::uint8_t, 48> bytes = coordinate.to_bytes_le();
    std::reverse(bytes.begin(), bytes.end());
    hex += to_hex(bytes);
  };
  for (int i = 0; i < 3; ++i) {
    for (const Fp2* const c : {low[i], high[i]}) {
      append(c->c0);
      append(c->c1);
    }
  }
  return hex;
}

TEST(CurveVectors, PairingValues) {
  ASSERT_GE(vectors()["pairing"].size(), 2u);
  for (const json& item : vectors()["pairing"]) {
    const G1Affine p = G1Projective::generator().mul(scalar(item["a"])).to_affine();
    const G2Affine q = G2Projective::generator().mul(scalar(item["b"])).to_affine();
    EXPECT_EQ(fp12_hex(pairing(p, q)), item["value"].get<std::string>());
  }
}

}  // namespace
}  // namespace cuzk
