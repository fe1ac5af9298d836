// The scalars of a setup against the points of the reference's setup, and what is refused.
#include "groth16/setup_scalars.h"

#include <gtest/gtest.h>

#include <vector>

#include "curve/encoding.h"
#include "curve/projective.h"
#include "reference/random_circuit.h"
#include "reference/reference_groth16.h"
#include "reference/srs_buffer.h"

namespace cuzk {
namespace {

ToxicWaste toxic(std::uint64_t k) {
  const Fr x = Fr::from_u64(k).inverse();
  return {x, x * x, x + x, x + Fr::one(), x - Fr::from_u64(5)};
}

template <typename Projective>
void expect_multiples(const std::vector<Fr>& scalars, const std::vector<std::uint8_t>& encoded) {
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    ASSERT_FALSE(scalars[i].is_zero()) << i;
    const auto bytes = encode_uncompressed(Projective::generator().mul(scalars[i]).to_affine());
    ASSERT_TRUE(std::ranges::equal(bytes, std::span(encoded).subspan(i * bytes.size(), bytes.size()))) << i;
  }
}

TEST(SetupScalars, AreThoseOfTheReference) {
  for (const std::size_t n : {1, 2, 31, 33, 64}) {
    const auto r1cs = reference::random_r1cs({.num_constraints = n, .seed = n});
    reference::SrsBuffer wanted;
    ASSERT_TRUE(reference::slow_setup(*r1cs, toxic(n + 17), wanted).is_ok());
    const Result<SetupScalars> made = SetupScalars::compute(*r1cs, toxic(n + 17));
    ASSERT_TRUE(made.is_ok()) << made.status().to_string();
    const SetupScalars& scalars = made.value();
    EXPECT_EQ(scalars.counts(), wanted.view().counts());
    EXPECT_EQ(scalars.verifying_key(), wanted.vk());
    for (const Query query : kQueries) {
      std::vector<Fr> values(scalars.counts()[query]);
      scalars.fill(query, 0, values);
      if (query == Query::b_g2) {
        expect_multiples<G2Projective>(values, wanted.bytes(query));
      } else {
        expect_multiples<G1Projective>(values, wanted.bytes(query));
      }
      // Any part of a query is that part of the whole.
      for (std::size_t begin = 0; begin <= values.size(); begin += 1 + values.size() / 3) {
        std::vector<Fr> part((values.size() - begin + 1) / 2);
        scalars.fill(query, begin, part);
        EXPECT_TRUE(
            std::equal(part.begin(), part.end(), values.begin() + static_cast<std::ptrdiff_t>(begin)));
      }
    }
  }
}

// The powers of tau beyond the first step of their table.
TEST(SetupScalars, PowersOfTauGoOn) {
  const auto r1cs = reference::random_r1cs({.num_constraints = 5000, .seed = 3});
  const Result<SetupScalars> made = SetupScalars::compute(*r1cs, toxic(4));
  ASSERT_TRUE(made.is_ok()) << made.status().to_string();
  std::vector<Fr> h(made.value().counts()[Query::h]);
  ASSERT_EQ(h.size(), 8191u);
  made.value().fill(Query::h, 0, h);
  const Fr tau = toxic(4).tau;
  EXPECT_EQ(h[0], (tau.pow(8192) - Fr::one()) * toxic(4).delta.inverse());
  for (std::size_t i = 1; i < h.size(); ++i) ASSERT_EQ(h[i], h[i - 1] * tau) << i;
}

TEST(SetupScalars, RefusesToxicScalarsThatGiveInfinity) {
  const auto r1cs = reference::random_r1cs({.num_constraints = 12, .seed = 2});
  ToxicWaste zero = toxic(3);
  zero.gamma = Fr::zero();
  const Result<SetupScalars> refused = SetupScalars::compute(*r1cs, zero);
  EXPECT_EQ(refused.status().code(), StatusCode::invalid_argument);
  EXPECT_NE(refused.status().message().find("gamma"), std::string::npos);
}

}  // namespace
}  // namespace cuzk
