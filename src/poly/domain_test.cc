// Transforms against the definition, the reference's vectors and each other, over every division into passes.
#include "poly/domain.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/cpu_features.h"
#include "poly/bit_reversal.h"
#include "poly/ntt_kernel.h"

namespace cuzk {
namespace {

std::vector<Fr> random_values(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Fr> values(n);
  for (Fr& value : values) {
    value = Fr::from_repr_unchecked({random(), random(), random(), random()});
    const std::uint64_t kind = random() % 16;
    if (kind == 0) value = Fr::zero();
    if (kind == 1) value = Fr::one();
    if (kind == 2) value = -Fr::one();
  }
  return values;
}

// sum of f_i w^(k i), by Horner's rule.
std::vector<Fr> evaluate(const std::vector<Fr>& coefficients, const Fr& w) {
  std::vector<Fr> values;
  Fr x = Fr::one();
  for (std::size_t k = 0; k < coefficients.size(); ++k, x *= w) {
    Fr value = Fr::zero();
    for (std::size_t i = coefficients.size(); i-- > 0;) value = value * x + coefficients[i];
    values.push_back(value);
  }
  return values;
}

std::vector<Fr> reversed(std::vector<Fr> values) {
  const auto log_n = static_cast<unsigned>(std::countr_zero(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t j = reverse_bits(i, log_n);
    if (i < j) std::swap(values[i], values[j]);
  }
  return values;
}

using Transform = void (Domain::*)(std::span<Fr>, Order, Order) const;

// Applies a transform that maps `natural` to `expected`, in all four combinations of orders.
void expect_transform(const Domain& domain, Transform transform, const std::vector<Fr>& natural,
                      const std::vector<Fr>& expected) {
  for (const Order from : {Order::natural, Order::bit_reversed}) {
    for (const Order to : {Order::natural, Order::bit_reversed}) {
      std::vector<Fr> values = from == Order::natural ? natural : reversed(natural);
      (domain.*transform)(values, from, to);
      ASSERT_EQ(values, to == Order::natural ? expected : reversed(expected))
          << "log_n " << domain.log_n() << " from " << static_cast<int>(from) << " to "
          << static_cast<int>(to);
    }
  }
}

void expect_all_transforms(const Domain& domain, const std::vector<Fr>& coefficients,
                           const std::vector<Fr>& values) {
  expect_transform(domain, &Domain::ntt, coefficients, values);
  expect_transform(domain, &Domain::intt, values, coefficients);
}

// The divisions into passes that a transform of 2^log_n can have: one row, one column pass, several.
std::vector<Domain::Tuning> tunings(unsigned log_n) {
  std::vector<Domain::Tuning> out;
  for (const bool ifma : {true, false}) {
    out.push_back({.allow_ifma = ifma});
    for (const unsigned row_levels : {6u, 7u, 8u}) {
      for (const unsigned column_levels : {1u, 2u, 3u, 5u}) {
        if (log_n > row_levels) out.push_back({ifma, row_levels, column_levels});
      }
    }
  }
  return out;
}

TEST(Domain, Omega) {
  for (unsigned log_n = 0; log_n <= 20; ++log_n) {
    const Domain domain(log_n);
    EXPECT_EQ(domain.size(), std::size_t{1} << log_n);
    EXPECT_TRUE(domain.omega().pow(domain.size()).is_one());
    if (log_n > 0) {
      EXPECT_EQ(domain.omega().pow(domain.size() / 2), -Fr::one());
    }
  }
}

TEST(Domain, MatchesTheDefinition) {
  for (unsigned log_n = 0; log_n <= 11; ++log_n) {
    const std::vector<Fr> coefficients = random_values(std::size_t{1} << log_n, log_n);
    const Fr w = root_of_unity(log_n, Root::forward);
    const std::vector<Fr> values = evaluate(coefficients, w);
    for (const Domain::Tuning& tuning : tunings(log_n)) {
      SCOPED_TRACE("rows " + std::to_string(tuning.row_levels) + " columns " +
                   std::to_string(tuning.column_levels) + " ifma " + std::to_string(tuning.allow_ifma));
      expect_all_transforms(Domain(log_n, tuning), coefficients, values);
    }
  }
}

// The largest values at every butterfly: all p - 1, alternating signs, one spike.
TEST(Domain, ExtremeInputs) {
  constexpr unsigned kLogN = 13;
  const Domain portable(kLogN, {.allow_ifma = false});
  typename Fr::Repr top = Fr::modulus();
  top[0] -= 1;
  for (int kind = 0; kind < 4; ++kind) {
    std::vector<Fr> values(portable.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool set =
          kind == 0 || (kind == 1 && i % 2 == 0) || (kind == 2 && i == 5) || (kind == 3 && i % 3 == 0);
      if (set) values[i] = Fr::from_montgomery(top);
    }
    for (const unsigned row_levels : {6u, 9u, 12u, 13u}) {
      for (const unsigned column_levels : {3u, 7u}) {
        const Domain domain(kLogN, {true, row_levels, column_levels});
        for (const Transform transform : {&Domain::ntt, &Domain::intt}) {
          for (const Order from : {Order::natural, Order::bit_reversed}) {
            std::vector<Fr> x = values, y = values;
            (domain.*transform)(x, from, Order::natural);
            (portable.*transform)(y, from, Order::natural);
            ASSERT_EQ(x, y) << kind << " " << row_levels;
          }
        }
      }
    }
  }
}

TEST(Domain, IfmaAndPortableAgreeOnLargerSizes) {
  if (!cpu_features().avx512_ifma) GTEST_SKIP() << "this processor (or CUZK_CPU) has no AVX-512 IFMA";
  for (const unsigned log_n : {14u, 16u, 17u}) {
    const Domain ifma(log_n), portable(log_n, {.allow_ifma = false});
    const std::vector<Fr> input = random_values(ifma.size(), log_n);
    for (const Transform transform : {&Domain::ntt, &Domain::intt}) {
      std::vector<Fr> x = input, y = input;
      (ifma.*transform)(x, Order::natural, Order::natural);
      (portable.*transform)(y, Order::natural, Order::natural);
      ASSERT_EQ(x, y) << log_n;
    }
  }
}

TEST(Domain, RoundTripsAndLinearity) {
  const bool ok = rc::check([](std::uint64_t seed_x, std::uint64_t seed_y, std::uint64_t factor) {
    const unsigned log_n = static_cast<unsigned>(*rc::gen::inRange(0, 14));
    const Domain domain(log_n);
    const std::vector<Fr> x = random_values(domain.size(), seed_x), y = random_values(domain.size(), seed_y);
    std::vector<Fr> z = x;
    domain.ntt(z);
    domain.intt(z);
    RC_ASSERT(z == x);
    domain.ntt(z, Order::natural, Order::bit_reversed);
    domain.intt(z, Order::bit_reversed, Order::natural);
    RC_ASSERT(z == x);
    const Fr k = Fr::from_u64(factor);
    std::vector<Fr> sum(domain.size()), fx = x, fy = y;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = x[i] + k * y[i];
    domain.ntt(sum);
    domain.ntt(fx);
    domain.ntt(fy);
    for (std::size_t i = 0; i < sum.size(); ++i) RC_ASSERT(sum[i] == fx[i] + k * fy[i]);
  });
  EXPECT_TRUE(ok);
}

TEST(Domain, MatchesReferenceVectors) {
  std::ifstream file(CUZK_TEST_DATA "/vectors.json");
  const nlohmann::json vectors = nlohmann::json::parse(file).at("ntt");
  ASSERT_GE(vectors.size(), 3u);
  const auto fr_of = [](const nlohmann::json& hex) {
    const Bytes32 bytes = bytes32_from_hex(hex.get<std::string>()).value();
    return Fr::from_bytes_le(std::span<const std::uint8_t, 32>(bytes)).value();
  };
  for (const nlohmann::json& vector : vectors) {
    const Domain domain(vector.at("log_n").get<unsigned>());
    EXPECT_EQ(domain.omega(), fr_of(vector.at("omega")));
    std::vector<Fr> values, expected;
    for (const auto& hex : vector.at("input")) values.push_back(fr_of(hex));
    for (const auto& hex : vector.at("output")) expected.push_back(fr_of(hex));
    domain.ntt(values);
    EXPECT_EQ(values, expected);
  }
}

TEST(BitReversal, EveryLength) {
  for (unsigned log_n = 0; log_n <= 14; ++log_n) {
    const std::vector<Fr> input = random_values(std::size_t{1} << log_n, log_n);
    std::vector<Fr> values = input;
    bit_reverse(values);
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(values[i], input[reverse_bits(i, log_n)]) << log_n;
  }
}

TEST(DomainDeathTest, RefusesWhatFrCannotDo) {
  EXPECT_DEATH(Domain(32), "no root of unity");
  std::vector<Fr> values(8);
  EXPECT_DEATH(Domain(4).ntt(values), "another length");
}

}  // namespace
}  // namespace cuzk
