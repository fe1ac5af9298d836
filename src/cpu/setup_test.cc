// The setup against the reference's, byte for byte, and what it refuses.
#include "cpu/setup.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "r1cs/shape_system.h"
#include "reference/failing_sink.h"
#include "reference/polynomial.h"
#include "reference/random_circuit.h"
#include "reference/reference_groth16.h"
#include "reference/srs_buffer.h"

namespace cuzk {
namespace {

ToxicWaste toxic(std::uint64_t k) {
  const Fr x = Fr::from_u64(k).inverse();
  return {x, x * x, x + x, x + Fr::one(), x - Fr::from_u64(5)};
}

TEST(Setup, EqualsTheReference) {
  for (const std::size_t n : {1, 2, 15, 31, 32, 100}) {
    const auto r1cs = reference::random_r1cs({.num_constraints = n, .seed = n});
    reference::SrsBuffer wanted, found;
    ASSERT_TRUE(reference::slow_setup(*r1cs, toxic(n + 17), wanted).is_ok());
    const Status status = setup(*r1cs, toxic(n + 17), found);
    ASSERT_TRUE(status.is_ok()) << status.to_string();
    EXPECT_TRUE(found == wanted) << n << " constraints";
    EXPECT_TRUE(found.finished());
  }
}

struct Progress final : ProgressObserver {
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> last;
  void progress(std::string_view step, std::uint64_t done, std::uint64_t total) override {
    EXPECT_GE(done, last[std::string(step)].first);
    last[std::string(step)] = {done, total};
  }
};

TEST(Setup, ReportsProgressToTheEnd) {
  const auto r1cs = reference::random_r1cs({.num_constraints = 40, .seed = 1});
  reference::SrsBuffer srs;
  Progress progress;
  ASSERT_TRUE(setup(*r1cs, toxic(3), srs, &progress).is_ok());
  EXPECT_EQ(progress.last.size(), 6u);
  for (const auto& [step, counts] : progress.last) EXPECT_EQ(counts.first, counts.second) << step;
  EXPECT_EQ(progress.last["l"].second, r1cs->num_aux());
}

TEST(Setup, StopsAtTheSinksFirstFailure) {
  const auto r1cs = reference::random_r1cs({.num_constraints = 12, .seed = 2});
  for (int fail_at = 1; fail_at <= 7; ++fail_at) {
    reference::FailingSink sink(fail_at);
    EXPECT_EQ(setup(*r1cs, toxic(3), sink).code(), StatusCode::resource_exhausted);
    EXPECT_EQ(sink.calls(), fail_at);
  }
  reference::FailingSink never(0);
  EXPECT_TRUE(setup(*r1cs, toxic(3), never).is_ok());
  EXPECT_EQ(never.calls(), 7);
}

void expect_refused(const R1cs& r1cs, const ToxicWaste& scalars, const std::string& why) {
  reference::FailingSink sink(0);
  const Status status = setup(r1cs, scalars, sink);
  EXPECT_EQ(status.code(), StatusCode::invalid_argument);
  EXPECT_NE(status.message().find(why), std::string::npos) << status.message();
  EXPECT_EQ(sink.calls(), 0);
}

TEST(Setup, RefusesWhatWouldGivePointsAtInfinity) {
  const auto r1cs = reference::random_r1cs({.num_constraints = 12, .seed = 2});
  ToxicWaste scalars = toxic(3);
  scalars.delta = Fr::zero();
  expect_refused(*r1cs, scalars, "delta");
  scalars = toxic(3);
  scalars.tau = reference::root_of_unity(16);
  expect_refused(*r1cs, scalars, "tau");

  ShapeSystem cs;
  const Variable x = cs.alloc(Fr::zero());
  cs.alloc(Fr::zero());  // occurs nowhere
  cs.enforce([&](LinearCombination& lc) { lc.add(x); }, [&](LinearCombination& lc) { lc.add(x); },
             [&](LinearCombination& lc) { lc.add(kOneVariable); });
  expect_refused(cs.finish(), toxic(3), "aux variable 1 occurs in no constraint");
}

// a_x = L_0 + c L_1 with c chosen so that tau is a root.
TEST(Setup, RefusesARootOfAPolynomial) {
  const ToxicWaste scalars = toxic(3);
  const std::vector<Fr> lagrange = reference::lagrange(4, scalars.tau);
  const Fr c = -lagrange[0] * lagrange[1].inverse();
  ShapeSystem cs;
  const Variable x = cs.alloc(Fr::zero());
  for (const Fr& coefficient : {Fr::one(), c}) {
    cs.enforce([&](LinearCombination& lc) { lc.add(x, coefficient); },
               [&](LinearCombination& lc) { lc.add(kOneVariable); },
               [&](LinearCombination& lc) { lc.add(x); });
  }
  expect_refused(cs.finish(), scalars, "aux variable 0 in A has the root tau");
}

}  // namespace
}  // namespace cuzk
