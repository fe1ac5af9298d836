// Decoding of proofs and keys, counts, blinding, and the assembly of a proof.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "curve/encoding.h"
#include "curve/subgroup.h"
#include "groth16/assemble.h"
#include "groth16/backend.h"
#include "groth16/setup.h"
#include "r1cs/shape_system.h"

namespace cuzk {
namespace {

G1Affine g1(std::uint64_t k) {
  return G1Projective::generator().mul(Fr::from_u64(k)).to_affine();
}
G2Affine g2(std::uint64_t k) {
  return G2Projective::generator().mul(Fr::from_u64(k)).to_affine();
}

VerifyingKey small_key() {
  return {.alpha_g1 = g1(2),
          .beta_g1 = g1(3),
          .beta_g2 = g2(3),
          .gamma_g2 = g2(4),
          .delta_g1 = g1(5),
          .delta_g2 = g2(5),
          .ic = {g1(6), g1(7), g1(8)}};
}

// A point of the curve outside the subgroup of order r.
G1Affine outside_subgroup() {
  for (Fp x = Fp::from_u64(3);; x += Fp::one()) {
    const std::optional<Fp2> y = Fp2{x.squared() * x + curve_coefficient<Fp>(), Fp::zero()}.sqrt();
    if (!y->c1.is_zero()) continue;
    const G1Affine point{x, y->c0};
    if (!is_in_subgroup(point)) return point;
  }
}

template <typename Bytes>
void replace(Bytes& bytes, std::size_t offset, std::span<const std::uint8_t> part) {
  std::copy(part.begin(), part.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
}

void expect_refused(const Status& status, const char* what, const char* why) {
  EXPECT_EQ(status.code(), StatusCode::invalid_argument);
  EXPECT_NE(status.message().find(what), std::string::npos) << status.message();
  EXPECT_NE(status.message().find(why), std::string::npos) << status.message();
}

TEST(ProofEncoding, RoundTripAndLength) {
  const Proof proof{g1(11), g2(12), g1(13)};
  const auto bytes = proof.encode();
  const Result<Proof> decoded = Proof::decode(bytes);
  ASSERT_TRUE(decoded.is_ok());
  EXPECT_EQ(decoded.value(), proof);

  std::vector<std::uint8_t> other(bytes.begin(), bytes.end());
  other.push_back(0);
  expect_refused(Proof::decode(other).status(), "193", "192");
  expect_refused(Proof::decode(std::span(other).first(191)).status(), "191", "192");
  expect_refused(Proof::decode({}).status(), "0", "192");
  expect_refused(decode_proofs(other).status(), "193", "192");
  expect_refused(decode_proofs({}).status(), "0", "192");
}

TEST(ProofEncoding, RefusesBadPointsWithTheReason) {
  const Proof proof{g1(11), g2(12), g1(13)};
  const auto good = proof.encode();
  auto bytes = good;
  const auto refused = [&](const char* point, const char* why) {
    expect_refused(Proof::decode(bytes).status(), point, why);
    bytes = good;
  };
  replace(bytes, 0, encode_compressed(G1Affine::infinity()));
  refused("proof point A", "infinity");
  replace(bytes, 48, encode_compressed(G2Affine::infinity()));
  refused("proof point B", "infinity");
  replace(bytes, 144, encode_compressed(G1Affine::infinity()));
  refused("proof point C", "infinity");
  replace(bytes, 144, encode_compressed(outside_subgroup()));
  refused("proof point C", "subgroup");
  std::fill(bytes.begin(), bytes.begin() + 48, std::uint8_t{0xff});
  bytes[0] = 0x9f;
  refused("proof point A", "modulus");
  bytes[48] &= 0x7f;
  refused("proof point B", "0x80");
}

TEST(ProofEncoding, AListNamesTheBadProof) {
  const Proof proofs[] = {{g1(11), g2(12), g1(13)}, {g1(14), g2(15), g1(16)}};
  auto bytes = encode_proofs(proofs);
  ASSERT_EQ(bytes.size(), 384u);
  EXPECT_EQ(decode_proofs(bytes).value()[1], proofs[1]);
  bytes[192] = 0;
  expect_refused(decode_proofs(bytes).status(), "proof 1", "A");
}

TEST(VerifyingKeyEncoding, RoundTrip) {
  const VerifyingKey vk = small_key();
  const auto bytes = vk.encode();
  EXPECT_EQ(bytes.size(), 864u + 4 + 3 * 96);
  EXPECT_EQ(bytes.size(), vk.encoded_bytes());
  EXPECT_EQ(VerifyingKey::encoded_bytes(bytes), bytes.size());
  const Result<VerifyingKey> decoded = VerifyingKey::decode(bytes);
  ASSERT_TRUE(decoded.is_ok()) << decoded.status().to_string();
  EXPECT_EQ(decoded.value(), vk);
}

TEST(VerifyingKeyEncoding, RefusesOtherLengths) {
  auto bytes = small_key().encode();
  for (const std::size_t size : {std::size_t{0}, std::size_t{863}, std::size_t{867}, bytes.size() - 1})
    EXPECT_EQ(VerifyingKey::decode(std::span(bytes).first(size)).status().code(),
              StatusCode::invalid_argument);
  bytes.push_back(0);
  expect_refused(VerifyingKey::decode(bytes).status(), "1157", "1156");
  bytes.resize(868);
  bytes[867] = 0;
  expect_refused(VerifyingKey::decode(bytes).status(), "no input", "ONE");
  std::fill(bytes.begin() + 864, bytes.end(), std::uint8_t{0xff});
  expect_refused(VerifyingKey::decode(bytes).status(), "868", "412316861188");
}

TEST(VerifyingKeyEncoding, RefusesBadPointsWithNameAndOffset) {
  const auto good = small_key().encode();
  const auto refused = [&](std::size_t offset, std::span<const std::uint8_t> part, const char* what,
                           const char* why) {
    auto bytes = good;
    replace(bytes, offset, part);
    expect_refused(VerifyingKey::decode(bytes).status(), what, why);
  };
  const auto infinity1 = encode_uncompressed(G1Affine::infinity());
  const auto infinity2 = encode_uncompressed(G2Affine::infinity());
  const auto outside = encode_uncompressed(outside_subgroup());
  refused(0, infinity1, "alpha_g1 at offset 0", "infinity");
  refused(96, outside, "beta_g1 at offset 96", "subgroup");
  refused(192, infinity2, "beta_g2 at offset 192", "infinity");
  refused(384, infinity2, "gamma_g2 at offset 384", "infinity");
  refused(576, infinity1, "delta_g1 at offset 576", "infinity");
  refused(672, infinity2, "delta_g2 at offset 672", "infinity");
  refused(868 + 96, infinity1, "ic[1] at offset 964", "infinity");
  refused(868 + 192, outside, "ic[2] at offset 1060", "subgroup");
  for (std::size_t offset = 95; offset < 864; offset += 96) {  // the last byte of a coordinate
    const std::uint8_t changed = good[offset] ^ 1;
    refused(offset, std::span(&changed, 1), "at offset", "curve");
  }
}

TEST(SrsCounts, FollowTheCircuitAndNameWhatDiffers) {
  ShapeSystem cs;
  const Variable x = cs.alloc(Fr::zero());
  const Variable y = cs.alloc(Fr::zero());
  const Variable z = cs.alloc_input(Fr::zero());
  cs.enforce([&](LinearCombination& lc) { lc.add(x); }, [&](LinearCombination& lc) { lc.add(y); },
             [&](LinearCombination& lc) { lc.add(z); });
  const CircuitShape shape = CircuitShape::of(cs.finish());
  const SrsCounts& counts = shape.srs;
  EXPECT_EQ(shape.log_domain, 2u);
  EXPECT_EQ(counts.ic, 2u);
  EXPECT_EQ(counts[Query::h], 3u);
  EXPECT_EQ(counts[Query::l], 2u);
  EXPECT_EQ(counts[Query::a], 2u + 1);
  EXPECT_EQ(counts[Query::b_g1], 1u);
  EXPECT_EQ(counts[Query::b_g2], 1u);
  EXPECT_EQ(counts.file_bytes(), 864u + 4 + 2 * 96 + 5 * 4 + (3 + 2 + 3 + 1) * 96 + 192);

  EXPECT_TRUE(counts.check_equal(counts).is_ok());
  SrsCounts other = counts;
  other[Query::a] = 17;
  expect_refused(other.check_equal(counts), "a has 17 points", "needs 3");
  other = counts;
  other.ic = 9;
  expect_refused(other.check_equal(counts), "ic has 9 points", "needs 2");
}

TEST(Blinding, IsFreshAndInRange) {
  std::set<std::string> seen;
  for (int i = 0; i < 50; ++i) {
    const Blinding blinding = Blinding::random().value();
    for (const Fr& scalar : {blinding.r, blinding.s}) {
      const auto bytes = scalar.to_bytes_le();
      EXPECT_TRUE(seen.emplace(bytes.begin(), bytes.end()).second);
    }
  }
}

// With every point a multiple of a generator, the equations can be followed in the exponent.
TEST(Assemble, FollowsTheEquations) {
  const std::uint64_t alpha = 2, beta = 3, delta = 5, r = 101, s = 211, h = 17, l = 19, a = 23, b = 29;
  const QuerySums sums{g1(h), g1(l), g1(a), g1(b), g2(b)};
  const Proof proof = assemble(small_key(), sums, {Fr::from_u64(r), Fr::from_u64(s)}).value();
  EXPECT_EQ(proof.a, g1(alpha + r * delta + a));
  EXPECT_EQ(proof.b, g2(beta + s * delta + b));
  EXPECT_EQ(proof.c, g1(s * a + r * b + r * s * delta + s * alpha + r * beta + h + l));
}

TEST(Assemble, RefusesInfinity) {
  const QuerySums sums{{}, {}, g1(23), g1(29), g2(29)};
  EXPECT_EQ(assemble(small_key(), sums, {}).status().code(), StatusCode::prover_fault);
  EXPECT_TRUE(assemble(small_key(), sums, {Fr::one(), Fr::zero()}).is_ok());
}

TEST(ToxicWaste, ZerosAndRootsOfUnityAreRefused) {
  const ToxicWaste good{Fr::from_u64(2), Fr::from_u64(3), Fr::from_u64(4), Fr::from_u64(5), Fr::from_u64(6)};
  EXPECT_TRUE(good.check(20).is_ok());
  ToxicWaste bad = good;
  bad.gamma = Fr::zero();
  expect_refused(bad.check(20), "gamma", "zero");
  bad = good;
  bad.tau = -Fr::one();
  EXPECT_TRUE(bad.check(0).is_ok());
  expect_refused(bad.check(1), "tau", "domain");
}

TEST(ProveTimings, AddUpAndTellTheObserver) {
  struct Recorder : ProveObserver {
    std::string log;
    void phase_started(ProvePhase phase) override { log += std::string("+") + prove_phase_name(phase); }
    void phase_finished(ProvePhase phase, double) override {
      log += std::string("-") + prove_phase_name(phase);
    }
  } recorder;
  ProveTimings timings(&recorder);
  { const PhaseTimer timer(timings, ProvePhase::msm_h); }
  timings.add(ProvePhase::msm_h, 2);
  timings.add(ProvePhase::ntt, 3);
  EXPECT_EQ(recorder.log, "+msm_h-msm_h-msm_h-ntt");
  EXPECT_GE(timings.ms(ProvePhase::msm_h), 2);
  EXPECT_DOUBLE_EQ(timings.total_ms(), timings.ms(ProvePhase::msm_h) + 3);
  timings.clear();
  EXPECT_EQ(timings.total_ms(), 0);
}

}  // namespace
}  // namespace cuzk
